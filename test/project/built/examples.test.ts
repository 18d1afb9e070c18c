/** The examples, run as users run them: with the packed package against one server. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser, executablePath } from '../../support/browser.ts'
import { complaintsOf, projectWith, runIn } from '../../support/packed.ts'
import { build, ROOT, sharedServer, type Ended } from '../../support/process.ts'
import { describeWith } from '../../support/toolchains.ts'

// Each example starts its own processes next to the other tests.

const EXAMPLES = join(ROOT, 'examples')
const PYTHON_CLIENT = join(ROOT, 'clients/python')

/** The number of processes that test simultaneously against one server. */
const WORKERS = 4

// A generous timeout for two busy cores.
const VITEST = ['npx', 'vitest', 'run', '--testTimeout=60000']

/** The server of this file, in its initial state. */
const server = async (): Promise<string> => (await sharedServer([])).url

beforeAll(build)

const passed = ({ code, stdout, stderr }: Ended): void => {
  expect(code, stdout + stderr).toBe(0)
}

describe('Vitest example', () => {
  test('passes alone with a simulator in its worker', async () => {
    const folder = projectWith(EXAMPLES)
    const ended = await runIn(join(folder, 'vitest'), VITEST, { SUITE_SIM_URL: '' })
    passed(ended)
    expect(ended.stdout).toMatch(/Tests .*4 passed/)
  })

  test(`passes in ${String(WORKERS)} workers at once against one server, and leaves nothing there`, async () => {
    const url = await server()
    const folder = join(projectWith(EXAMPLES), 'vitest')
    for (let index = 1; index < WORKERS; index++) {
      cpSync(join(folder, 'shop.test.ts'), join(folder, `shop${String(index)}.test.ts`))
    }
    const args = [...VITEST, '--pool=forks', `--maxWorkers=${String(WORKERS)}`]
    const ended = await runIn(folder, args, { SUITE_SIM_URL: url })
    passed(ended)
    expect(ended.stdout).toMatch(new RegExp(`Tests .*${String(4 * WORKERS)} passed`))
    expect(await workspaces(url)).toEqual(['demo'])
  })
})

/** The ids of the workspaces left on a server. */
async function workspaces(url: string): Promise<string[]> {
  const { data } = (await (await fetch(`${url}/_sim/workspaces`)).json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

test('passes the example of the Node.js test runner', async () => {
  const folder = projectWith(EXAMPLES)
  const ended = await runIn(join(folder, 'node-test'), [process.execPath, '--test'])
  passed(ended)
  expect(ended.stdout).toMatch(/^[#ℹ] pass 3$/m)
})

describeWith('Python', 'pytest example', () => {
  const PYTEST = [
    ...['/usr/bin/python3', '-W', 'error', '-m', 'pytest', '--strict-markers'],
    ...['-p', 'suite_simulator.plugin', '-p', 'no:cacheprovider'],
  ]
  const VARIABLES = { PYTHONPATH: join(PYTHON_CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' }

  test('passes alone with a simulator that it starts', async () => {
    const folder = projectWith(EXAMPLES)
    const ended = await runIn(join(folder, 'pytest'), PYTEST, VARIABLES)
    passed(ended)
    expect(ended.stdout).toContain('7 passed')
  })

  test(`passes in ${String(WORKERS)} processes at once against one server, and leaves nothing there`, async () => {
    const url = await server()
    const folder = join(projectWith(EXAMPLES), 'pytest')
    const variables = { ...VARIABLES, SUITE_SIM_URL: url }
    const all = await Promise.all(Array.from({ length: WORKERS }, () => runIn(folder, PYTEST, variables)))
    for (const ended of all) {
      passed(ended)
      expect(ended.stdout).toContain('7 passed')
    }
    expect(await workspaces(url)).toEqual(['demo'])
  })
})

describeInBrowser('Playwright example', () => {
  test('passes with the simulators of its workers', async () => {
    const folder = join(projectWith(EXAMPLES), 'playwright')
    const variables = { SUITE_SIM_URL: '', CHROMIUM_PATH: executablePath ?? '' }
    const ended = await runIn(folder, ['npx', 'playwright', 'test', '--timeout=120000'], variables)
    passed(ended)
    expect(ended.stdout).toMatch(/2 passed/)
  })
})

test('compiles the TypeScript examples', () => {
  const names = ['vitest/shop.test.ts', 'playwright/checkout.spec.ts', 'playwright/playwright.config.ts']
  const options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
  // Browser code.
  const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts']
  expect(complaintsOf(projectWith(EXAMPLES), names, { ...options, lib })).toEqual([])
})
