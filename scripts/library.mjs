/**
 * Builds the library for test suites: the small client and receiver, `startSimulator`, which loads the bundle
 * when it is called, the entry for Vitest, and their types.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'

/**
 * Imports between files of the library. They are not bundled, because both entries must share the same
 * module.
 */
const EXTERNAL = {
  esm: { './app.ts': './app.js', './index.ts': './index.js' },
  cjs: { './app.ts': './app.cjs' },
}

const externalFiles = (format) => ({
  name: 'externalFiles',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(?:app|index)\.ts$/ }, ({ path, importer }) =>
      /\/src\/(?:index|vitest|vitestSetup)\.ts$/.test(importer)
        ? { path: EXTERNAL[format][path], external: true }
        : undefined,
    ),
})

/** Returns the texts of all files, by their names in dist/. */
export async function libraryFiles(root) {
  const bundles = await Promise.all([
    bundle(root, 'src/index.ts', 'index.js', 'esm'),
    bundle(root, 'src/index.ts', 'index.cjs', 'cjs'),
    bundle(root, 'src/vitest.ts', 'vitest.js', 'esm'),
    bundle(root, 'src/vitestSetup.ts', 'vitestSetup.js', 'esm'),
  ])
  return { ...Object.fromEntries(bundles), ...declarations(root), 'index.d.cts': declarationsOfCommonJs() }
}

async function bundle(root, entry, name, format) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outfile: join(root, 'dist', name),
    bundle: true,
    write: false,
    platform: 'node',
    format,
    target: 'node20.19',
    external: ['vitest'],
    plugins: [externalFiles(format)],
    minifySyntax: true,
    logLevel: 'warning',
    ...(format === 'cjs' && {
      // Test runners that run modules in a VM, such as Jest, refuse `import()` there.
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': 'libraryUrl' },
      banner: { js: "const libraryUrl = require('node:url').pathToFileURL(__filename).href;" },
    }),
  })
  return [name, outputFiles[0].text]
}

/** Returns the declarations of all files. Isolated declarations need no other files. */
function declarations(root) {
  const files = [
    'index.ts',
    'vitest.ts',
    'vitestSetup.ts',
    ...readdirSync(join(root, 'src/library'), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `library/${name}`),
  ]
  return Object.fromEntries(
    files.map((name) => [name.replace(/\.ts$/, '.d.ts'), declaration(join(root, 'src', name))]),
  )
}

function declaration(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true, target: ts.ScriptTarget.ES2023 },
  })
  if (diagnostics?.length) throw new Error(ts.formatDiagnostics(diagnostics, DIAGNOSTICS))
  return outputText.replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'").replaceAll(DUPLICATE_METHODS, '')
}

/** The compiler emits a method named by a symbol twice: as a property, and as a method. */
const DUPLICATE_METHODS = /^ +\[Symbol\.\w+\]: \(\) => .+;\n/gm

const DIAGNOSTICS = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

/** The values that `require` returns, with the types of `import`. */
const VALUES = [
  'connect',
  'NewWorkspace',
  'receiveWebhooks',
  'Simulator',
  'SimulatorClient',
  'SimulatorError',
  'startSimulator',
  'verifySignature',
  'Workspace',
]

/** Classes are also types; `export type *` includes them already. */
const declarationsOfCommonJs = () =>
  [
    "import type * as library from './index.js' with { 'resolution-mode': 'import' }",
    "export type * from './index.js' with { 'resolution-mode': 'import' }",
    ...VALUES.map((name) => `export declare const ${name}: typeof library.${name}`),
    ...VALUES.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = library.${name}`),
    '',
  ].join('\n')
