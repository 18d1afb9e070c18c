/** `npm run test:changed`: the tests that import a file with uncommitted changes. Arguments go to Vitest. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { build } from 'esbuild'
import { isEnding, root, run } from './children.mjs'

function linesOf(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}

const changed = new Set([
  ...linesOf('diff', '--name-only', '--relative', 'HEAD'),
  ...linesOf('ls-files', '--others', '--exclude-standard'),
])
const tests = readdirSync(`${root}test`, { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
const { metafile } = await build({
  entryPoints: tests,
  absWorkingDir: root,
  outdir: 'unused',
  bundle: true,
  write: false,
  metafile: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
})
const affected = Object.values(metafile.outputs)
  .filter(({ inputs }) => Object.keys(inputs).some((file) => changed.has(file)))
  .map(({ entryPoint }) => entryPoint)
console.log(`${affected.length} of ${tests.length} test files import a changed file.`)
if (affected.length > 0) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...affected, ...process.argv.slice(2)]
  const { isOk } = await run(process.execPath, vitest, { shows: true })
  if (!isEnding()) process.exitCode = isOk ? 0 : 1
}
