/** Waiting for a list to change, with fake timers. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { longPoll, notify, type Topic } from '../../../src/state/timeline/longPoll.ts'
import { refuse } from '../../../src/state/model/refusal.ts'
import type { Workspace } from '../../../src/state/workspace/workspace.ts'
import { freshState, type FreshState } from '../../support/state.ts'

const never = new AbortController().signal

interface Waiting {
  readonly seconds?: number
  readonly signal?: AbortSignal
  readonly topic?: Topic
}

/** A growing list under the control of the test, and a caller that waits for `count` entries. */
function waiter(workspace: Workspace, count: number, { seconds, signal, topic }: Waiting = {}) {
  const list: string[] = []
  let looks = 0
  const outcome = longPoll(
    workspace,
    topic ?? 'emails',
    seconds ?? 60,
    () => {
      looks++
      return [...list]
    },
    (seen) => seen.length >= count,
    signal ?? never,
  )
  return { list, outcome, looks: () => looks }
}

/** A state without pending commits. */
async function committedState(): Promise<FreshState> {
  const state = freshState()
  await state.database.committed()
  return state
}

/** Fakes only timers, because commits depend on the real end of a turn. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a waiting caller', () => {
  test('returns at once if there are enough entries', async () => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 0)

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([0, -1])('checks once without a timeout: %d seconds', async (seconds) => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 1, { seconds })

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
  })

  test('returns after the change that adds enough entries', async () => {
    const { workspace } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 2)

    list.push('one')
    notify(workspace, 'emails')
    expect(looks()).toBe(2)
    list.push('two')
    notify(workspace, 'emails')

    expect(await outcome).toEqual(['one', 'two'])
    expect(looks()).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('checks again only after the change was committed', async () => {
    const { workspace } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 1)

    workspace.write(() => {
      list.push('one')
      notify(workspace, 'emails')
    })
    expect(looks()).toBe(1)

    expect(await outcome).toEqual(['one'])
    expect(looks()).toBe(2)
  })

  test('is not misled by a change that is rolled back', async () => {
    const { workspace, database } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 1)

    expect(() =>
      workspace.write(() => {
        notify(workspace, 'emails')
        refuse('conflict', 'No.')
      }),
    ).toThrow('No.')
    await database.committed()
    expect(looks()).toBeLessThanOrEqual(2)
    list.push('one')
    notify(workspace, 'emails')

    expect(await outcome).toEqual(['one'])
  })

  test('ignores changes to other lists and other workspaces', async () => {
    const { workspace, tenancy } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 1, { topic: 'deliveries' })

    list.push('one')
    notify(workspace, 'emails')
    notify(tenancy().workspace, 'deliveries')
    expect(looks()).toBe(1)
    notify(workspace, 'deliveries')

    expect(await outcome).toEqual(['one'])
  })

  test('returns the current entries after the timeout', async () => {
    const { workspace } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 5, { seconds: 2 })
    list.push('one')

    vi.advanceTimersByTime(1999)
    expect(looks()).toBe(1)
    vi.advanceTimersByTime(1)

    expect(await outcome).toEqual(['one'])
    expect(looks()).toBe(2)
    notify(workspace, 'emails')
    expect(looks()).toBe(2)
  })

  test('stops when the client disconnects', async () => {
    const { workspace } = await committedState()
    const controller = new AbortController()
    const { list, outcome, looks } = waiter(workspace, 5, { signal: controller.signal })
    list.push('one')

    controller.abort()

    expect(await outcome).toEqual(['one'])
    expect(vi.getTimerCount()).toBe(0)
    notify(workspace, 'emails')
    expect(looks()).toBe(2)
  })

  test('does not wait if the client has already disconnected', async () => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 5, { signal: AbortSignal.abort() })

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
  })

  test('pauses for nine times as long as its checks take, and misses no change', async () => {
    const { workspace } = await committedState()
    let length = 0
    let looks = 0
    const outcome = longPoll(
      workspace,
      'emails',
      60,
      () => {
        // The first check runs before the wait and blocks nothing.
        if (looks++ > 0) vi.advanceTimersByTime(10)
        return length
      },
      (seen) => seen >= 3,
      never,
    )

    length = 1
    notify(workspace, 'emails')
    expect(looks).toBe(2)
    length = 3
    notify(workspace, 'emails')
    notify(workspace, 'emails')
    vi.advanceTimersByTime(89)
    expect(looks).toBe(2)
    vi.advanceTimersByTime(1)

    expect(await outcome).toBe(3)
    expect(looks).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not check again after a pause if the timeout has passed', async () => {
    const { workspace } = await committedState()
    let looks = 0
    const outcome = longPoll(
      workspace,
      'emails',
      1,
      () => {
        if (looks++ > 0) vi.advanceTimersByTime(100)
        return looks
      },
      () => false,
      never,
    )

    notify(workspace, 'emails')
    notify(workspace, 'emails')
    vi.advanceTimersByTime(5000)

    expect(await outcome).toBe(looks)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('throws if a check fails', async () => {
    const { workspace } = await committedState()
    let broken = false
    const look = () => {
      if (broken) throw new Error('the list is broken')
      return 0
    }
    const byChange = longPoll(workspace, 'emails', 60, look, () => false, never)
    const byTime = longPoll(workspace, 'requests', 60, look, () => false, never)

    broken = true
    notify(workspace, 'emails')
    vi.advanceTimersByTime(60_000)

    await expect(byChange).rejects.toThrow('the list is broken')
    await expect(byTime).rejects.toThrow('the list is broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is independent of other waiting callers', async () => {
    const { workspace } = await committedState()
    const list: number[] = []
    const lengthOf = () => list.length
    const outcomes = [3, 1, 2].map((count) => ({
      count,
      outcome: longPoll(workspace, 'emails', 60, lengthOf, (seen) => seen >= count, never),
    }))

    for (let number = 1; number <= 3; number++) {
      list.push(number)
      notify(workspace, 'emails')
      expect(await outcomes.find(({ count }) => count === number)?.outcome).toBe(number)
      expect(vi.getTimerCount()).toBe(3 - number)
    }
  })
})
