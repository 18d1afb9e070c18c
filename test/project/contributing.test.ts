/** The worked example of CONTRIBUTING.md works: its steps are taken in a copy, and what they add is tried there. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, scratchFolder } from '../support/process.ts'

/** What a test run needs of the project. */
const COPIED = ['src', 'test', 'fixtures', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts']

const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

const steps = [...guide.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, diff = '']) => diff)

const changedBy = (diff: string): string[] =>
  [...diff.matchAll(/^\+\+\+ b\/(\S+)$/gm)].map(([, file = '']) => file)

function runIn(folder: string, command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
}

test('an operation of a resource that is there changes that resource and its test alone', () => {
  expect(steps.flatMap(changedBy)).toEqual([
    'src/state/catalog/products.ts',
    'src/interfaces/catalog/products.ts',
    'test/interfaces/catalog/states.test.ts',
  ])
})

test('the steps lead to an operation that works and passes its test', () => {
  const folder = scratchFolder()
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [index, diff] of steps.entries()) {
    writeFileSync(join(folder, `${String(index)}.diff`), diff)
    runIn(folder, 'git', 'apply', `${String(index)}.diff`)
  }
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const file = 'test/interfaces/catalog/states.test.ts'
  runIn(folder, process.execPath, vitest, 'run', '--project=sources', file, '-t', 'archived by a call')
})
