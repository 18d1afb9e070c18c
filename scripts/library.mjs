/**
 * Builds the library for test suites: the small client and receiver, `startSimulator`, which loads the bundle
 * when it is called, the entry for Vitest, and their types.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { bundle } from './bundles.mjs'
import { ownPackages } from './ownPackages.mjs'

/**
 * Imports between files of the library. They are not bundled, because both entries must share the same
 * module.
 */
const EXTERNAL = {
  '../../../src/index.ts': './app',
  '@suite-sim/verify/index': './verify',
  '@suite-sim/cli/exam/exam': './tools',
  '@suite-sim/cli/exam/caller/caller': './tools',
  '@suite-sim/cli/remote/grade/grading': './tools',
  '@suite-sim/cli/report/reporting': './tools',
  // Of modules for test runners, which are in a folder.
  '@suite-sim/cli/report/runFolder': '../tools',
  '../index.ts': '../index',
}

const EXTENSIONS = { esm: 'js', cjs: 'cjs' }

const externalFiles = (format) => ({
  name: 'externalFiles',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(?:\.\.?|@suite-sim)\// }, ({ path, importer }) =>
      /\/library\/src\/(?:index|testing\/\w+)\.ts$/.test(importer) && Object.hasOwn(EXTERNAL, path)
        ? { path: `${EXTERNAL[path]}.${EXTENSIONS[format]}`, external: true }
        : undefined,
    ),
})

/** Returns the texts of all files, by their names in dist/. */
export async function libraryFiles(root) {
  const bundles = await Promise.all([
    bundleOf(root, 'packages/library/src/index.ts', 'index.js', 'esm'),
    bundleOf(root, 'packages/library/src/index.ts', 'index.cjs', 'cjs'),
    ...TESTING.flatMap(([name, ...formats]) =>
      formats.map((format) =>
        bundleOf(
          root,
          `packages/library/src/testing/${name}.ts`,
          `testing/${name}.${EXTENSIONS[format]}`,
          format,
        ),
      ),
    ),
  ])
  return { ...Object.fromEntries(bundles), ...declarations(root), ...declarationsOfCommonJs() }
}

/** The modules for test runners, and the formats that these load. */
const TESTING = [
  ['vitest', 'esm'],
  ['vitestSetup', 'esm'],
  ['vitestReporter', 'esm'],
  ['jest', 'esm', 'cjs'],
  ['jestSetup', 'esm', 'cjs'],
  ['jestTeardown', 'esm', 'cjs'],
  ['jestReporter', 'esm', 'cjs'],
  ['playwright', 'esm', 'cjs'],
]

async function bundleOf(root, entry, name, format) {
  const { outputFiles } = await bundle({
    entryPoints: [entry],
    absWorkingDir: root,
    outfile: join(root, 'dist', name),
    bundle: true,
    write: false,
    platform: 'node',
    format,
    target: 'node20.19',
    external: ['vitest', '@playwright/test'],
    alias: ownPackages,
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

/** Where the declarations of each package are in dist/. */
const PLACES = { library: '', client: 'library', cli: 'command', kit: 'kit', verify: 'verify' }

/** Returns the declarations of all files of the library, and of those whose types they name. Each needs no other file. */
function declarations(root) {
  const found = {}
  const add = (file) => {
    const name = placeOf(root, file).replace(/\.ts$/, '.d.ts')
    if (Object.hasOwn(found, name)) return
    found[name] = ''
    const text = declaration(file)
    found[name] = text.replaceAll(/(from |import\()'([^']+)'/g, (whole, before, imported) => {
      const target = sourceOf(root, file, imported)
      if (target === null) return whole
      add(target)
      const to = relative(dirname(name), placeOf(root, target)).replace(/\.ts$/, '.js')
      return `${before}'${to.startsWith('.') ? to : `./${to}`}'`
    })
  }
  const source = join(root, 'packages/library/src')
  for (const name of readdirSync(source, { recursive: true }))
    if (name.endsWith('.ts')) add(join(source, name))
  return found
}

/** Returns the path of a source of a package in dist/. */
function placeOf(root, file) {
  const [, name, path] = /^packages\/(\w+)\/src\/(.+)$/.exec(relative(root, file)) ?? []
  if (!Object.hasOwn(PLACES, name)) throw new Error(`the types of the library must not come from ${file}`)
  return join(PLACES[name], path)
}

/** Returns the file of an import; null for that of another package. */
function sourceOf(root, file, imported) {
  const [, name, path] = /^@suite-sim\/(\w+)\/(.+)$/.exec(imported) ?? []
  if (name !== undefined) return join(root, 'packages', name, 'src', `${path}.ts`)
  return imported.startsWith('.') ? join(dirname(file), imported) : null
}

/** The compiler emits a method named by a symbol twice: as a property, and as a method. */
const DUPLICATE_METHODS = /^ +\[Symbol\.\w+\]: \(\) => .+;\n/gm

function declaration(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true, target: ts.ScriptTarget.ES2023 },
  })
  if (diagnostics?.length) throw new Error(ts.formatDiagnostics(diagnostics, DIAGNOSTICS))
  return outputText.replaceAll(DUPLICATE_METHODS, '')
}

const DIAGNOSTICS = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

/** The values that `require` returns of each module, with the types of `import`. */
const VALUES = {
  index: [
    'connect',
    'exam',
    'examCaller',
    'grade',
    'NewWorkspace',
    'prepareTask',
    'receiveWebhooks',
    'reportRun',
    'Simulator',
    'SimulatorClient',
    'SimulatorError',
    'startSimulator',
    'TaskRun',
    'verify',
    'verifySignature',
    'Workspace',
  ],
  'testing/jest': ['any', 'test', 'testWith'],
  'testing/jestSetup': ['default', 'setupWith'],
  'testing/jestTeardown': ['default'],
  'testing/jestReporter': ['default'],
  'testing/playwright': ['any', 'expect', 'test'],
}

const AS_IMPORT = "with { 'resolution-mode': 'import' }"

const declarationsOfCommonJs = () =>
  Object.fromEntries(
    Object.entries(VALUES).map(([name, values]) => [
      `${name}.d.cts`,
      declarationOfCommonJs(`./${name.split('/').at(-1)}.js`, values),
    ]),
  )

/** Classes are also types; `export type *` includes them already. */
const declarationOfCommonJs = (module, values) =>
  [
    `import type * as library from '${module}' ${AS_IMPORT}`,
    `export type * from '${module}' ${AS_IMPORT}`,
    ...values
      .filter((name) => name !== 'default')
      .map((name) => `export declare const ${name}: typeof library.${name}`),
    ...values.filter((name) => /^[A-Z]/.test(name)).map((name) => `export type ${name} = library.${name}`),
    ...(values.includes('default')
      ? ['declare const exported: typeof library.default', 'export default exported']
      : []),
    '',
  ].join('\n')
