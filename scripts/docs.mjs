/** Writes what is generated in the documentation anew. The tests that compare it know how it is made. */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=sources',
    'test/http/fidelity.test.ts',
    'test/project/docs.test.ts',
    'test/project/library-types.test.ts',
    '--update',
  ],
  { stdio: 'inherit', env: { ...process.env, DOCS: 'write' } },
)
process.exit(status ?? 1)
