/**
 * A separate workspace for each Jest test; `globalSetup: 'suite-simulator/jest/setup'` starts the simulator:
 *
 * ```js
 * const { test } = require('suite-simulator/jest')
 *
 * test('takes a payment', async ({ workspace }) => {
 *   await workspace.trigger('payments.link.pay', { link_id })
 * })
 * ```
 */
import { relative } from 'node:path'
import {
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

declare global {
  // @types/jest declares it so.
  // oxlint-disable-next-line no-namespace
  namespace jest {
    interface Matchers<R, T> {
      toHaveChanged: SimulatorMatchers<T>['toHaveChanged']
    }
  }
}

/** The values that a test function receives. */
export interface SimulatorFixtures {
  /** The simulator at SUITE_SIM_URL or of the global setup; without either, one for each test file. */
  readonly simulator: SimulatorClient
  /** Created before the test, and removed after it. If the test fails, its calls and deliveries are printed. */
  readonly workspace: NewWorkspace
  /** Receives webhooks during the test: `await webhooks.subscribe(workspace, { interface: 'pos' })`. */
  readonly webhooks: WebhookReceiver
}

export interface TestOptions {
  /** The options of new workspaces; by default they are empty. */
  readonly workspaceOptions?: TestWorkspaceOptions
  /** What happens if a test makes calls that no operation answers; "warn" by default. */
  readonly onUnhandledRequest?: OnUnhandledRequest
  /** The options of the simulator of this file, which SUITE_SIM_URL overrides. */
  readonly simulatorOptions?: SimulatorOptions
}

type Run = (fixtures: SimulatorFixtures) => unknown
type RunRow<Row extends readonly unknown[]> = (...values: [...Row, SimulatorFixtures]) => unknown
type Define = (name: string, run: Run, timeout?: number) => void

/** Jest's `test`, whose function receives the fixtures; that of `each`, after the values of the row. */
export interface SimulatorTest extends Define {
  readonly only: Define
  readonly skip: Define
  readonly failing: Define
  readonly todo: (name: string) => void
  readonly each: <const Row>(
    rows: readonly Row[],
  ) => (
    name: string,
    run: RunRow<Row extends readonly unknown[] ? Row : readonly [Row]>,
    timeout?: number,
  ) => void
}

type JestDefine = (name: string, run: (...values: unknown[]) => Promise<void>, timeout?: number) => void

/** The part of Jest's globals that this module uses. */
interface Jest {
  readonly test: JestDefine & {
    readonly only: JestDefine
    readonly skip: JestDefine
    readonly failing: JestDefine
    readonly todo: (name: string) => void
    readonly each: (rows: readonly unknown[]) => JestDefine
  }
  readonly afterAll: (run: () => Promise<void>) => void
  readonly expect: {
    readonly getState: () => { readonly testPath?: string; readonly currentTestName?: string }
    readonly extend: (matchers: { readonly toHaveChanged: typeof toHaveChanged }) => void
  }
}

function jestGlobals(): Jest {
  const globals = globalThis as unknown as Partial<Jest>
  if (!globals.test || !globals.afterAll || !globals.expect) {
    throw new Error('suite-simulator/jest needs the globals of Jest: leave injectGlobals on')
  }
  return globals as Jest
}

/** Returns Jest's `test` with these options: `const test = testWith({ workspaceOptions: { fixtures: 'demo' } })`. */
export function testWith(options: TestOptions = {}): SimulatorTest {
  const {
    workspaceOptions = { fixtures: 'none' },
    onUnhandledRequest = 'warn',
    simulatorOptions = {},
  } = options
  const { test: base, afterAll, expect } = jestGlobals()
  let started: Promise<SimulatorClient> | undefined
  afterAll(async () => {
    if (started) await stop(await started)
  })

  const testName = (): string => {
    const { testPath = '', currentTestName = '' } = expect.getState()
    return `${relative(process.cwd(), testPath)} ${currentTestName}`
  }

  /** Runs a test with its fixtures. One that is expected to fail needs no report. */
  const runWith = async (run: Run, isExpectedToFail = false): Promise<void> => {
    const simulator = await (started ??= simulatorFor(simulatorOptions))
    let failure: { readonly error: unknown } | undefined
    await useWorkspace(
      { simulator, workspaceOptions, onUnhandledRequest },
      {
        name: testName(),
        run: async (workspace) => {
          await using webhooks = await receiveWebhooks()
          try {
            await run({ simulator, workspace, webhooks })
          } catch (error) {
            failure = { error }
          }
          return failure !== undefined && !isExpectedToFail
        },
        show: (report) => {
          printReport(report, testName())
        },
        clear: () => {
          removeFiles(testName())
        },
      },
    ).catch((error: unknown) => {
      // An error of the simulator must not replace that of the test.
      failure ??= { error }
    })
    if (failure) throw failure.error
  }
  const defineWith =
    (define: JestDefine, isExpectedToFail = false): Define =>
    (name, run, timeout) => {
      define(name, () => runWith(run, isExpectedToFail), timeout)
    }
  return Object.assign(defineWith(base), {
    only: defineWith(base.only),
    skip: defineWith(base.skip),
    failing: defineWith(base.failing, true),
    todo: base.todo,
    each: ((rows: readonly unknown[]) =>
      (name: string, run: (...values: unknown[]) => unknown, timeout?: number): void => {
        base.each(rows)(name, (...row) => runWith((fixtures) => run(...row, fixtures)), timeout)
      }) as SimulatorTest['each'],
  })
}

export const test: SimulatorTest = testWith()

jestGlobals().expect.extend({ toHaveChanged })
