/**
 * `npm test`: the checks beside the tests. Tests need no build, except for the smoke tests, which wait for it
 * (scripts/build.mjs has a lock). Arguments go to Vitest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from './bundles.mjs'

/** In the order of their start: the build first, because tests wait for it. */
const CHECKS = ['build', 'format:check', 'typecheck', 'lint']

const QUICK = ['simulator', 'repository', 'smoke'].flatMap((project) => ['--project', project])

/** Runs a program, and returns whether it succeeded. Without `shows`, its output appears only if it failed. */
async function run(title, command, args, shows) {
  const started = Date.now()
  const child = spawn(command, args, { cwd: root, stdio: shows ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(bytes))
  const [code] = await once(child, 'close')
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (!shows) console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`)
  if (!shows && code !== 0) console.log(`${Buffer.concat(output)}To run it again: npm run ${title}`)
  return code === 0
}

async function checks() {
  const results = []
  for (const name of CHECKS) results.push(await run(name, 'npm', ['run', '--silent', name], false))
  return results
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...QUICK, ...process.argv.slice(2)]
const [passed, tests] = await Promise.all([checks(), run('tests', process.execPath, vitest, true)])
const failed = CHECKS.filter((_name, index) => !passed[index])
if (failed.length > 0) console.log(`These checks failed (above): ${failed.join(', ')}`)
process.exitCode = failed.length === 0 && tests ? 0 : 1
