/** Writes what is generated in docs/ anew. The test that compares it knows how it is made. */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/http/fidelity.test.ts', '--update'],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
