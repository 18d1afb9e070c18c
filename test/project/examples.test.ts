/** The examples, run as users run them: with the packed package against one server. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openapiCommand, serveCommand } from '../../src/command/flags.ts'
import { verifyCommand } from '../../src/command/verify/commands.ts'
import { describeInBrowser, executablePath } from '../support/browser.ts'
import { complaintsOf, projectWith, runIn } from '../support/packed.ts'
import { ROOT, start, type Ended } from '../support/process.ts'
import { describeWith } from '../support/toolchains.ts'

// Each example starts its own processes next to the other tests.

const EXAMPLES = join(ROOT, 'examples')
const PYTHON_CLIENT = join(ROOT, 'clients/python')

/** The number of processes that test simultaneously against one server. */
const WORKERS = 8

// A generous timeout for two busy cores.
const VITEST = ['npx', 'vitest', 'run', '--testTimeout=60000']

/** A server that stops after the test. */
async function server(): Promise<string> {
  const folder = projectWith()
  const { url } = await start(['serve', '--db', ':memory:', '--port', '0'], { folder })
  return url
}

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

describe('examples that need an external service', () => {
  interface Service {
    readonly environment?: Readonly<Record<string, string>>
    readonly env?: Readonly<Record<string, string>>
    readonly build?: string
    readonly volumes?: readonly string[]
  }

  const read = (file: string): unknown => parse(readFileSync(join(EXAMPLES, file), 'utf8'))
  const VARIABLES = [...serveCommand().options, ...openapiCommand().options].map(({ envVar }) => envVar)
  const mustBeKnown = (variables: object = {}): void => {
    expect(Object.keys(variables)).not.toEqual([])
    expect(Object.keys(variables).filter((name) => !VARIABLES.includes(name))).toEqual([])
  }

  test('the workflow starts the simulator with existing variables', () => {
    const { jobs } = read('github-actions/tests.yml') as {
      jobs: { tests: { services: { 'suite-sim': Service }; env: Record<string, string>; steps: object[] } }
    }
    const { services, env, steps } = jobs.tests
    mustBeKnown(services['suite-sim'].env)
    expect(env['SIM_ADMIN_TOKEN']).toBe(services['suite-sim'].env?.['SIM_ADMIN_TOKEN'])
    expect(steps.length).toBeGreaterThan(3)
    const sources = readFileSync(join(ROOT, 'src/library/receiver.ts'), 'utf8')
    expect(sources).toContain('SUITE_SIM_WEBHOOK_HOST')
  })

  test('the workflow that verifies the service uses existing variables and flags', async () => {
    interface Job {
      readonly env: object
      readonly steps: readonly { readonly name?: string; readonly run?: string }[]
    }
    const { jobs } = read('github-actions/verify.yml') as { jobs: { verify: Job } }
    const [run] = verifyCommand().commands
    expect(run?.options.map(({ envVar }) => envVar)).toEqual(
      expect.arrayContaining(Object.keys(jobs.verify.env)),
    )
    const command = jobs.verify.steps.find(({ name }) => name?.startsWith('Compare'))?.run ?? ''
    expect(command).toContain('--report junit=')
    const given: Record<string, unknown>[] = []
    run?.action((settings: Record<string, unknown>) => void given.push(settings))
    await run?.parseAsync(command.replaceAll('"', '').trim().split(/\s+/).slice(3), { from: 'user' })
    expect(given).toMatchObject([
      {
        minCoverage: 0.6,
        report: [
          { format: 'junit', file: 'verify.xml' },
          { format: 'json', file: 'verify.json' },
          { format: 'markdown', file: '$GITHUB_STEP_SUMMARY' },
        ],
      },
    ])
  })

  test('the compose file builds this repository and runs the tests of the pytest example', () => {
    const { services } = read('docker-compose/compose.yaml') as { services: Record<string, Service> }
    mustBeKnown(services['suite-sim']?.environment)
    const here = join(EXAMPLES, 'docker-compose')
    expect(readFileSync(join(here, String(services['suite-sim']?.build), 'Dockerfile'), 'utf8')).toMatch(
      /^FROM/m,
    )
    const { volumes = [], environment = {} } = services['tests'] ?? {}
    const [tests = '', client = ''] = volumes.map((volume) => join(here, volume.split(':')[0] ?? ''))
    expect(readdirSync(tests)).toContain('test_shop.py')
    const plugin = readFileSync(join(client, 'suite_simulator/plugin.py'), 'utf8')
    for (const name of ['SUITE_SIM_URL', 'SUITE_SIM_WEBHOOK_HOST']) {
      expect(environment).toHaveProperty(name)
      expect(plugin).toContain(name)
    }
  })
})
