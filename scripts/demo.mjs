/** Makes the demo anew (test/support/company) and writes it to fixtures/demo. The test that compares it knows how. */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project=sources', 'test/project/demo.test.ts'],
  { stdio: 'inherit', env: { ...process.env, DEMO: 'write' } },
)
process.exit(status ?? 1)
