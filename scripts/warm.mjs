/**
 * Runs the bundle once, start to first answers, and keeps the machine code that V8 made meanwhile, beside the bundle
 * that it belongs to. See scripts/launcher/load.js.
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
