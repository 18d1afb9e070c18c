/**
 * Tells `suite-sim mutate` the names of failed tests, also of those without the fixtures:
 *
 * ```sh
 * npx suite-sim mutate -- npx vitest run --reporter=default --reporter=suite-simulator/vitest/reporter
 * ```
 *
 * Without `mutate`, it does nothing.
 */
import { noteFailedTest } from './failedTests.ts'

/** The part of Vitest's TestCase and TestSuite that the reporter uses. */
interface Named {
  readonly type: string
  readonly name: string
  readonly parent: Named
}

/** The part of Vitest's TestModule that the reporter uses. */
export interface TestedModule {
  readonly relativeModuleId: string
  readonly children: { allTests(state: 'failed'): Iterable<Named> }
  errors(): readonly unknown[]
}

/** The name within its file, with those of its suites. */
const nameOf = ({ name, parent }: Named): string =>
  parent.type === 'suite' ? `${nameOf(parent)} ${name}` : name

/** A reporter of Vitest 3 or later. */
export default class FailedTests {
  onTestRunEnd(modules: readonly TestedModule[]): void {
    for (const module of modules) {
      const file = module.relativeModuleId
      for (const each of module.children.allTests('failed')) noteFailedTest(`${file} ${nameOf(each)}`)
      // A file that can't be loaded has no tests.
      if (module.errors().length > 0) noteFailedTest(file)
    }
  }
}
