/** Says how many tests passed and failed, from the file that vitest's JSON reporter wrote. */
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2], 'utf8')
// Nothing is written when a check before the tests fails, and a test file that can't be loaded counts no test:
// both are failures.
const { numPassedTests, numFailedTests, success } = text
  ? JSON.parse(text)
  : { numPassedTests: 0, numFailedTests: 0, success: false }
console.log(`${numPassedTests} passed, ${success ? 0 : Math.max(1, numFailedTests)} failed`)
