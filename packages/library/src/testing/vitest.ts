/**
 * A separate workspace for each Vitest test; `suite-simulator/vitest/setup` starts the simulator:
 *
 * ```ts
 * import { test } from 'suite-simulator/vitest'
 *
 * test('takes a payment', async ({ workspace }) => {
 *   await workspace.trigger('payments.link.pay', { link_id })
 * })
 * ```
 */
import { test as base, expect, inject, type TestAPI } from 'vitest'
import {
  connect,
  receiveWebhooks,
  type NewWorkspace,
  type SimulatorClient,
  type SimulatorOptions,
  type WebhookReceiver,
} from '../index.ts'
import { removeFiles } from './report.ts'
import { toHaveChanged, type SimulatorMatchers } from './toHaveChanged.ts'
import {
  printReport,
  simulatorFor,
  stop,
  useWorkspace,
  type OnUnhandledRequest,
  type TestWorkspaceOptions,
} from './useWorkspace.ts'

export type { ExpectedChanges, ExpectedRecord, ExpectedSection } from './expectedChanges.ts'
export { any } from './any.ts'
export type { ChangeOptions, SimulatorMatchers } from './toHaveChanged.ts'
export type { OnUnhandledRequest, TestWorkspaceOptions } from './useWorkspace.ts'

declare module 'vitest' {
  interface Matchers<T> {
    toHaveChanged: SimulatorMatchers<T>['toHaveChanged']
  }
}

expect.extend({ toHaveChanged })

/** The fixtures that a test can use. */
export interface SimulatorFixtures {
  /**
   * The simulator at SUITE_SIM_URL, or that of the global setup `suite-simulator/vitest/setup`. Without
   * either, each Vitest worker starts one, within the timeout of its first test.
   */
  readonly simulator: SimulatorClient
  /**
   * The options of new workspaces. By default they are empty; override: `test.override({ workspaceOptions: {
   * fixtures: 'demo' } })`.
   */
  readonly workspaceOptions: TestWorkspaceOptions
  /** What happens if the test makes calls that no operation answers; "warn" by default. */
  readonly onUnhandledRequest: OnUnhandledRequest
  /** Created before the test, and removed after it. If the test fails, its calls and deliveries are printed. */
  readonly workspace: NewWorkspace
  /** Receives webhooks during the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

/** Returns the names of the suites and of the test. */
const nameOf = ({ name, suite }: Named): string => (suite ? `${nameOf(suite)} ${name}` : name)

/** Returns the value that the global setup provides; undefined without one. */
const setupValue = (): { readonly url: string; readonly adminToken: string | null } | undefined =>
  inject('suiteSimulator' as never)

/**
 * Returns Vitest's `test` with these fixtures. With `options`, each worker starts its own simulator with
 * them, unless SUITE_SIM_URL names one. To share one between all workers, pass the options to `setupWith` of
 * the global setup.
 */
export function testWith(options: SimulatorOptions = {}): TestAPI<SimulatorFixtures> {
  return base.extend<SimulatorFixtures>({
    simulator: [
      // Vitest takes the requested fixtures from this parameter.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const isOwn = Boolean(process.env['SUITE_SIM_URL']) || Object.keys(options).length > 0
        const shared = isOwn ? undefined : setupValue()
        const simulator = await (shared
          ? connect(shared.url, { adminToken: shared.adminToken })
          : simulatorFor(options))
        await use(simulator)
        await stop(simulator)
      },
      { scope: 'worker' },
    ],
    workspaceOptions: { fixtures: 'none' },
    onUnhandledRequest: 'warn',
    workspace: async ({ simulator, workspaceOptions, onUnhandledRequest, task }, use) => {
      const testName = `${task.file.name} ${nameOf(task)}`
      await useWorkspace(
        { simulator, workspaceOptions, onUnhandledRequest },
        {
          name: testName,
          run: async (workspace) => {
            await use(workspace)
            // A test that is expected to fail needs no report.
            return task.result?.state === 'fail' && task.fails !== true
          },
          show: (report) => {
            printReport(report, testName)
          },
          clear: () => {
            removeFiles(testName)
          },
        },
      )
    },
    // oxlint-disable-next-line no-empty-pattern
    webhooks: async ({}, use) => {
      await using receiver = await receiveWebhooks()
      await use(receiver)
    },
  })
}

export const test: TestAPI<SimulatorFixtures> = testWith()
