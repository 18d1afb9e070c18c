/** How the tests run: each file in a process of its own, for SQLite's native module and V8's flags stay apart. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // A server that starts in a child process on two busy cores takes seconds, not milliseconds.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
    allowOnly: false,
    passWithNoTests: false,
  },
})
