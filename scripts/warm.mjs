/**
 * Runs the bundle once, from start to first responses, and stores V8's machine code next to the bundle. See
 * scripts/launcher/load.js.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { cacheFile, load } from '../dist/load.js'

const { exports, script } = load()
const app = await exports.main(['serve', '--db', ':memory:', '--port', '0', '--log-level', 'silent'])
await fetch(new URL('/_sim/health', app.url))
await fetch(new URL('/workspace/public/v1/products', app.url), {
  headers: { authorization: 'Bearer demo-key' },
})
const unfinished = `${cacheFile}.${process.pid}`
writeFileSync(unfinished, script.createCachedData())
renameSync(unfinished, cacheFile)
await app.close()
process.exit(0)
