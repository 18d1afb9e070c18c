/** The library keeps the globals of import time, and its fixtures survive what a test does to its process. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type * as Library from '../src/index.ts'
import { startSimulator, receiveWebhooks, SimulatorError } from '../src/index.ts'
import { printReport, useWorkspace, type TestRunner } from '../src/testing/useWorkspace.ts'
import type * as Report from '../src/testing/report.ts'
import { removeAllFiles, removeFiles } from '../src/testing/report.ts'
import { anotherCopy } from '../../../test/support/anotherCopy.ts'
import { scratchFolder } from '../../../test/support/process.ts'
import { freshWorkspace, sharedSimulator } from '../../client/test/simulator.ts'

const QUIET: TestRunner = {
  name: 'a.test.ts a test',
  run: () => Promise.resolve(false),
  show: () => undefined,
}

const settings = async () => ({
  simulator: await sharedSimulator(),
  workspaceOptions: { fixtures: 'none' },
  onUnhandledRequest: 'warn' as const,
})

test('calls of the library do not meet a stub or a spy of fetch', async () => {
  const simulator = await sharedSimulator()
  const own = vi.fn(() => Promise.reject(new Error('the fetch of the test')))
  vi.stubGlobal('fetch', own)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  let status = 0
  await useWorkspace(await settings(), {
    ...QUIET,
    run: async (workspace) => {
      status = (await workspace.fetch('catalog', '/products')).status
      expect(await workspace.requests()).toHaveLength(1)
      await using stream = workspace.stream()
      await stream.opened
      return false
    },
  })
  expect(status).toBe(200)
  expect(await simulator.health()).toMatchObject({ status: 'ok' })
  expect(own).not.toHaveBeenCalled()
})

test('a receiver waits while the test has fake timers', async () => {
  await using webhooks = await receiveWebhooks()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  await expect(webhooks.next({ timeout: 0.01 })).rejects.toThrow('Waited 0.01 s for another webhook.')
})

test('the error of a teardown names its cause, and does not replace that of the test', async () => {
  await using simulator = await startSimulator({ fixtures: 'none' })
  const all = { ...(await settings()), simulator, onUnhandledRequest: 'ignore' as const }
  const close = { ...QUIET, run: () => simulator.close().then(() => false) }
  const error: unknown = await useWorkspace(all, close).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^After the test, the workspace \S+ could not be deleted: No simulator responds at http:\S+: (?:ECONNREFUSED|other side closed \(UND_ERR_SOCKET\))$/,
    ),
    cause: expect.any(SimulatorError),
  })
  await using other = await startSimulator({ fixtures: 'none' })
  const failing = {
    ...QUIET,
    run: async () => {
      await other.close()
      throw new Error('the test itself')
    },
  }
  await expect(useWorkspace({ ...all, simulator: other }, failing)).rejects.toThrow('the test itself')
})

test('the ids of a test are those of its name with ids: "test"', async () => {
  const firstId = async (name: string, ids?: 'test' | { seed: string }): Promise<unknown> => {
    let id: unknown
    const given = await settings()
    const workspaceOptions = { ...given.workspaceOptions, ...(ids && { ids }) }
    await useWorkspace(
      { ...given, workspaceOptions },
      {
        ...QUIET,
        name,
        run: async (workspace) => {
          const answer = await workspace.fetch('crm', '/contacts', { json: { name: 'Ana' } })
          id = ((await answer.json()) as { id: string }).id
          return false
        },
      },
    )
    return id
  }
  const long = `checkout.test.ts ${'a long name '.repeat(20)}`
  const [first, again, other, random, seeded, sameSeed] = await Promise.all([
    firstId(long, 'test'),
    firstId(long, 'test'),
    firstId('another test', 'test'),
    firstId(long),
    firstId('one', { seed: 's' }),
    firstId('two', { seed: 's' }),
  ])
  expect(first).toEqual(expect.any(String))
  expect(again).toBe(first)
  expect(seeded).toBe(sameSeed)
  expect(new Set([first, other, random, seeded]).size).toBe(4)
})

test('a test can delete its workspace', async () => {
  await useWorkspace(await settings(), {
    ...QUIET,
    run: async (workspace) => {
      await workspace.delete()
      return false
    },
  })
})

test('an error is one of the library whichever copy of the library made it', async () => {
  const other = anotherCopy('./packages/library/src/index.ts') as typeof Library
  const error = new SimulatorError({ code: 'timeout', message: 'late' })
  expect(other.SimulatorError).not.toBe(SimulatorError)
  expect(error).toBeInstanceOf(other.SimulatorError)
  expect(new other.SimulatorError({ code: 'timeout', message: 'late' })).toBeInstanceOf(SimulatorError)
  expect(new Error('late')).not.toBeInstanceOf(SimulatorError)
  expect({}).not.toBeInstanceOf(SimulatorError)
  class Mine extends SimulatorError {}
  expect(error).not.toBeInstanceOf(Mine)
  expect(new Mine({ code: 'mine', message: 'late' })).toBeInstanceOf(Mine)
  const workspace = await freshWorkspace({ fixtures: 'none' })
  expect(workspace).toBeInstanceOf(other.Workspace)
  expect(workspace).toBeInstanceOf(other.NewWorkspace)
  expect(await sharedSimulator()).toBeInstanceOf(other.SimulatorClient)
  await expect(other.grade(workspace, 'no-such-task')).rejects.toMatchObject({ code: 'grade_failed' })
})

test('a test that passes removes the files of its earlier failure, and a run those of all', async () => {
  const folder = scratchFolder()
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => {
    process.chdir(before)
  })
  const failures = join(folder, '.suite-sim/failures')
  const keepOf = (name: string) => {
    mkdirSync(join(failures, name), { recursive: true })
    writeFileSync(join(failures, name, 'journal.json'), '[]')
  }
  keepOf('renamed-00000000')
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  printReport({ text: 'failed', files: { 'journal.json': '[]' } }, 'takes a payment')
  const [written = ''] = readdirSync(failures).filter((name) => name.startsWith('takes'))
  // A test of the same name, in the same run, that passes.
  removeFiles('takes a payment')
  expect(existsSync(join(failures, written))).toBe(true)
  const { removeFiles: ofLaterRun } = anotherCopy('./packages/library/src/testing/report.ts') as typeof Report
  ofLaterRun('another test')
  expect(readdirSync(failures)).toHaveLength(2)
  ofLaterRun('takes a payment')
  expect(readdirSync(failures)).toEqual(['renamed-00000000'])
  vi.stubEnv('SUITE_SIM_FAILURES', failures)
  removeAllFiles()
  expect(readdirSync(failures)).toHaveLength(1)
  vi.unstubAllEnvs()
  removeAllFiles()
  expect(existsSync(failures)).toBe(false)
})
