/** Heavy work: what it is given and answers with, what happens when it takes too much, and that it leaves nothing running. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { HeavyWork, WorkExceeded, type HeavyLimits, type HeavyTask } from '../../src/http/heavyWork/index.ts'
import { Refusal } from '../../src/state/refusal.ts'
import { scratchFolder } from '../support/process.ts'

const taskOf = <Given, Answer>(name: string): HeavyTask<Given, Answer> => ({
  name,
  here: () => Promise.reject(new Error('not here')),
})

const double = taskOf<number, number>('double')
const fill = taskOf<null, number>('fill')
const spin = taskOf<null, never>('spin')
const fail = taskOf<null, never>('fail')
const wait = taskOf<SharedArrayBuffer, null>('wait')

function heavyWork(limits: Partial<HeavyLimits> = {}): HeavyWork {
  const file = join(scratchFolder(), 'tasks.cjs')
  writeFileSync(
    file,
    `exports.double = async (given) => 2 * given
    exports.fill = async () => { const kept = []; for (;;) { kept.push({ number: kept.length }) } }
    exports.spin = async () => { for (;;) {} }
    exports.fail = async () => { throw new TypeError('no such thing') }
    exports.wait = async (shared) => {
      const cell = new Int32Array(shared)
      Atomics.store(cell, 0, 1)
      Atomics.wait(cell, 1, 0)
      return null
    }`,
  )
  const work = new HeavyWork(file, limits)
  onTestFinished(() => work.close())
  return work
}

/** Work that has begun and ends when it is told to. */
async function begun(work: HeavyWork) {
  const shared = new SharedArrayBuffer(8)
  const cell = new Int32Array(shared)
  const answer = work.run(wait, shared)
  answer.catch(() => undefined)
  while (Atomics.load(cell, 0) === 0) await nextTurn()
  return {
    answer,
    end: () => {
      Atomics.store(cell, 1, 1)
      Atomics.notify(cell, 1)
    },
  }
}

test('work is done in a thread and answers', async () => {
  const work = heavyWork()
  expect(await Promise.all([1, 2, 3].map((given) => work.run(double, given)))).toEqual([2, 4, 6])
})

test('work is done in this thread where there is no file of another', async () => {
  const work = new HeavyWork(undefined)
  expect(await work.run({ name: 'double', here: (given: number) => Promise.resolve(2 * given) }, 4)).toBe(8)
  await work.close()
})

test.each([
  ['memory', fill, { memoryMb: 24 }],
  ['time', spin, { timeMs: 200 }],
] as const)('work that takes too much %s fails alone, and the next is done', async (what, task, limits) => {
  const work = heavyWork({ threads: 1, ...limits })
  await expect(work.run<null, number>(task, null)).rejects.toEqual(new WorkExceeded(what))
  expect(await work.run(double, 21)).toBe(42)
})

test('what work throws is what its caller gets', async () => {
  await expect(heavyWork().run(fail, null)).rejects.toThrow('no such thing')
})

test('work waits for its turn, as much as may, and more is refused', async () => {
  const work = heavyWork({ threads: 1, waiting: 1 })
  const first = await begun(work)
  const second = work.run(double, 1)
  await expect(work.run(double, 2)).rejects.toMatchObject({ reason: 'unavailable' })
  first.end()
  expect(await first.answer).toBe(null)
  expect(await second).toBe(2)
})

test('a close gives up what is being done and what waits', async () => {
  const work = heavyWork({ threads: 1 })
  const first = await begun(work)
  const second = work.run(double, 1)
  const both = Promise.allSettled([first.answer, second])
  await work.close()
  const stopping = { status: 'rejected', reason: new Refusal('unavailable', 'The server is stopping.') }
  expect(await both).toEqual([stopping, stopping])
  await expect(work.run(double, 1)).rejects.toMatchObject({ reason: 'unavailable' })
})
