/**
 * Writes the types of the interfaces to dist/interfaces/, from the documents of the bundle. The .d.cts files
 * contain only types, and can be imported from ES modules and CommonJS.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '../dist/load.js'
import { interfaceTypes } from './clientTypes.mjs'

const folder = fileURLToPath(new URL('../dist/interfaces', import.meta.url))
const { buildApp, INTERFACES } = await load().exports.app()
const app = await buildApp()
const texts = await interfaceTypes(
  app,
  INTERFACES.map(({ name }) => name),
)
await app.close()
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(texts)) {
  const file = join(folder, `${name}.d.cts`)
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}
process.exit(0)
