/**
 * Prints the slowest tests and how many passed and failed, from the files that vitest's JSON reporter wrote. The last line
 * is "N passed, N failed".
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const SLOWEST = 20

// A run writes nothing if a check before the tests fails, and a test file that can't be loaded counts no test: both are
// failures.
const reports = process.argv.slice(2).map((file) => {
  const text = readFileSync(file, 'utf8')
  return text ? JSON.parse(text) : { numPassedTests: 0, numFailedTests: 0, success: false, testResults: [] }
})

const tests = reports.flatMap(({ testResults }) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative('', name),
      fullName,
      duration: duration ?? 0,
    })),
  ),
)
console.log(`The slowest ${SLOWEST} tests:`)
for (const { file, fullName, duration } of tests
  .toSorted((a, b) => b.duration - a.duration)
  .slice(0, SLOWEST)) {
  console.log(`${(duration / 1000).toFixed(1).padStart(6)} s  ${file}: ${fullName}`)
}

const sum = (count) => reports.reduce((total, report) => total + count(report), 0)
const passed = sum(({ numPassedTests }) => numPassedTests)
const failed = sum(({ success, numFailedTests }) => (success ? 0 : Math.max(1, numFailedTests)))
console.log(`${passed} passed, ${failed} failed`)
