/** Runs TypeScript programs of the repository: bench/ and test/hostile/. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, root } from './bundles.mjs'
import { ownPackages } from './ownPackages.mjs'

/** Builds dist/ if it is older than its sources; exits if the build fails. */
export function buildDist() {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) process.exit(1)
}

/** Bundles the sources, and runs their main.ts. `options` are more esbuild options. */
export async function runBundled(name, entryPoints, options = {}) {
  // In node_modules, so that the bundles find the packages that they import.
  const bundles = join(root, 'node_modules/.cache', `suite-simulator-${name}`)
  rmSync(bundles, { recursive: true, force: true })
  await bundle({
    entryPoints,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    absWorkingDir: root,
    outdir: bundles,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    ...options,
    alias: ownPackages,
  })
  await import(pathToFileURL(join(bundles, 'main.mjs')).href)
}

/** Runs one source as a program. `import.meta.url` stays that of each source file. */
export async function runSources(name, source) {
  await runBundled(name, { main: source }, { plugins: [sourceUrls] })
}

/** Files are found from the source that names them, or from the sources of the server, as they are from the program. */
const sourceUrls = {
  name: 'source-urls',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(?:src|test|scripts)\/.*\.(?:ts|mjs)$/ }, async ({ path }) => {
      const baseOf = (name) =>
        [path, join(root, 'src/x')].find((base) => existsSync(join(dirname(base), name))) ?? path
      return {
        contents: (await readFile(path, 'utf8'))
          .replaceAll(/(?<=new URL\('([^']+)', )import\.meta\.url/g, (_all, name) => urlOf(baseOf(name)))
          .replaceAll('import.meta.url', urlOf(path)),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      }
    }),
}

const urlOf = (file) => JSON.stringify(pathToFileURL(file).href)
