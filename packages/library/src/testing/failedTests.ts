/** The names of failed tests, for `suite-sim mutate`, which names a file for them in SUITE_SIM_FAILED_TESTS. */
import { appendFileSync } from 'node:fs'
import { variable } from '@suite-sim/client/environment'

/** Adds a line, as JSON. The reporters and the fixtures of a runner use the same name, with the file first. */
export function noteFailedTest(name: string): void {
  const file = variable('SUITE_SIM_FAILED_TESTS')
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(name)}\n`)
}
