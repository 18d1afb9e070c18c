/**
 * Tells `suite-sim mutate` the names of failed tests, also of those without the fixtures:
 *
 * ```sh
 * npx suite-sim mutate -- npx jest --reporters=default --reporters=suite-simulator/jest/reporter
 * ```
 *
 * Without `mutate`, it does nothing.
 */
import { relative } from 'node:path'
import { noteFailedTest } from './failedTests.ts'

/** The part of Jest's TestResult that the reporter uses. */
export interface TestedFile {
  readonly testFilePath: string
  readonly testExecError?: unknown
  readonly testResults: readonly { readonly fullName: string; readonly status: string }[]
}

/** A reporter of Jest. */
export default class FailedTests {
  onTestResult(_test: unknown, { testFilePath, testExecError, testResults }: TestedFile): void {
    const file = relative(process.cwd(), testFilePath)
    for (const { fullName, status } of testResults) {
      if (status === 'failed') noteFailedTest(`${file} ${fullName}`)
    }
    // A file that can't be loaded has no tests.
    if (testExecError) noteFailedTest(file)
  }
}
