/**
 * Waiting for something to come about: deliveries, emails, requests. Who changes such a list says so, and who waits
 * for it looks again, so that nobody sleeps and polls.
 */
import { monotonicNow } from './clock.ts'
import type { Database } from './database.ts'
import type { Workspace } from './workspace.ts'

/** The lists that can be waited for. */
export type Topic = 'deliveries' | 'emails' | 'requests' | 'records'

/** Whose list it is: that of a workspace, or that of the server, whose account is 0. */
export type WaitedFor = Pick<Workspace, 'database' | 'tenantId'>

type Listeners = Map<string, Set<() => void>>

const nobody = (): Listeners => new Map()
const waitingIn = (database: Database): Listeners => database.own(nobody)

const keyOf = (workspace: WaitedFor, topic: Topic): string => `${String(workspace.tenantId)} ${topic}`

/** Says that a list has changed. Who waits looks again once the change is on the file. */
export function notify(workspace: WaitedFor, topic: Topic): void {
  const listeners = waitingIn(workspace.database).get(keyOf(workspace, topic))
  if (!listeners || listeners.size === 0) return
  workspace.database.whenCommitted(() => {
    for (const listener of [...listeners]) listener()
  })
}

/** What looking may take of the time: a long list that often changes must not keep the server from all else. */
const SHARE_OF_LOOKING = 1 / 10

/** Pauses that are shorter than this, in ms, are left out. */
const SHORTEST_PAUSE = 1

/**
 * Looks until `enough` says that what it sees suffices, or `seconds` of real time are over, or `signal` is aborted;
 * answers with what was seen last. A time of 0 looks once.
 */
export async function longPoll<Seen>(
  workspace: WaitedFor,
  topic: Topic,
  seconds: number,
  look: () => Seen,
  enough: (seen: Seen) => boolean,
  signal: AbortSignal,
): Promise<Seen> {
  const seen = look()
  if (seconds <= 0 || enough(seen) || signal.aborted) return seen
  const topics = waitingIn(workspace.database)
  const key = keyOf(workspace, topic)
  const listeners = topics.get(key) ?? new Set()
  topics.set(key, listeners)

  return new Promise<Seen>((resolve, reject) => {
    let pauseUntil = -Infinity
    let afterPause: NodeJS.Timeout | undefined
    const finish = (): void => {
      clearTimeout(timer)
      clearTimeout(afterPause)
      listeners.delete(listener)
      if (listeners.size === 0) topics.delete(key)
      signal.removeEventListener('abort', atLast)
    }
    const settle = (last: Seen): void => {
      finish()
      resolve(last)
    }
    const orFail = (act: () => void): void => {
      try {
        act()
      } catch (error) {
        finish()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const lookAgain = (): void => {
      const began = monotonicNow()
      orFail(() => {
        const now = look()
        if (enough(now)) settle(now)
      })
      const ended = monotonicNow()
      pauseUntil = ended + (ended - began) * (1 / SHARE_OF_LOOKING - 1)
    }
    const listener = (): void => {
      if (afterPause) return
      const pause = pauseUntil - monotonicNow()
      if (pause < SHORTEST_PAUSE) {
        lookAgain()
        return
      }
      afterPause = setTimeout(() => {
        afterPause = undefined
        lookAgain()
      }, pause)
    }
    const atLast = (): void => {
      orFail(() => {
        settle(look())
      })
    }
    const timer = setTimeout(atLast, seconds * 1000)
    listeners.add(listener)
    signal.addEventListener('abort', atLast)
  })
}
