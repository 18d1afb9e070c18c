/**
 * Prints the slowest tests, the failed ones with their messages, and how many passed and failed, from the files that
 * vitest's JSON reporter wrote. The last line is "N passed, N failed".
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const SLOWEST = 20
const MESSAGE_LENGTH = 2000

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

for (const { name, status, message, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
  const failures = assertionResults.filter((test) => test.status === 'failed')
  for (const { fullName, failureMessages } of failures) {
    console.log(`FAILED ${relative('', name)}: ${fullName}`)
    console.log(failureMessages.join('\n').slice(0, MESSAGE_LENGTH))
  }
  // A file that can't be loaded, or whose hooks fail, has a message of its own.
  if (status === 'failed' && failures.length === 0) {
    console.log(`FAILED ${relative('', name)}`)
    console.log(message.slice(0, MESSAGE_LENGTH))
  }
}

const sum = (count) => reports.reduce((total, report) => total + count(report), 0)
const incomplete = reports.filter(({ success, numFailedTests }) => !success && numFailedTests === 0)
if (incomplete.length > 0) {
  console.log(
    'FAILED outside of a test: a check before the tests, or an error that no test caught. Search the log above.',
  )
}
const passed = sum(({ numPassedTests }) => numPassedTests)
const failed = sum(({ success, numFailedTests }) => (success ? 0 : Math.max(1, numFailedTests)))
console.log(`${passed} passed, ${failed} failed`)
