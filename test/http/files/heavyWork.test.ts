/** Heavy work in threads: input and output, limits, and cleanup. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  HeavyWork,
  WorkExceeded,
  type HeavyLimits,
  type HeavyTask,
} from '../../../src/http/files/heavyWork/index.ts'
import { Refusal } from '../../../src/state/model/refusal.ts'
import { scratchFolder } from '../../support/process.ts'

const taskOf = <Given, Answer>(name: string, timeMs?: number): HeavyTask<Given, Answer> => ({
  name,
  ...(timeMs !== undefined && { timeMs }),
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

/** Starts work that ends on a signal. */
async function startWork(work: HeavyWork) {
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

test('runs work in a thread and returns its result', async () => {
  const work = heavyWork()
  expect(await Promise.all([1, 2, 3].map((value) => work.run(double, value)))).toEqual([2, 4, 6])
})

test('runs work in this thread if there is no thread file', async () => {
  const work = new HeavyWork(undefined)
  expect(await work.run({ name: 'double', here: (value: number) => Promise.resolve(2 * value) }, 4)).toBe(8)
  await work.close()
})

test.each([
  ['memory', fill, { memoryMb: 24 }],
  ['time', spin, { timeMs: 50 }],
] as const)('fails only the work that takes too much %s, and runs the next', async (what, task, limits) => {
  const work = heavyWork({ threads: 1, ...limits })
  await expect(work.run<null, number>(task, null)).rejects.toEqual(new WorkExceeded(what))
  // Its own limit includes the start of a thread on a busy machine.
  expect(await work.run(taskOf<number, number>('double', 60_000), 21)).toBe(42)
})

test('rethrows the error of the work to its caller', async () => {
  await expect(heavyWork().run(fail, null)).rejects.toThrow('no such thing')
})

test('queues work up to a limit, and refuses more', async () => {
  const work = heavyWork({ threads: 1, waiting: 1 })
  const first = await startWork(work)
  const second = work.run(double, 1)
  await expect(work.run(double, 2)).rejects.toMatchObject({ reason: 'unavailable' })
  first.end()
  expect(await first.answer).toBe(null)
  expect(await second).toBe(2)
})

test('aborts running and queued work on close', async () => {
  const work = heavyWork({ threads: 1 })
  const first = await startWork(work)
  const second = work.run(double, 1)
  const both = Promise.allSettled([first.answer, second])
  await work.close()
  const stopping = { status: 'rejected', reason: new Refusal('unavailable', 'The server is stopping.') }
  expect(await both).toEqual([stopping, stopping])
  await expect(work.run(double, 1)).rejects.toMatchObject({ reason: 'unavailable' })
})
