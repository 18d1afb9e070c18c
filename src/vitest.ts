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
import { test as base, inject, type TestAPI } from 'vitest'
import {
  connect,
  receiveWebhooks,
  startSimulator,
  type NewWorkspace,
  type SimulatorClient,
  type SimulatorOptions,
  type WebhookReceiver,
  type WorkspaceOptions,
} from './index.ts'

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
  readonly workspaceOptions: WorkspaceOptions
  /** Created before the test, and removed after it. */
  readonly workspace: NewWorkspace
  /** Receives webhooks during the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

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
        if (process.env['SUITE_SIM_URL']) return use(await connect())
        const shared = Object.keys(options).length === 0 ? setupValue() : undefined
        if (shared) return use(await connect(shared.url, { adminToken: shared.adminToken }))
        await using simulator = await startSimulator(options)
        await use(simulator)
      },
      { scope: 'worker' },
    ],
    workspaceOptions: { fixtures: 'none' },
    workspace: async ({ simulator, workspaceOptions }, use) => {
      await using workspace = await simulator.workspaces.create(workspaceOptions)
      await use(workspace)
    },
    // oxlint-disable-next-line no-empty-pattern
    webhooks: async ({}, use) => {
      await using receiver = await receiveWebhooks()
      await use(receiver)
    },
  })
}

export const test: TestAPI<SimulatorFixtures> = testWith()
