/**
 * `npm run docs:build`: builds the site of the guide from docs/ and the OpenAPI documents of the built program.
 *
 * - `--out DIR`: the folder of the site; dist/guide by default, which the server serves at /_sim/guide/
 * - `--base PATH`: the URL path where other servers publish it; /_sim/guide/ by default
 * - `--if-stale`: builds dist/guide only if its sources are newer
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDist } from './bundled.mjs'
import { dist, root } from './bundles.mjs'
import { documentOf } from './clientTypes.mjs'
import { referencePage } from './guideReference.mjs'
import { isGuideStale } from './stale.mjs'

const { values } = parseArgs({
  options: { out: { type: 'string' }, base: { type: 'string' }, 'if-stale': { type: 'boolean' } },
})
const { base = '/_sim/guide/' } = values
const out = values.out === undefined ? join(dist, 'guide') : resolve(values.out)
if (!/^\/(?:.*\/)?$/.test(base))
  fail(`--base must begin and end with a slash, such as /guide/; got "${base}".`)
if (values.out !== undefined && existsSync(out))
  fail(`--out must be a folder that does not exist yet; ${out} does.`)

if (values['if-stale'] !== true || isGuideStale()) await buildGuide()

async function buildGuide() {
  buildDist()
  const temporary = mkdtempSync(join(tmpdir(), 'suite-sim-guide-'))
  // Beside the output, so that a rename replaces it; a server finds either the old or the new site.
  const unfinished = `${out}.${process.pid}`
  try {
    const reference = join(temporary, 'reference.json')
    writeFileSync(reference, JSON.stringify((await documents()).map(referencePage)))
    process.env.GUIDE_REFERENCE = reference
    process.env.GUIDE_CACHE = join(temporary, 'cache')
    mkdirSync(dirname(out), { recursive: true })
    await buildSite(unfinished)
    replace(unfinished)
  } finally {
    for (const folder of [temporary, unfinished]) rmSync(folder, { recursive: true, force: true })
  }
}

/** VitePress only prints the errors of a page, and writes the page without its content. */
async function buildSite(folder) {
  const { build } = await import('vitepress')
  const { error } = console
  const errors = []
  // Two builds at once, as in tests, must not share it. Its modules need the packages of this folder.
  const tempDir = join(root, `docs/.vitepress/.temp-${process.pid}`)
  console.error = (...parts) => errors.push(parts.join(' '))
  try {
    await build(join(root, 'docs'), {
      outDir: folder,
      base,
      onAfterConfigResolve: (config) => void Object.assign(config, { tempDir }),
    })
  } finally {
    console.error = error
    rmSync(tempDir, { recursive: true, force: true })
  }
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** Puts the new site in the place of the old one. Another build may do the same. */
function replace(unfinished) {
  const old = `${out}.old.${process.pid}`
  for (;;) {
    if (existsSync(out)) renameSync(out, old)
    try {
      renameSync(unfinished, out)
      break
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      rmSync(old, { recursive: true, force: true })
    }
  }
  rmSync(old, { recursive: true, force: true })
}

/** Returns each interface with its OpenAPI document. */
async function documents() {
  const { load } = await import('../dist/load.js')
  const { buildApp, INTERFACES } = await load().exports.app()
  const app = await buildApp()
  try {
    return await Promise.all(
      INTERFACES.map(async ({ name, basePath }) => ({
        name,
        basePath,
        document: await documentOf(app, name),
      })),
    )
  } finally {
    await app.close()
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
