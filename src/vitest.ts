/**
 * A workspace of its own for each test of Vitest:
 *
 * ```ts
 * import { test } from 'suite-simulator/vitest'
 *
 * test('takes a payment', async ({ workspace }) => {
 *   await workspace.trigger('payments.link.pay', { link_id })
 * })
 * ```
 */
import { test as base, type TestAPI } from 'vitest'
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
  /** The one at SUITE_SIM_URL; where that is not set, one that is started in each worker of Vitest. */
  readonly simulator: SimulatorClient
  /** What workspaces are made of; the demo's records unless overridden: `test.override({ workspaceOptions: {} })`. */
  readonly workspaceOptions: WorkspaceOptions
  /** Made for the test, and removed after it. */
  readonly workspace: NewWorkspace
  /** Listens for the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

/** `test` of Vitest with these fixtures; `options` are those of a simulator that has to be started. */
export function testWith(options: SimulatorOptions = {}): TestAPI<SimulatorFixtures> {
  return base.extend<SimulatorFixtures>({
    simulator: [
      // Vitest reads off the parameter what a fixture asks for.
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        if (process.env['SUITE_SIM_URL']) return use(await connect())
        await using simulator = await startSimulator(options)
        await use(simulator)
      },
      { scope: 'worker' },
    ],
    workspaceOptions: { fixtures: 'demo' },
    workspace: async ({ simulator, workspaceOptions }, use) => {
      await using workspace = await simulator.workspaces.create(workspaceOptions)
      await use(workspace)
    },
    // eslint-disable-next-line no-empty-pattern
    webhooks: async ({}, use) => {
      await using receiver = await receiveWebhooks()
      await use(receiver)
    },
  })
}

export const test: TestAPI<SimulatorFixtures> = testWith()
