/** `suite-sim listen`: prints the timeline of a workspace live, and forwards its webhooks (forwarding.ts). */
import { forward, type ForwardSettings, type Forwarding } from './forwarding.ts'
import { paint, printLine, printsJson, type Color } from '../terminal/output.ts'
import { CommandError } from '../terminal/problem.ts'
import { onClosedPipe } from '../terminal/pipes.ts'
import type { StreamEntry } from '../remote/remote.ts'
import { followUnmatched } from './unmatched.ts'
import { remoteOf } from '../remote/workspaces.ts'

export const KINDS = ['request', 'trigger', 'job', 'transition', 'event', 'delivery', 'email', 'unmatched']

/** The kinds that are printed by default. Includes events, because an event without a subscriber has no delivery. */
export const DEFAULT_KINDS = ['request', 'event', 'delivery', 'unmatched']

interface Listening extends ForwardSettings {
  readonly kind: readonly string[]
  readonly for?: number
}

const OUTCOMES: Readonly<Record<string, Color>> = { succeeded: 'green', refused: 'yellow', failed: 'red' }

/** Of entries without an outcome. */
const KIND_COLORS: Readonly<Record<string, Color>> = {
  event: 'dim',
  delivery: 'dim',
  email: 'cyan',
  unmatched: 'red',
}

export async function listen(settings: Listening): Promise<void> {
  const { workspace, kind, for: seconds } = settings
  const remote = remoteOf(settings)
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  // Subscriptions must be deleted too if the reader closes the pipe.
  const restore = onClosedPipe(stop)
  const forwarding = await forward(remote, settings)
  const ending = new AbortController()
  const report = (entry: StreamEntry): void => {
    if (kind.includes(entry.kind) && isSelected(entry, settings.events))
      printLine(settings, entry, () => formatLine(entry))
  }
  const unmatched = followUnmatched(remote, report, AbortSignal.any([stopping.signal, ending.signal]))
  try {
    printStart(settings, forwarding)
    for await (const entry of remote.stream(workspace, seconds, stopping.signal)) {
      report(entry)
    }
    if (seconds === undefined) throw new CommandError('the server ended the stream')
  } catch (error) {
    if (!stopping.signal.aborted)
      throw error instanceof CommandError ? error : new CommandError('the connection to the server was lost')
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
    ending.abort()
    await Promise.all([unmatched, forwarding?.end()])
    restore()
  }
}

/** Prints to standard error, because standard output is for the timeline. */
function printStart(settings: Listening, forwarding: Forwarding | null): void {
  const { workspace, url } = settings
  if (!printsJson(settings))
    process.stderr.write(`Listening to ${workspace} at ${url}. Press Ctrl+C to stop.\n`)
  if (!forwarding) return
  const { interfaces, secret, url: receiver } = forwarding
  process.stderr.write(
    `Sending the webhooks of ${interfaces.join(', ')} to ${receiver}, signed with the secret ${secret}\n`,
  )
}

/** With `--events`, selects only these events and their deliveries. Titles: "pos sale.completed answered 200". */
const isSelected = ({ kind, title }: StreamEntry, events: readonly string[] | undefined): boolean =>
  events === undefined || (['event', 'delivery'].includes(kind) && events.includes(title.split(' ')[1] ?? ''))

const formatLine = (entry: StreamEntry): string =>
  `${paint('dim', entry.at)} ${paint(colorOf(entry), entry.kind.padEnd(10))} ${entry.title}`

/** Green, yellow and red are for outcomes, as in the dashboard. */
export const colorOf = ({ kind, outcome }: Pick<StreamEntry, 'kind' | 'outcome'>): Color =>
  OUTCOMES[outcome ?? ''] ?? KIND_COLORS[kind] ?? 'bold'
