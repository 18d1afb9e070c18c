/** What a quota knows while a measurement is in flight. test/control/workspaces/quota.test.ts has its limits. */
import { expect, test } from 'vitest'
import type { Size } from '../../../src/state/limits/quota.ts'
import { freshState } from '../../support/state.ts'

const MAX = 1000

const fullWith = (bytes: number): string =>
  `The workspace is full: it has ${String(bytes)} bytes. Its limit is 1000 bytes, and it is full from 985 bytes on.`

/** A workspace with a limit, whose measurements end when the test ends them, in this order. */
function setup() {
  const running: ((size: Size) => void)[] = []
  const sizes = {
    fileBytes: () => Infinity,
    savedScopes: () => [],
    recordedBytes: () => 0,
    of: () =>
      new Promise<Size>((resolve) => {
        running.push(resolve)
      }),
  }
  const { workspace } = freshState({ quota: { maxBytes: MAX, sizes } })
  return {
    workspace,
    quota: workspace.quota,
    running: () => running.length,
    end: (bytes: number) => running.shift()?.({ byScope: new Map(), storedFileBytes: 0, bytes }),
  }
}

test('measures once for calls at the same time, and again after a write', async () => {
  const { workspace, quota, running, end } = setup()
  const both = [quota.usage(), quota.usage()]
  expect(running()).toBe(1)
  end(10)
  expect((await Promise.all(both)).map(({ bytes }) => bytes)).toEqual([10, 10])
  expect((await quota.usage()).bytes).toBe(10)
  workspace.write(() => undefined)
  const later = quota.usage()
  end(20)
  expect((await later).bytes).toBe(20)
})

test.each([
  ['rows were copied into the workspace', 'quota'],
  ['its records were replaced', 'workspace'],
] as const)('drops a measurement during which %s', async (_name, changed) => {
  const all = setup()
  const { quota, running, end } = all
  const before = quota.usage()
  all[changed].forget()
  const after = quota.usage()
  expect(running()).toBe(2)
  end(10)
  expect((await before).bytes).toBe(10)
  // The second measurement goes on, and later calls wait for it.
  const room = quota.check(1)
  expect([running(), room]).toEqual([1, expect.any(Promise)])
  end(MAX)
  expect((await after).bytes).toBe(MAX)
  await expect(room).rejects.toThrow(fullWith(MAX))
  expect((await quota.usage()).bytes).toBe(MAX)
})

test('says from how many bytes on a workspace is full', async () => {
  for (const [bytes, message] of [
    [984, null],
    [985, fullWith(985)],
  ] as const) {
    const { quota, end } = setup()
    const room = quota.check(1)
    end(bytes)
    await (message === null ? expect(room).resolves.toBeUndefined() : expect(room).rejects.toThrow(message))
  }
})
