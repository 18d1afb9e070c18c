/** How the tests run: each file in a process of its own, for SQLite's native module and V8's flags stay apart. */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Left to itself, vitest keeps one core free, which of two is half.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A server that starts in a child process on two busy cores takes seconds, not milliseconds.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
    allowOnly: false,
    passWithNoTests: false,
  },
})
