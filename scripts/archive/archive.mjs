/**
 * `npm run archive -- [--to FOLDER] [platform ...]`: writes archives that run without an installation, to archives/: Node.js, the
 * built package, its native module and a launcher, with their SHA-256 sums. Everything comes from the registry of npm, and
 * the same sources become the same bytes.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PLATFORMS, SQLITE } from './platforms.mjs'
import { run, writeTar, writeZip } from './writing.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string', default: join(root, 'archives') } },
})
const wanted = positionals.length === 0 ? Object.keys(PLATFORMS) : positionals
const unknown = wanted.find((name) => !Object.hasOwn(PLATFORMS, name))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(PLATFORMS).join(', ')}`)

const to = resolve(values.to)
const work = mkdtempSync(join(tmpdir(), 'suite-sim-archive-'))
try {
  mkdirSync(to, { recursive: true })
  const app = unpacked({ spec: root })
  const sqlite = unpacked(SQLITE)
  // The package for Windows has none.
  const license = join(unpacked(PLATFORMS['linux-x64'].from), 'LICENSE')
  const sums = []
  for (const platform of wanted) sums.push(await write(platform, { app, sqlite, license }))
  writeFileSync(join(to, 'SHA256SUMS'), sums.sort().join(''))
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Writes the archive of a platform and returns its line of SHA256SUMS. */
async function write(platform, { app, sqlite, license }) {
  const isWindows = platform.startsWith('win32')
  const { version } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const name = `suite-simulator-${version}-${platform}`
  const folder = join(work, name)
  cpSync(app, join(folder, 'app'), { recursive: true })
  // The machine code of the Node.js that made the build, which another version refuses.
  rmSync(join(folder, 'app/dist/suite-sim.cache'), { force: true })
  for (const part of ['package.json', 'LICENSE', 'lib', `prebuilds/${platform}.node`])
    cpSync(join(sqlite, part), join(folder, 'app/node_modules/better-sqlite3', part), { recursive: true })
  const { binary, from } = PLATFORMS[platform]
  put(join(unpacked(from), binary), join(folder, isWindows ? 'node.exe' : 'node'))
  const launcher = isWindows ? 'suite-sim.cmd' : 'suite-sim'
  put(join(root, 'scripts/archive', launcher), join(folder, launcher))
  copyFileSync(license, join(folder, 'LICENSE.node'))

  const file = `${name}${isWindows ? '.zip' : '.tar.gz'}`
  await (isWindows ? writeZip : writeTar)(work, name, join(to, file))
  console.log(`${join(to, file)} is written`)
  return `${createHash('sha256')
    .update(readFileSync(join(to, file)))
    .digest('hex')}  ${file}\n`
}

function put(from, file) {
  copyFileSync(from, file)
  chmodSync(file, 0o755)
}

/** Packs a package and returns the folder with its files. That of a registry must have the known hash. */
function unpacked({ spec, integrity }) {
  const into = mkdtempSync(join(work, 'package-'))
  const [packed] = JSON.parse(run('npm', ['pack', spec, '--ignore-scripts', '--json'], into))
  if (integrity !== undefined && packed.integrity !== integrity) {
    throw new Error(`${spec} has the hash ${packed.integrity} instead of ${integrity}`)
  }
  // Node.js comes with headers and npm, which the program does not use.
  const unused = ['--exclude=package/include', '--exclude=package/lib/node_modules', '--exclude=package/deps']
  run('tar', ['--extract', '--gzip', ...unused, '--file', packed.filename], into)
  return join(into, 'package')
}
