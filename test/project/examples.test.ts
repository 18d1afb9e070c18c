/** The examples that need an external service use what exists. built/examples.test.ts runs the others. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openapiCommand, serveCommand } from '../../src/serve/flags.ts'
import { verifyCommand } from '@suite-sim/cli/verify/commands'
import { ROOT } from '../support/root.ts'

const EXAMPLES = join(ROOT, 'examples')

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
    const sources = readFileSync(join(ROOT, 'packages/client/src/receiver.ts'), 'utf8')
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
