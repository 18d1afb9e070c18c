/**
 * Sending, from whichever thread. The only file of this folder that others import.
 *
 * What it promises: each delivery that is handed over ends exactly once, with what came of its one attempt, or with null
 * when no attempt was made; none takes longer than its time; and what is cancelled is either not sent, for certain, or
 * was being sent already, and says so.
 *
 * Why it is there: SQLite and Fastify share one thread, and an attempt takes more of its time than all that the queue
 * does for it (docs/decisions/0011-sending-from-a-thread.md). Without the thread, its messages and its claims
 * (`threadTransport.ts`, `thread.ts`, `messages.ts`, `claims.ts`) everything would go on working, from the thread of
 * the queue, with requests waiting while webhooks are sent; `httpTransport.ts` alone can't be done without.
 */
import { HttpTransport } from './httpTransport.ts'
import { ThreadTransport } from './threadTransport.ts'
import type { Transport, TransportOptions } from './transport.ts'

export { isPrompt, REFUSED, type Outgoing, type Result, type Sending, type Transport } from './transport.ts'

export interface Threading {
  /** What thread.ts was built to; without it, the thread of the queue sends. */
  readonly file: string | undefined
  /** Is told when a thread has ended that nobody ended; `error` is why, where that is known. */
  readonly died: (error: unknown) => void
}

export const transport = (options: TransportOptions, { file, died }: Threading): Transport =>
  file === undefined ? new HttpTransport(options) : new ThreadTransport({ ...options, file, died })
