/** Waiting for a list to change, without anybody sleeping. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { longPoll, notify, type Topic } from '../../src/state/longPoll.ts'
import { refuse } from '../../src/state/refusal.ts'
import type { Workspace } from '../../src/state/workspace.ts'
import { freshState, type FreshState } from '../support/state.ts'

const never = new AbortController().signal

interface Waiting {
  readonly seconds?: number
  readonly signal?: AbortSignal
  readonly topic?: Topic
}

/** A list of which a test decides when it grows, and somebody who waits until it has `count` entries. */
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

/** A state in which nothing waits for a commit any more. */
async function committedState(): Promise<FreshState> {
  const state = freshState()
  await state.database.committed()
  return state
}

/** Time that a test moves; the end of a turn, on which commits hang, stays real. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('who waits', () => {
  test('is answered at once when there is enough already', async () => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 0)

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([0, -1])('looks once when there is no time: %d seconds', async (seconds) => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 1, { seconds })

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
  })

  test('is answered by the change that makes it enough', async () => {
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

  test('looks again once the change is on the file, not before', async () => {
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

  test('is not misled by a change that is undone', async () => {
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

  test('hears nothing of other lists, and nothing of other workspaces', async () => {
    const { workspace, tenancy } = await committedState()
    const { list, outcome, looks } = waiter(workspace, 1, { topic: 'deliveries' })

    list.push('one')
    notify(workspace, 'emails')
    notify(tenancy().workspace, 'deliveries')
    expect(looks()).toBe(1)
    notify(workspace, 'deliveries')

    expect(await outcome).toEqual(['one'])
  })

  test('is answered with what there is when the time is over', async () => {
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

  test('is let go when the caller leaves', async () => {
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

  test('does not wait at all when the caller has left already', async () => {
    const { workspace } = await committedState()
    const { outcome, looks } = waiter(workspace, 5, { signal: AbortSignal.abort() })

    expect(await outcome).toEqual([])
    expect(looks()).toBe(1)
  })

  test('whose looks take long looks nine times as long at nothing, and misses no change', async () => {
    const { workspace } = await committedState()
    let length = 0
    let looks = 0
    const outcome = longPoll(
      workspace,
      'emails',
      60,
      () => {
        // The first look is made before anybody waits, and holds nobody up.
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

  test('looks no more after a pause when the time is over', async () => {
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

  test('is told when looking fails', async () => {
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

  test('may be one of many, and each is answered when it has enough', async () => {
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
