/** The loader of the bundle, for ES modules. */
import { createRequire } from 'node:module'

export const { cacheFile, load, loadOnce } = createRequire(import.meta.url)('./load.cjs')
