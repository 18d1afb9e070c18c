/** What dist/ is made of and how: shared by the whole build (build.mjs) and the development server (dev.mjs). */
import {
  chmodSync,
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

export const root = fileURLToPath(new URL('..', import.meta.url))
export const dist = join(root, 'dist')

/** The bundles. What runs in a thread of its own is small, and loaded by that thread alone. */
const BUNDLES = {
  'suite-sim': `
    export const main = async (args) => (await import('./src/main.ts')).main(args)
    // For what is started in a test suite's own process, and for the tests that run against what is built.
    export const app = () => import('./src/app.ts')
    export const appNow = () => require('./src/app.ts')
    export const documents = () => import('./src/http/openapi.ts')
  `,
  // Each task of src/http/heavyWork by its name.
  'heavy-thread': `
    export { readRowsOf } from './src/http/sheets/reading.ts'
    export { writeTable } from './src/http/tableWriting.ts'
    export { readVideo } from './src/interfaces/signage/videoReading.ts'
    export { printInvoice } from './src/interfaces/tax-invoicing/printing.ts'
  `,
  // What only some commands need: each is loaded when it is called.
  mcp: "export { serveTools } from './src/command/mcpServer.ts'",
  prompts: "export { askForField } from './src/command/prompts.ts'",
  // What the threads of heavy work run, which calls the tasks.
  'heavy-worker': "import './node_modules/piscina/dist/worker.js'",
}

/** What is large and seldom needed is loaded from a file of its own, such as the one of the thread that mostly runs it. */
const APART = {
  videoReading: 'heavy-thread',
  printing: 'heavy-thread',
  tableWriting: 'heavy-thread',
  mcpServer: 'mcp',
  prompts: 'prompts',
}

const fromApart = {
  name: 'from-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/(?:${Object.keys(APART).join('|')})\\.ts$`) }, ({ path }) => ({
      path: `./${APART[basename(path, '.ts')]}.cjs`,
      external: true,
    })),
}

/** The options of esbuild for each program. */
export const programs = () => Object.entries(BUNDLES).map(([name, contents]) => bundleOptions(name, contents))

function bundleOptions(name, contents) {
  return {
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    outfile: join(dist, `${name}.cjs`),
    bundle: true,
    write: false,
    platform: 'node',
    // CommonJS, because Node can't keep the machine code of ES modules before version 22.
    format: 'cjs',
    target: 'node20.19',
    // The second is for priorities of threads, which nobody sets.
    external: ['better-sqlite3', '@napi-rs/nice'],
    plugins: name === 'suite-sim' ? [fromApart] : [],
    // Both would reach the loader as they are: an import, which it refuses, and text beyond ASCII, which it misreads.
    supported: { 'dynamic-import': false, 'template-literal': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    minifySyntax: true,
    // What is not read need not be kept in memory. Names stay, and lines, so that a stack trace says something.
    minifyWhitespace: true,
    lineLimit: 110,
    charset: 'ascii',
    legalComments: 'linked',
    logLevel: 'warning',
  }
}

/** The options of esbuild for what browsers are shown the dashboard by. */
export const dashboard = () => ({
  entryPoints: { app: join(root, 'src/dashboard/main.tsx') },
  absWorkingDir: root,
  outdir: join(dist, 'dashboard'),
  bundle: true,
  write: false,
  format: 'esm',
  // Browsers of the last years.
  target: ['chrome120', 'firefox121', 'safari17'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
})

/** Puts the programs that esbuild made into dist/. */
export function putPrograms(outputFiles) {
  for (const { path, text } of outputFiles) {
    const name = basename(path)
    // Here and not when it is loaded: the text with and without its wrapping would both stay in memory.
    put(
      name,
      name === 'suite-sim.cjs'
        ? `(function (exports, require, module, __filename, __dirname) {${text}\n})`
        : text,
    )
  }
  // Machine code of another bundle would be refused at best.
  rmSync(join(dist, 'suite-sim.cache'), { force: true })
}

export function putDashboard(outputFiles) {
  for (const { path, contents } of outputFiles) put(join('dashboard', basename(path)), contents)
  put('dashboard/icon.svg', readFileSync(join(root, 'src/dashboard/icon.svg')))
}

/** Puts what is copied as it is into dist/. */
export function putCopies() {
  putMigrations()
  // The page of the documentation is shown by it; browsers load it, and nothing else does.
  put('scalar.js', readFileSync(join(root, 'node_modules/@scalar/api-reference/dist/browser/standalone.js')))
  for (const name of ['load.cjs', 'load.js', 'app.cjs', 'app.js', 'worker.js']) {
    put(name, readFileSync(join(root, 'scripts/launcher', name)))
  }
  for (const name of readdirSync(join(root, 'docs')).filter((each) => each.endsWith('.md'))) {
    put(join('docs', name), readFileSync(join(root, 'docs', name)))
  }
}

/** Puts the binary into dist/. Its age says how old the build is, so it comes last. */
export function putBinary() {
  put('main.js', readFileSync(join(root, 'scripts/launcher/main.js')), 0o755)
}

/** What the next migration is made from (`meta/*_snapshot.json`) is not what a server makes it with. */
function putMigrations() {
  const [from, to] = ['src/state/migrations', 'dist/state/migrations'].map((folder) => join(root, folder))
  for (const name of readdirSync(from, { recursive: true })) {
    if (name.endsWith('_snapshot.json')) rmSync(join(to, name), { force: true })
    else if (statSync(join(from, name)).isFile())
      put(join('state/migrations', name), readFileSync(join(from, name)))
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
