/** The worked example of CONTRIBUTING.md: applies its steps in a copy and tests the result. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../support/root.ts'
import { checkout, VARIABLES } from './checkout.ts'

/** The parts of the project that a test run needs. */
const COPIED = [
  'src',
  'packages',
  'test',
  'fixtures',
  'tasks',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]

const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')

const steps = [...guide.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, diff = '']) => diff)

const changedBy = (diff: string): string[] =>
  [...diff.matchAll(/^\+\+\+ b\/(\S+)$/gm)].map(([, file = '']) => file)

function runIn(folder: string, command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env: VARIABLES,
    encoding: 'utf8',
  })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
}

test('adds an operation to an existing resource by changing only that resource and its test', () => {
  expect(steps.flatMap(changedBy)).toEqual([
    'src/state/catalog/products.ts',
    'src/interfaces/catalog/products.ts',
    'test/interfaces/catalog/states.test.ts',
  ])
})

test('adds an operation that works and passes its test', () => {
  const folder = checkout(COPIED)
  for (const [index, diff] of steps.entries()) {
    writeFileSync(join(folder, `${String(index)}.diff`), diff)
    runIn(folder, 'git', 'apply', `${String(index)}.diff`)
  }
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const file = 'test/interfaces/catalog/states.test.ts'
  runIn(folder, process.execPath, vitest, 'run', '--project=simulator', file, '-t', 'archived by a call')
})
