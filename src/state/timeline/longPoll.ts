/**
 * Long polling of deliveries, e-mails, inboxes, requests, records and calls that faults hold. Code that changes such a list calls `notify`, and
 * waiting requests check it again.
 */
import { monotonicNow } from '@suite-sim/kit/time/machineClock'
import type { Database } from '../storage/database/database.ts'

/** The lists that requests can wait for. */
export const TOPICS = ['deliveries', 'emails', 'inbox', 'requests', 'records', 'held'] as const
export type Topic = (typeof TOPICS)[number]

/** The owner of a list: a workspace, or the server (tenant id 0). */
export interface TopicOwner {
  readonly database: Database
  readonly tenantId: number
}

type Listeners = Map<string, Set<() => void>>

const createListeners = (): Listeners => new Map()
const listenersOf = (database: Database): Listeners => database.own(createListeners)

const keyOf = (workspace: TopicOwner, topic: Topic): string => `${String(workspace.tenantId)} ${topic}`

/** Reports a change of a list. Waiting requests check it again after the commit. */
export function notify(workspace: TopicOwner, topic: Topic): void {
  const listeners = listenersOf(workspace.database).get(keyOf(workspace, topic))
  if (!listeners || listeners.size === 0) return
  workspace.database.whenCommitted(() => {
    for (const listener of [...listeners]) listener()
  })
}

/** Calls the listener after each change of a list, until the returned function is called. */
export function onNotify(workspace: TopicOwner, topic: Topic, listener: () => void): () => void {
  const topics = listenersOf(workspace.database)
  const key = keyOf(workspace, topic)
  const listeners = topics.get(key) ?? new Set()
  topics.set(key, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) topics.delete(key)
  }
}

/** The share of time for checks, so that a long list with many changes does not block the server. */
const MAX_CHECK_SHARE = 1 / 10

/** Pauses shorter than this, in ms, are skipped. */
const MIN_PAUSE = 1

/**
 * Checks the list until `isEnough` returns true, `seconds` of real time are over, or `signal` is aborted. Returns the
 * last value. With 0 seconds, checks once.
 */
export async function longPoll<Value>(
  workspace: TopicOwner,
  topic: Topic,
  seconds: number,
  check: () => Value,
  isEnough: (value: Value) => boolean,
  signal: AbortSignal,
): Promise<Value> {
  const value = check()
  if (seconds <= 0 || isEnough(value) || signal.aborted) return value
  return new Promise<Value>((resolve, reject) => {
    let pauseUntil = -Infinity
    let afterPause: NodeJS.Timeout | undefined
    const finish = (): void => {
      clearTimeout(timer)
      clearTimeout(afterPause)
      stop()
      signal.removeEventListener('abort', checkLast)
    }
    const resolveWith = (last: Value): void => {
      finish()
      resolve(last)
    }
    const rejectOnError = (action: () => void): void => {
      try {
        action()
      } catch (error) {
        finish()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const checkAgain = (): void => {
      const began = monotonicNow()
      rejectOnError(() => {
        const now = check()
        if (isEnough(now)) resolveWith(now)
      })
      const ended = monotonicNow()
      pauseUntil = ended + (ended - began) * (1 / MAX_CHECK_SHARE - 1)
    }
    const listener = (): void => {
      if (afterPause) return
      const pause = pauseUntil - monotonicNow()
      if (pause < MIN_PAUSE) {
        checkAgain()
        return
      }
      afterPause = setTimeout(() => {
        afterPause = undefined
        checkAgain()
      }, pause)
    }
    const checkLast = (): void => {
      rejectOnError(() => {
        resolveWith(check())
      })
    }
    const timer = setTimeout(checkLast, seconds * 1000)
    const stop = onNotify(workspace, topic, listener)
    signal.addEventListener('abort', checkLast)
  })
}
