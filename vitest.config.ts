/**
 * How the tests run. What users run is the
 * built program, so what speaks to an interface or steers the server runs twice, from the sources and from dist/:
 * `npx vitest run --project sources`, `npx vitest run --project dist`.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SHARED = {
  environment: 'node',
  pool: 'forks',
  // A server that starts in a child process on two busy cores takes seconds, not milliseconds.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  retry: 0,
  // Files of one process share its modules, for to load them takes longer than most of the tests.
  isolate: false,
  setupFiles: 'test/support/setup.ts',
} as const

export default defineConfig({
  test: {
    // Left to itself, vitest keeps one core free, which of two is half.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { test: { ...SHARED, name: 'sources', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...SHARED,
          name: 'dist',
          include: ['test/{interfaces,contract,control,hostile}/**/*.test.ts'],
          exclude: [
            // These start the built program themselves.
            'test/hostile/{automations,database,generators,many-at-once,run,uploads,webhook-targets}.test.ts',
          ],
          env: { TESTED: 'dist' },
          // Loaded as it is: it is what the launcher of the program loads.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
    ],
  },
})
