/** `suite-sim mutate` as built: a suite with a blind spot, and the end of a process that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Report } from '@suite-sim/mutate/report/report'
import { BINARY, build, freePort, ROOT, run, scratchFolder } from '../support/process.ts'

const SUITE = join(ROOT, 'packages/mutate/test/suite.mjs')

beforeAll(build)

test('names the change that a suite does not notice', async () => {
  const only = 'amount-cent payments Link.amount,amount-times-100 payments Link.amount,field-more'
  const { code, stdout } = await run(
    ['mutate', '--only', only, '--', process.execPath, SUITE, '--blind', 'cent'],
    { folder: tmpdir() },
  )
  const { mutations } = JSON.parse(stdout) as Report
  expect(Object.fromEntries(mutations.map(({ kind, verdict }) => [kind, verdict]))).toEqual({
    'amount-cent': 'survived',
    'amount-times-100': 'noticed',
    'field-more': 'tolerated',
  })
  expect(code).toBe(0)
})

test('leaves no server behind when it is killed', async () => {
  const port = String(await freePort())
  // A command that goes on as long as its server.
  const script = `
    const isUp = () => fetch(process.env.SUITE_SIM_URL + '/_sim/health').then(() => true, () => false)
    ;(async () => { while (await isUp()); })()
  `
  const args = ['mutate', '--serve', '--port', port, '--', process.execPath, '-e', script]
  const env = { ...process.env, TMPDIR: scratchFolder() }
  const child = spawn(process.execPath, [BINARY, ...args], { stdio: 'ignore', env })
  const health = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/_sim/health`).then(
      () => true,
      () => false,
    )
  await expect.poll(health).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(await health()).toBe(false)
})
