/**
 * `npm test`: the checks beside the tests. Tests need no build, except for the smoke tests, which wait for it
 * (scripts/build.mjs has a lock). Arguments go to Vitest.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isEnding, run } from './children.mjs'

/** Scripts of package.json with their arguments. The build is first, because tests wait for it. */
const CHECKS = [['build', '--', '--if-stale'], ['format:check'], ['typecheck'], ['lint']]

const QUICK = ['simulator', 'kit', 'repository', 'smoke'].flatMap((project) => ['--project', project])

const report = process.env.TEST_REPORT

// On a terminal, results of checks would tear the lines that Vitest draws.
let isDrawing = process.stdout.isTTY === true
const held = []
const say = (text) => void (isDrawing ? held.push(text) : console.log(text))

const [failed, areTestsOk] = await Promise.all([checks(), tests()])
if (!isEnding()) {
  // A report says only whether the tests are well.
  const text = failed.length > 0 && report && existsSync(report) ? readFileSync(report, 'utf8') : ''
  if (text) writeFileSync(report, JSON.stringify({ ...JSON.parse(text), success: false }))
  if (failed.length > 0)
    console.log(`\nTo run the checks that failed again (their output is above):\n${failed.join('\n')}`)
  process.exitCode = failed.length === 0 && areTestsOk ? 0 : 1
}

/** Returns the commands of the checks that failed. */
async function checks() {
  const commands = []
  for (const [name, ...args] of CHECKS) {
    const started = Date.now()
    const { isOk, output } = await run('npm', ['run', '--silent', name, ...args])
    if (isEnding()) break
    const result = `${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`
    say(isOk ? `ok     ${result}` : `FAILED ${result}\n${output.trimEnd()}`)
    if (!isOk) commands.push(`  npm run ${name}`)
  }
  return commands
}

async function tests() {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...QUICK, ...process.argv.slice(2)]
  const { isOk } = await run(process.execPath, args, { shows: true })
  isDrawing = false
  for (const text of held) console.log(text)
  return isOk
}
