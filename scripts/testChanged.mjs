/** `npm run test:changed`: the tests that import a file with uncommitted changes. Arguments go to Vitest. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { build } from 'esbuild'
import { isEnding, root, run } from './children.mjs'
import { ownPackages } from './ownPackages.mjs'

function linesOf(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}

const testFolders = ['test', ...readdirSync(`${root}packages`).map((name) => `packages/${name}/test`)]
const changed = new Set([
  ...linesOf('diff', '--name-only', '--relative', 'HEAD'),
  ...linesOf('ls-files', '--others', '--exclude-standard'),
])
const tests = testFolders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`),
)
// One bundle of all tests: one for each would be gigabytes.
const { metafile } = await build({
  stdin: { contents: tests.map((file) => `import './${file}'`).join('\n'), resolveDir: root },
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  packages: 'external',
  alias: ownPackages,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
})
const affected = tests.filter((file) => reachesChange(file))
console.log(`${affected.length} of ${tests.length} test files import a changed file.`)
if (affected.length > 0) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...affected, ...process.argv.slice(2)]
  const { isOk } = await run(process.execPath, vitest, { shows: true })
  if (!isEnding()) process.exitCode = isOk ? 0 : 1
}

/** Whether a file is changed or imports a changed one, also by way of others. */
function reachesChange(file, seen = new Set()) {
  if (changed.has(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return (metafile.inputs[file]?.imports ?? []).some(
    ({ path, external }) => !external && reachesChange(path, seen),
  )
}
