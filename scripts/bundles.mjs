/** The bundles of dist/, shared by the build (build.mjs) and the development server (dev.mjs). */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { ownPackages } from './ownPackages.mjs'
import { revisionOf } from './revision.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const dist = join(root, 'dist')

/** The folders whose sources are bundled. */
export const sourceFolders = [
  'src',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`),
]

/** The bundles. Code for worker threads is small and loaded only there. */
const BUNDLES = {
  'suite-sim': `
    export const main = async (args) => (await import('./packages/cli/src/main.ts')).main(args)
    // For simulators in a test suite's process, and for tests of the build.
    export const app = () => import('./src/index.ts')
    export const appNow = () => require('./src/index.ts')
    // For the build.
    export const images = () => import('./scripts/generated/writeImage.ts')
    // Commands that are also calls of the library, each loaded when it is called.
    export const tools = {
      examFor: (...all) => require('./packages/cli/src/exam/exam.ts').examFor(...all),
      examCallerFor: (...all) => require('./packages/cli/src/exam/caller/caller.ts').examCallerFor(...all),
      gradeFor: (...all) => require('./packages/cli/src/remote/grade/grading.ts').gradeFor(...all),
      keepPart: (...all) => require('./packages/cli/src/report/runFolder.ts').keepPart(...all),
      removeParts: (...all) => require('./packages/cli/src/report/runFolder.ts').removeParts(...all),
      reportFor: (...all) => require('./packages/cli/src/report/reporting.ts').reportFor(...all),
      writeRun: (...all) => require('./packages/cli/src/report/runFolder.ts').writeRun(...all),
      prepareFor: (...all) => require('./packages/cli/src/remote/grade/grading.ts').prepareFor(...all),
    }
    export const documents = () => import('./src/http/openapi/openapi.ts')
  `,
  // The tasks of src/http/files/heavyWork by name.
  'heavy-thread': `
    export { readRowsOf } from './src/http/files/sheets/reading.ts'
    export { writeTable } from './src/http/files/tables/tableWriting.ts'
    export { readVideo } from './src/http/uploads/videoReading.ts'
    export { copyDatabase } from './src/state/files/databaseCopy.ts'
    export { printInvoice } from './src/interfaces/tax-invoicing/printing.ts'
  `,
  // Code for single commands, loaded when they run.
  mcp: "export { serveTools } from './packages/cli/src/mcp/mcpServer.ts'",
  yaml: "export { readYaml } from './packages/kit/src/text/readYaml.ts'",
  prompts: "export { askForField } from './packages/cli/src/terminal/prompts.ts'",
  mutation: "export { following } from './packages/mutate/src/extension.ts'",
  verify: "export { cleanUp, verify, withoutSecrets } from './packages/cli/src/verify/comparison.ts'",
  // The script of worker threads, which calls the tasks.
  'heavy-worker': "import './node_modules/piscina/dist/worker.js'",
}

/**
 * Large and rarely used modules are loaded from a separate bundle, such as that of the thread that usually
 * runs them.
 */
const SEPARATE = {
  videoReading: 'heavy-thread',
  printing: 'heavy-thread',
  tableWriting: 'heavy-thread',
  mcpServer: 'mcp',
  prompts: 'prompts',
  comparison: 'verify',
  readYaml: 'yaml',
}

const separateBundles = {
  name: 'separate-bundles',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/(?:${Object.keys(SEPARATE).join('|')})(?:\\.ts)?$`) }, ({ path }) => ({
      path: `./${SEPARATE[basename(path, '.ts')]}.cjs`,
      external: true,
    })),
}

/** The first lines of each program. A test that fakes timers must not stop a simulator in its process (packages/client/src/heldGlobals.ts). */
const BANNER = `const bundleUrl = require('node:url').pathToFileURL(__filename).href;
const { fetch, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } =
  globalThis[Symbol.for('suite-simulator.globals')] ?? globalThis;`

/** Files that esbuild looks for itself. Without them, it makes another program, without a word. */
const SETTINGS = ['package.json', 'tsconfig.json', 'packages/dashboard/src/tsconfig.json']

/** Bundles with esbuild. Throws on a warning, which esbuild has printed. */
export async function bundle(options) {
  const missing = SETTINGS.find((name) => !existsSync(join(root, name)))
  if (missing !== undefined) throw new Error(`the build needs ${missing}`)
  const result = await build(options)
  const [warning] = result.warnings
  if (warning) throw new Error(`the build has a warning: ${warning.text}`)
  return result
}

/** Returns the esbuild options of each program. */
export function programs() {
  const { revision, date } = revisionOf()
  // packages/kit/src/version.ts has them.
  const constants = { BUILD_REVISION: JSON.stringify(revision), BUILD_DATE: JSON.stringify(date) }
  return Object.entries(BUNDLES).map(([name, contents]) => bundleOptions(name, contents, constants))
}

function bundleOptions(name, contents, constants) {
  return {
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outfile: join(dist, `${name}.cjs`),
    bundle: true,
    write: false,
    platform: 'node',
    // CommonJS, because Node can't cache the machine code of ES modules before version 22.
    format: 'cjs',
    target: 'node20.19',
    // The second sets thread priorities, which is not used.
    external: ['better-sqlite3', '@napi-rs/nice'],
    alias: ownPackages,
    plugins: name === 'suite-sim' ? [separateBundles] : [],
    // The loader refuses native imports, and misreads non-ASCII text in template literals.
    supported: { 'dynamic-import': false, 'template-literal': false },
    define: { 'import.meta.url': 'bundleUrl', ...constants },
    banner: { js: BANNER },
    minifySyntax: true,
    // Whitespace would only use memory. Names and lines stay, so that stack traces are readable.
    minifyWhitespace: true,
    lineLimit: 110,
    charset: 'ascii',
    legalComments: 'linked',
    logLevel: 'warning',
  }
}

/** Returns the esbuild options of the dashboard. */
export const dashboard = () => ({
  entryPoints: { app: join(root, 'packages/dashboard/src/main.tsx') },
  absWorkingDir: root,
  outdir: join(dist, 'dashboard'),
  bundle: true,
  write: false,
  alias: ownPackages,
  format: 'esm',
  // Browsers of recent years.
  target: ['chrome120', 'firefox121', 'safari17'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})

/** Writes the programs to dist/. */
export function putPrograms(outputFiles) {
  for (const { path, text } of outputFiles) {
    const name = basename(path)
    // Wrapped here, because wrapping at load time would keep two copies of the text in memory.
    put(
      name,
      name === 'suite-sim.cjs'
        ? `(function (exports, require, module, __filename, __dirname) {${text}\n})`
        : text,
    )
  }
  // V8 refuses machine code of another bundle, and another bundle can have other tables.
  for (const name of ['suite-sim.cache', 'demo.sqlite']) rmSync(join(dist, name), { force: true })
}

export function putDashboard(outputFiles) {
  for (const { path, contents } of outputFiles) put(join('dashboard', basename(path)), contents)
  put('dashboard/icon.svg', readFileSync(join(root, 'packages/dashboard/src/icon.svg')))
}

/** Copies files to dist/. */
export function putCopies() {
  putMigrations()
  // The files of the API reference, which only browsers load.
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    put(join('reference', name), readFileSync(join(root, 'node_modules/swagger-ui-dist', name)))
  }
  for (const name of [
    'load.cjs',
    'load.js',
    'native.cjs',
    'app.cjs',
    'app.js',
    'tools.cjs',
    'tools.js',
    'verify.js',
    'worker.js',
  ]) {
    put(name, readFileSync(join(root, 'scripts/launcher', name)))
  }
  // The lists of documented facts, which `suite-sim verify` compares with a service.
  const lists = 'http/openapi/fidelity/documented'
  for (const name of readdirSync(join(root, 'src', lists))) {
    put(join(lists, name), readFileSync(join(root, 'src', lists, name)))
  }
  for (const name of readdirSync(join(root, 'docs')).filter((each) => each.endsWith('.md'))) {
    put(join('docs', name), readFileSync(join(root, 'docs', name)))
  }
}

/** Writes the binary to dist/. Its age is the age of the build, so it must be last. */
export function putBinary() {
  put('main.js', readFileSync(join(root, 'scripts/launcher/main.js')), 0o755)
}

/** Copies migrations without `meta/*_snapshot.json`, which only drizzle-kit needs. */
function putMigrations() {
  const [from, to] = ['src/state/storage/migrations', 'dist/state/storage/migrations'].map((folder) =>
    join(root, folder),
  )
  for (const name of readdirSync(from, { recursive: true })) {
    if (name.endsWith('_snapshot.json')) rmSync(join(to, name), { force: true })
    else if (statSync(join(from, name)).isFile())
      put(join('state/storage/migrations', name), readFileSync(join(from, name)))
  }
}

export function put(name, contents, mode = 0o644) {
  const file = join(dist, name)
  const unfinished = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(unfinished, contents)
  chmodSync(unfinished, mode)
  renameSync(unfinished, file)
}
