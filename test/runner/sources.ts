/**
 * The sources as one bundle, which loads in a third of a second instead of four: a process of the tests takes every
 * module of `src` and of the packages from it. It is made with the settings of `dist/`, with line numbers of the sources.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin as BundlePlugin } from 'esbuild'
import { ownPackages } from '../../scripts/ownPackages.mjs'
import type * as Writer from '../../scripts/generated/writeImage.ts'
import type { Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = join(ROOT, 'src')
const PACKAGES = join(ROOT, 'packages')
const FOLDER = join(ROOT, 'node_modules/.cache/suite-sim-tests')
const BUNDLE = join(FOLDER, 'sources.cjs')
const MIGRATIONS = 'state/storage/migrations'

/** It writes the script of all tables. */
const WRITER = './scripts/generated/writeImage.ts'

/** Vitest loads what is in this folder as it is. */
export const BUNDLED = /\/\.cache\/suite-sim-tests\//

/** Pages of the dashboard run in a browser only. */
const isBundled = (file: string): boolean =>
  folders().some((folder) => file.startsWith(`${folder}/`)) && /(?<!\.d)\.ts$/.test(file)

const folders = (): string[] => [SRC, ...packagesBeside('dashboard')]

const packagesBeside = (other: string): string[] =>
  readdirSync(PACKAGES).flatMap((name) => (name === other ? [] : [join(PACKAGES, name, 'src')]))

/** Writes the bundle if a source is newer. */
export async function bundleSources(): Promise<void> {
  const entries = folders().flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ])
  const built = existsSync(BUNDLE) ? statSync(BUNDLE).mtimeMs : 0
  // The age of a folder changes when a file is removed.
  const others = [join(ROOT, WRITER), fileURLToPath(import.meta.url)]
  if ([...others, ...entries].every((file) => statSync(file).mtimeMs < built)) return
  const begun = new Date()
  const names = [WRITER, ...entries.filter(isBundled).map((file) => `./${relative(ROOT, file)}`)]
  const modules = names.map((name) => JSON.stringify(name))
  const { outputFiles } = await build({
    stdin: {
      contents: `export const modules = {\n${modules.map((name) => `${name}: () => require(${name}),`).join('\n')}\n}`,
      resolveDir: ROOT,
    },
    absWorkingDir: ROOT,
    outfile: BUNDLE,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    external: [
      'better-sqlite3',
      '@napi-rs/nice',
      // It starts the file of its threads, which is beside it.
      'piscina',
      // A test damages these parsers.
      ...['csv-parse/sync', 'sax', 'yauzl'],
      ...['vitest', '@jest/globals', '@playwright/test'],
    ],
    alias: ownPackages,
    plugins: [ownUrls],
    supported: { 'dynamic-import': false },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
  mkdirSync(FOLDER, { recursive: true })
  // Another run may be loading it.
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.new`, contents)
    // A source that is saved during the build makes it old.
    utimesSync(`${path}.new`, begun, begun)
    renameSync(`${path}.new`, path)
  }
  writeSchema()
}

const isOlder = (file: string, than: string): boolean => statSync(file).mtimeMs < statSync(than).mtimeMs

/**
 * Copies the migrations, and adds the script of all tables as the build does: a new database takes 7 ms instead of 30. Tests of migrations use the folder of the sources.
 */
function writeSchema(): void {
  const own = createRequire(import.meta.url)
  const folder = join(SRC, MIGRATIONS)
  const copy = join(FOLDER, MIGRATIONS)
  const schema = join(copy, 'schema.sql')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  if (existsSync(schema) && [folder, ...files].every((file) => isOlder(file, schema))) return
  cpSync(folder, copy, { recursive: true })
  // In watch mode, an older bundle may be loaded.
  Reflect.deleteProperty(own.cache, BUNDLE)
  const { modules } = own(BUNDLE) as { modules: { [WRITER]: () => typeof Writer } }
  modules[WRITER]().writeSchema()
}

/** Files beside a source are found from there; others beside the sources of the server, or in the build. */
const ownUrls: BundlePlugin = {
  name: 'own-urls',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return null
      const baseOf = (name: string): string => {
        if (name === `./${MIGRATIONS}`) return join(FOLDER, 'x')
        return (
          [path, join(SRC, 'x')].find((base) => existsSync(resolve(dirname(base), name))) ??
          join(ROOT, 'dist/x')
        )
      }
      const contents = text.replaceAll(/(?<=new URL\('([^']+)', )import\.meta\.url/g, (_all, name: string) =>
        JSON.stringify(pathToFileURL(baseOf(name)).href),
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** Makes the tests import sources from the bundle. */
export const fromBundle: Plugin = {
  name: 'sources-from-bundle',
  enforce: 'pre',
  resolveId(id, importer) {
    if (importer === undefined) return
    const [, house, rest] = /^@suite-sim\/(\w+)\/(.+)$/.exec(id) ?? []
    if (house === undefined && !id.startsWith('.')) return
    const file =
      house === undefined
        ? resolve(dirname(importer), id)
        : join(PACKAGES, house, 'src', `${String(rest)}.ts`)
    if (!isBundled(file) || !existsSync(file)) return
    const name = relative(ROOT, file)
    const proxy = join(FOLDER, name.replace(/\.ts$/, '.cjs'))
    if (!existsSync(proxy)) {
      mkdirSync(dirname(proxy), { recursive: true })
      const bundle = relative(dirname(proxy), BUNDLE)
      writeFileSync(proxy, `module.exports = require('./${bundle}').modules['./${name}']()\n`)
    }
    return { id: proxy, external: true }
  },
}
