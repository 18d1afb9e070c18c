/** Checks whether dist/ is older than its sources. Without sources, as in an installed package, it never is. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const SOURCES = ['src', 'packages', 'docs', 'fixtures', 'scripts', 'package.json', 'tsconfig.json']

export const isStale = () => isOlder('dist/main.js')

/** Checks whether dist/guide is older than its sources. */
export const isGuideStale = () => isOlder('dist/guide/index.html')

function isOlder(output) {
  if (!existsSync(join(root, 'src'))) return false
  const built = join(root, output)
  if (!existsSync(built)) return true
  const age = statSync(built).mtimeMs
  return SOURCES.some((name) => newest(join(root, name)) > age)
}

function newest(path) {
  if (!existsSync(path)) return 0
  const own = statSync(path)
  if (!own.isDirectory()) return own.mtimeMs
  // A folder's own age changes when a file is deleted. VitePress keeps temporary files beside its configuration and the
  // sources of generated pages.
  const age = /\/docs\/(?:\.vitepress|reference)$/.test(path) ? 0 : own.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), age)
}
