/** Waiting that ends early if the client closes the connection. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'

/** Runs `wait` with a signal that is aborted when the client is gone. */
export async function whileConnected<T>(
  { raw }: FastifyRequest,
  wait: (gone: AbortSignal) => Promise<T>,
): Promise<T> {
  const closed = new AbortController()
  const stopWaiting = (): void => {
    closed.abort()
  }
  // It may have closed while the body was read; no event says so later.
  if (raw.socket.destroyed) stopWaiting()
  raw.socket.once('close', stopWaiting)
  try {
    return await wait(closed.signal)
  } finally {
    raw.socket.off('close', stopWaiting)
  }
}

/** Waits. Does nothing if the signal is aborted. */
export const waitMs = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
