/** The sources of this folder have the types of the programs that only the full run installs. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ROOT } from '../test/support/root.ts'

test('compiles', () => {
  const compiler = 'node_modules/typescript-native/bin/tsc'
  const { stdout } = spawnSync(process.execPath, [compiler, '--project', 'conformance'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})
