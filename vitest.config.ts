/**
 * What runs where. `npm test` runs the simulator's tests, the rules of the repository, and one smoke test for each
 * tool. `npm run test:full` (the mode `full`) runs the tools, and the simulator again: all cases of the files that
 * choose them by the extent (test/support/extent.ts), and contract and invariants against the built program.
 *
 * One file: `npx vitest run test/interfaces/catalog/products.test.ts`. One tool: `npx vitest run --project command`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { JsonReporter } from 'vitest/node'
import { Next } from './test/runner/next.ts'
import { BUNDLED, fromBundle } from './test/runner/sources.ts'

interface Files {
  readonly include: string[]
  readonly exclude?: string[]
}

const PAGES = '{test,packages/*/test}/**/*.browser.test.ts'
/** Those that need the programs that `conformance` installs. */
const CONFORMING = ['library', 'package', 'conformance']
const LAWS = 'test/{contract,laws}/**/*.test.ts'

const QUICK: Readonly<Record<string, Files>> = {
  simulator: {
    include: [
      'test/{app,contract,control,fixtures,http,interfaces,laws,observed,state,webhooks}/**/*.test.ts',
    ],
    exclude: [PAGES],
  },
  kit: { include: ['packages/kit/test/**/*.test.ts'] },
  repository: { include: ['test/project/*.test.ts'] },
  smoke: { include: ['test/smoke/*.test.ts'] },
}

const TOOLS: Readonly<Record<string, Files>> = {
  serve: { include: ['test/serve/**/*.test.ts'] },
  cli: { include: ['packages/cli/test/**/*.test.ts'] },
  dashboard: { include: ['packages/dashboard/test/**/*.test.ts'] },
  /** Pages that the interfaces serve, and the guide. */
  pages: { include: [PAGES], exclude: ['packages/dashboard/test/**'] },
  client: { include: ['packages/client/test/**/*.test.ts'] },
  library: { include: ['packages/library/test/**/*.test.ts'] },
  verify: { include: ['packages/verify/test/**/*.test.ts'] },
  mutate: { include: ['packages/mutate/test/**/*.test.ts'] },
  clients: { include: ['test/clients/*.test.ts'], exclude: [PAGES] },
  /** Programs of others that check what is published. */
  conformance: { include: ['conformance/*.test.ts'] },
  /** What is published, and the programs that make it. */
  package: { include: ['test/project/*/**/*.test.ts'] },
  attacks: { include: ['test/{hostile,shards,soak}/**/*.test.ts'] },
}

/** Files whose full run has more cases. */
const choosing = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('.browser.'))
    .map((file) => `test/${file}`)
    .filter((file) => readFileSync(file, 'utf8').includes("support/extent.ts'"))

const REPEATED = 'test/control/{server,workspaces/workspaces,workspaces/clock,records/triggers}.test.ts'

const again = (): Readonly<Record<string, Files>> => ({
  simulator: { include: choosing(), exclude: Object.values(TOOLS).flatMap(({ include }) => include) },
  dist: { include: [LAWS, REPEATED] },
})

export default defineConfig(({ mode }) => {
  const isFull = mode === 'full'
  const report = process.env['TEST_REPORT']
  const hasAllCases = (name: string): boolean =>
    Object.hasOwn(TOOLS, name) || (isFull && name === 'simulator')
  return {
    plugins: [fromBundle],
    test: {
      // By default vitest leaves one core free, which is half of two.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      allowOnly: false,
      passWithNoTests: false,
      // The second run of a file takes what the first has transformed.
      experimental: { fsModuleCache: true },
      // In watch mode, a change of a source runs the chosen files again.
      forceRerunTriggers: ['**/src/**'],
      reporters: ['default', new Next(mode), ...(report ? [new JsonReporter({ outputFile: report })] : [])],
      projects: Object.entries({ ...(isFull ? again() : QUICK), ...TOOLS }).map(([name, files]) => ({
        extends: true,
        test: {
          ...files,
          name,
          environment: 'node',
          pool: 'forks',
          // Files of one process share its modules, because loading them takes longer than most of the tests.
          isolate: false,
          globalSetup: [
            'test/runner/bundleFirst.ts',
            ...(CONFORMING.includes(name) ? ['test/runner/installConformance.ts'] : []),
          ],
          setupFiles: 'test/support/setup.ts',
          // Timeouts only end tests that hang: a busy machine may take ten times as long as a quiet one.
          testTimeout: 900_000,
          hookTimeout: 900_000,
          expect: { poll: { timeout: 120_000 } },
          env: {
            TEST_EXTENT: hasAllCases(name) ? 'full' : 'quick',
            ...(name === 'dist' && { TESTED: 'dist' }),
          },
          // Loaded as they are: the bundle of the sources, and what the launcher of the program loads.
          server: { deps: { external: [BUNDLED, /\/dist\//] } },
        },
      })),
    },
  }
})
