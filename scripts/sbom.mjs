/**
 * `npm run sbom -- [file]`: the software bill of materials of the built program in CycloneDX, on standard output or in a
 * file. `npm sbom --omit dev` would list nothing of it: the build bundles packages that are dependencies of development.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundle, dashboard, programs, root } from './bundles.mjs'

/** Packages that no bundle imports: the native module with what loads it, the scripts of the reference and the guide. */
const OTHERS = [
  'better-sqlite3',
  'bindings',
  'file-uri-to-path',
  'swagger-ui-dist',
  'vitepress',
  'vue',
  'minisearch',
]

const bundled = await inputsOfBundles()
const refs = new Set([...bundled, ...OTHERS.map((name) => `node_modules/${name}`)].map(refOf))
const text = `${JSON.stringify(only(await everything(), refs), null, 2)}\n`
const [file] = process.argv.slice(2)
if (file === undefined) process.stdout.write(text)
else writeFileSync(file, text)

/** Returns the folders of the packages that the bundles contain. */
async function inputsOfBundles() {
  const options = [...programs(), dashboard()].map((each) => ({ ...each, metafile: true, write: false }))
  const results = await Promise.all(options.map((each) => bundle(each)))
  const folders = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => path.includes('node_modules/'))
    .map(packageFolder)
  return [...new Set(folders)]
}

/** Returns the folder of the innermost package of a path: "node_modules/fastify". */
function packageFolder(path) {
  const start = path.lastIndexOf('node_modules/') + 'node_modules/'.length
  const [first, second] = path.slice(start).split('/')
  return (
    path.slice(path.indexOf('node_modules/'), start) + (first.startsWith('@') ? `${first}/${second}` : first)
  )
}

/** Returns "name@version" of a folder; the folder may be behind a link. */
function refOf(folder) {
  const places = [join(root, folder), join(root, folder.slice(folder.indexOf('node_modules')))]
  const place = places.find((each) => existsSync(join(each, 'package.json')))
  if (place === undefined) throw new Error(`${dirname(folder)} has no package ${folder}`)
  const { name, version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

/** Returns npm's document of all packages in the lock file. */
function everything() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  return JSON.parse(stdout)
}

/** Returns the document with only these components, and the relations between them. */
function only(document, wanted) {
  const { metadata, components, dependencies } = document
  const root = metadata.component['bom-ref']
  const missing = [...wanted].filter((ref) => !components.some((each) => each['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`the lock file lacks ${missing.join(', ')}`)
  return {
    ...document,
    components: components
      .filter((each) => wanted.has(each['bom-ref']))
      .map((each) => ({ ...each, scope: 'required' })),
    dependencies: dependencies
      .filter(({ ref }) => ref === root || wanted.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: ref === root ? [...wanted] : dependsOn.filter((each) => wanted.has(each)),
      })),
  }
}
