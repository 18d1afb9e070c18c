/**
 * Spreads many simultaneous requests over several turns of the event loop, because each may take a slice
 * (`state/model/slices.ts`) and all together would block other clients. Connections take turns, each with its own
 * queue.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import { SLICE_MS } from '../../state/model/slices.ts'

/** The waiting requests of each connection; the first connection is next. */
const queues = new Map<Socket, (() => void)[]>()

/** True while a request runs its synchronous part. */
let isBusy = false

/** The end of this turn's time for requests; null if no request has run in this turn. */
let until: number | null = null

/** Continues a request of this connection in this turn of the event loop or in a later one. */
export function enqueue(socket: Socket, task: () => void): void {
  if (!isBusy && queues.size === 0 && !isOver()) start(task)
  else {
    // Keeps the request's async context, such as the URL at which it reached the server.
    const next = AsyncResource.bind(task)
    const waiting = queues.get(socket)
    if (waiting) waiting.push(next)
    else queues.set(socket, [next])
  }
}

function isOver(): boolean {
  const now = monotonicNow()
  if (until === null) {
    until = now + SLICE_MS
    setImmediate(begin)
  }
  return now > until
}

/** Starts the next turn of the event loop. */
function begin(): void {
  until = null
  if (!isBusy) resume()
}

function start(next: () => void): void {
  isBusy = true
  queueMicrotask(afterPromises)
  next()
}

/** Runs after the promises of the current request. */
const afterPromises = (): void => {
  process.nextTick(finish)
}

function finish(): void {
  isBusy = false
  resume()
}

function resume(): void {
  const [first] = queues
  if (!first || isOver()) return
  const [socket, waiting] = first
  queues.delete(socket)
  const next = waiting.shift()
  if (waiting.length > 0) queues.set(socket, waiting)
  if (next) start(next)
}
