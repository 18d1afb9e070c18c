/**
 * Of many requests that come in at once, on one connection or on many, some are answered in each turn of the event loop and
 * the others wait in line: each of them may take a slice (`state/slices.ts`), and all together must not take longer than
 * a few of those, or whoever else asks would wait for all of them. Each connection has a line of its own, and they take
 * turns, so that one request never waits for all that came in one piece on another connection.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { monotonicNow } from '../state/clock.ts'
import { SLICE_MS } from '../state/slices.ts'

/** Those that wait, by their connections: first the one whose turn it is. */
const lines = new Map<Socket, (() => void)[]>()

/** Whether one has been let in that has not done yet what it can do without waiting. */
let isBusy = false

/** When this turn of the event loop is over for requests; null where none was let in yet. */
let until: number | null = null

/** Lets what a request of this connection does go on, in this turn of the event loop or in a later one. */
export function enqueue(socket: Socket, goOn: () => void): void {
  if (!isBusy && lines.size === 0 && !isOver()) letIn(goOn)
  else {
    // What the request has about it, as where it has reached the server, goes with it.
    const next = AsyncResource.bind(goOn)
    const line = lines.get(socket)
    if (line) line.push(next)
    else lines.set(socket, [next])
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

/** The next turn of the event loop. */
function begin(): void {
  until = null
  if (!isBusy) goOn()
}

function letIn(next: () => void): void {
  isBusy = true
  queueMicrotask(afterPromises)
  next()
}

/** What was promised to the one that was let in comes before the next. */
const afterPromises = (): void => {
  process.nextTick(wentOn)
}

function wentOn(): void {
  isBusy = false
  goOn()
}

function goOn(): void {
  const [first] = lines
  if (!first || isOver()) return
  const [socket, line] = first
  lines.delete(socket)
  const next = line.shift()
  if (line.length > 0) lines.set(socket, line)
  if (next) letIn(next)
}
