/**
 * A separate workspace for each Playwright test:
 *
 * ```ts
 * import { expect, test } from 'suite-simulator/playwright'
 *
 * test('takes a payment', async ({ page, workspace }) => {
 *   await workspace.records.wait('payments.links', id, { until: 'status:paid' })
 * })
 * ```
 *
 * A failed test has the calls of its workspace as attachments.
 */
import {
  test as base,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import {
  receiveWebhooks,
  type NewWorkspace,
  type SimulatorClient,
  type SimulatorOptions,
  type WebhookReceiver,
} from '../index.ts'
import { toHaveChanged } from './toHaveChanged.ts'
import {
  simulatorFor,
  stop,
  useWorkspace,
  type OnUnhandledRequest,
  type TestWorkspaceOptions,
} from './useWorkspace.ts'

export type { ExpectedChanges, ExpectedRecord, ExpectedSection } from './expectedChanges.ts'
export { any } from './any.ts'
export type { ChangeOptions } from './toHaveChanged.ts'
export type { OnUnhandledRequest, TestWorkspaceOptions } from './useWorkspace.ts'

/** Playwright's `expect`, which also has `await expect(workspace).toHaveChanged({...})`. */
export const expect: Expect<{ toHaveChanged: typeof toHaveChanged }> = baseExpect.extend({ toHaveChanged })

/** The fixtures that a test can use. `use: { workspaceOptions: {…} }` of the configuration sets the options. */
export interface SimulatorFixtures {
  /** The options of new workspaces; by default they are empty. */
  readonly workspaceOptions: TestWorkspaceOptions
  /** What happens if the test makes calls that no operation answers; "warn" by default. */
  readonly onUnhandledRequest: OnUnhandledRequest
  /** Created before the test, and removed after it. */
  readonly workspace: NewWorkspace
  /** Receives webhooks during the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

/** The fixtures of a worker. */
export interface SimulatorWorkerFixtures {
  /** The options of the simulator of each worker, which SUITE_SIM_URL overrides. */
  readonly simulatorOptions: SimulatorOptions
  /** The simulator at SUITE_SIM_URL; without it, one for each worker. */
  readonly simulator: SimulatorClient
}

type SimulatorTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SimulatorFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & SimulatorWorkerFixtures
>

const JSON_TYPE = 'application/json'

export const test: SimulatorTest = base.extend<SimulatorFixtures, SimulatorWorkerFixtures>({
  simulatorOptions: [{}, { scope: 'worker', option: true }],
  simulator: [
    async ({ simulatorOptions }, use) => {
      const simulator = await simulatorFor(simulatorOptions)
      await use(simulator)
      await stop(simulator)
    },
    { scope: 'worker' },
  ],
  workspaceOptions: [{ fixtures: 'none' }, { option: true }],
  onUnhandledRequest: ['warn', { option: true }],
  workspace: async ({ simulator, workspaceOptions, onUnhandledRequest }, use, testInfo) => {
    await useWorkspace(
      { simulator, workspaceOptions, onUnhandledRequest },
      {
        name: testInfo.titlePath.join(' '),
        run: async (workspace) => {
          await use(workspace)
          return testInfo.status !== testInfo.expectedStatus
        },
        show: async ({ text, files }) => {
          await testInfo.attach('suite-simulator.txt', { body: text, contentType: 'text/plain' })
          for (const [name, body] of Object.entries(files)) {
            await testInfo.attach(name, { body, contentType: JSON_TYPE })
          }
        },
      },
    )
  },
  // Playwright takes the requested fixtures from this parameter.
  // oxlint-disable-next-line no-empty-pattern
  webhooks: async ({}, use) => {
    await using receiver = await receiveWebhooks()
    await use(receiver)
  },
})
