/**
 * `npm install` of a clone, or of a git address or folder by another project, builds the package. Where there is nothing to
 * build with (an image that installs what production needs) nothing is built.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const has = (path) => existsSync(fileURLToPath(new URL(path, import.meta.url)))

if (has('../src') && has('../node_modules/esbuild') && has('../node_modules/typescript')) {
  process.argv.push('--if-stale')
  await import('./build.mjs')
}
