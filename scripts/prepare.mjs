/**
 * Builds the program after `npm install` of a clone, or of a git URL or folder in another project. Does
 * nothing without the build tools, as in a production image.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const has = (path) => existsSync(fileURLToPath(new URL(path, import.meta.url)))

if (has('../src') && has('../node_modules/esbuild') && has('../node_modules/typescript')) {
  process.argv.push('--if-stale')
  await import('./build.mjs')
}
