/**
 * What runs where. Two runs share all tests between them:
 *
 * - `npm test` runs every rule once: contract and invariants against the built program, the rest against the sources.
 * - `npm run test:full` (the mode `full`) runs the rest: the suites of the interfaces and the control plane against the
 *   built program, hostile runs, and all cases of the files that choose their cases by the extent.
 *
 * One file: `npx vitest run --project sources test/interfaces/catalog/products.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const SHARED = {
  environment: 'node',
  pool: 'forks',
  // Timeouts only end tests that hang: a busy machine may take ten times as long as a quiet one.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
  retry: 0,
  // Files of one process share its modules, because loading them takes longer than most of the tests.
  isolate: false,
  setupFiles: 'test/support/setup.ts',
} as const

const TESTS = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith('.test.ts'))

/** Files whose full run has more cases: they import the extent, or a browser, which looks for barriers in the full run only. */
const CHOOSING = TESTS.filter((file) => /support\/(extent|browser)\.ts'/.test(readFileSync(file, 'utf8')))

const BUILT = 'test/{contract,laws}/**/*.test.ts'

/** In the full run only: attacks, the clients of other languages, shards behind a proxy, the tools of others that read what is published, the packed package, the scaffolds, the mutation score. */
const LONG = [
  'test/soak/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/{clients,shards,testing}/**/*.test.ts',
  'test/contract/generators.test.ts',
  'test/http/openapi/lint.test.ts',
  'test/project/new.test.ts',
  'test/project/packed.test.ts',
  'test/verify/score.test.ts',
]

/** In the quick run against the built program as well: what is asked of every call of the control plane. */
const SMOKE = ['test/control/{server,workspaces/workspaces,workspaces/clock,records/triggers}.test.ts']

const FULL = {
  sources: { include: [...CHOOSING, BUILT, ...LONG] },
  dist: {
    include: ['test/{interfaces,control,hostile}/**/*.test.ts'],
    exclude: [
      ...SMOKE,
      // These need no second run: they start the built program themselves, or drive a browser.
      'test/hostile/{automations,database,generators,many-at-once,replication,run,uploads,webhook-targets}.test.ts',
      'test/**/*.browser.test.ts',
      // These fake the timers of the process, which the built program does not use (src/library/heldGlobals.ts).
      'test/control/{server/audit,workspaces/ttl}.test.ts',
    ],
  },
}

const QUICK = {
  sources: { include: ['test/**/*.test.ts'], exclude: [BUILT, ...LONG] },
  dist: { include: [BUILT, ...SMOKE], exclude: LONG },
}

interface Files {
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

type Projects = Readonly<Record<'sources' | 'dist', Files>>

/** Converts the globs above: `*`, `**` and alternatives in braces. */
const matches = (file: string, glob: string): boolean =>
  new RegExp(
    `^${glob
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll(/(?<!\.|\))\*/g, '[^/]*')
      .replaceAll(/\{([^}]*)\}/g, (_all, names: string) => `(?:${names.replaceAll(',', '|')})`)}$`,
  ).test(file)

const has = ({ include, exclude = [] }: Files, file: string): boolean =>
  include.some((glob) => matches(file, glob)) && !exclude.some((glob) => matches(file, glob))

/** Refuses test files on the command line that the run leaves out: vitest would skip them without a word. */
export function mustRunNamedFiles(projects: Projects, args: readonly string[]): void {
  const names = args.flatMap((arg, index) =>
    arg === '--project' ? [args[index + 1] ?? ''] : arg.startsWith('--project=') ? [arg.slice(10)] : [],
  )
  const chosen = (all: Projects) =>
    Object.entries(all).filter(([name]) => names.length === 0 || names.includes(name))
  for (const file of args.map((arg) => arg.replace(/^\.\//, '')).filter((arg) => TESTS.includes(arg))) {
    if (chosen(projects).some(([, files]) => has(files, file))) continue
    const others = [
      ...Object.entries(QUICK).map(([name, files]) => ({ name, files, mode: '' })),
      ...Object.entries(FULL).map(([name, files]) => ({ name, files, mode: '--mode full ' })),
    ].filter(({ files }) => has(files, file))
    const commands = others.map(({ name, mode }) => `npx vitest run ${mode}--project ${name} ${file}`)
    throw new Error(`this run leaves out ${file}; it runs with: ${commands.join(', or ')}`)
  }
}

export default defineConfig(({ mode }) => {
  const projects = mode === 'full' ? FULL : QUICK
  mustRunNamedFiles(projects, process.argv.slice(2))
  const env = { TEST_EXTENT: mode === 'full' ? 'full' : 'quick' }
  return {
    test: {
      // By default vitest leaves one core free, which is half of two.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      allowOnly: false,
      passWithNoTests: false,
      // The second run of a file takes the transformed sources of the first.
      experimental: { fsModuleCache: true },
      projects: [
        { test: { ...SHARED, name: 'sources', ...projects.sources, env } },
        {
          test: {
            ...SHARED,
            name: 'dist',
            ...projects.dist,
            env: { ...env, TESTED: 'dist' },
            // Loaded as it is: it is what the launcher of the program loads.
            server: { deps: { external: [/\/dist\//] } },
          },
        },
      ],
    },
  }
})
