/**
 * A workspace of its own for each test of Vitest; `suite-simulator/vitest/setup` starts the simulator:
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

/** What a test may ask for. */
export interface SimulatorFixtures {
  /**
   * The one at SUITE_SIM_URL, or that of the global setup `suite-simulator/vitest/setup`. Without either, one is started
   * in each worker of Vitest, within the timeout of its first test.
   */
  readonly simulator: SimulatorClient
  /** What workspaces are made of; empty unless overridden: `test.override({ workspaceOptions: { fixtures: 'demo' } })`. */
  readonly workspaceOptions: WorkspaceOptions
  /** Made for the test, and removed after it. */
  readonly workspace: NewWorkspace
  /** Listens for the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

/** What the global setup says; undefined where there is none. */
const ofSetup = (): { readonly url: string; readonly adminToken: string | null } | undefined =>
  inject('suiteSimulator' as never)

/**
 * `test` of Vitest with these fixtures. With `options`, each worker starts a simulator of its own with them, unless
 * SUITE_SIM_URL names one; for one that all workers share, give them to `setupWith` of the global setup.
 */
export function testWith(options: SimulatorOptions = {}): TestAPI<SimulatorFixtures> {
  return base.extend<SimulatorFixtures>({
    simulator: [
      // Vitest reads off the parameter what a fixture asks for.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        if (process.env['SUITE_SIM_URL']) return use(await connect())
        const shared = Object.keys(options).length === 0 ? ofSetup() : undefined
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
