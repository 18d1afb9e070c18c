/** The archives that `npm run archive` writes, and the installation of the package with the Node.js of one. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import packageJson from '../../../package.json' with { type: 'json' }
import { packedPackage, runIn } from '../../support/packed.ts'
import { buildGuide, build, ROOT, scratchFolder, stopAfterTest } from '../../support/process.ts'

const NAME = `suite-simulator-${packageJson.version}`
const HERE = `${process.platform}-${process.arch}`

/** The first bytes of programs, and the name of Node.js, by platform. */
const KINDS: Readonly<Record<string, { readonly is: (file: Buffer) => boolean; readonly node?: string }>> = {
  'linux-x64': { is: elf(0x3e) },
  'linux-arm64': { is: elf(0xb7) },
  'darwin-x64': { is: machO(0x01000007) },
  'darwin-arm64': { is: machO(0x0100000c) },
  'win32-x64': { is: isPortableExecutable, node: 'node.exe' },
}

function elf(machine: number) {
  return (file: Buffer) => file.toString('latin1', 0, 4) === '\u007FELF' && file.readUInt16LE(18) === machine
}

function machO(cpu: number) {
  return (file: Buffer) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === cpu
}

function isPortableExecutable(file: Buffer): boolean {
  const header = file.readUInt32LE(0x3c)
  return file.toString('latin1', header, header + 2) === 'PE' && file.readUInt16LE(header + 4) === 0x8664
}

const folder = mkdtempSync(join(tmpdir(), 'suite-sim-archives-'))

beforeAll(() => {
  build()
  buildGuide()
  archive([folder])
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function archive([to = '', ...platforms]: readonly string[], variables: NodeJS.ProcessEnv = {}): void {
  const args = [join(ROOT, 'scripts/archive/archive.mjs'), '--to', to, ...platforms]
  const env = { ...process.env, ...variables }
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  expect(status, stderr).toBe(0)
}

const sumsIn = (place: string): string[] =>
  readFileSync(join(place, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')

const fileOf = (platform: string): string =>
  join(folder, `${NAME}-${platform}${platform.startsWith('win32') ? '.zip' : '.tar.gz'}`)

interface Packed {
  readonly content: Buffer
  readonly isProgram: boolean
}

/** The files of an archive by their paths below its one folder. */
async function filesOf(platform: string): Promise<Map<string, Packed>> {
  const files = platform.startsWith('win32')
    ? await filesOfZip(fileOf(platform))
    : filesOfTar(fileOf(platform))
  const start = `${NAME}-${platform}/`
  expect([...files.keys()].filter((path) => !path.startsWith(start))).toEqual([])
  return new Map([...files].map(([path, file]) => [path.slice(start.length), file]))
}

async function filesOfZip(file: string): Promise<Map<string, Packed>> {
  const files = new Map<string, Packed>()
  const zip = await openPromise(file)
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    files.set(entry.fileName, { content, isProgram: entry.fileName.endsWith('.exe') })
  }
  return files
}

function filesOfTar(file: string): Map<string, Packed> {
  const options = { maxBuffer: 2 ** 28 }
  const list = spawnSync('tar', ['-tvzf', file], { ...options, encoding: 'utf8' })
    .stdout.trimEnd()
    .split('\n')
  const all = spawnSync('tar', ['-xOzf', file], options).stdout
  const files = new Map<string, Packed>()
  let start = 0
  for (const line of list) {
    const [mode = '', owner, size = '', , , path = ''] = line.split(/\s+/)
    expect(owner).toBe('0/0')
    if (mode.startsWith('d')) continue
    const end = start + Number(size)
    files.set(path, { content: all.subarray(start, end), isProgram: mode === '-rwxr-xr-x' })
    start = end
  }
  return files
}

test('SHA256SUMS has the sum of each archive', () => {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  expect(names).toHaveLength(Object.keys(KINDS).length)
  const sums = names.map((name) => {
    const sum = createHash('sha256').update(readFileSync(join(folder, name)))
    return `${sum.digest('hex')}  ${name}`
  })
  expect(sumsIn(folder)).toEqual(sums.sort())
})

test('a second run in another time zone writes the same bytes', () => {
  const second = scratchFolder()
  archive([second, 'linux-arm64', 'win32-x64'], { TZ: 'Asia/Tokyo' })
  expect(sumsIn(second)).toHaveLength(2)
  expect(sumsIn(folder)).toEqual(expect.arrayContaining(sumsIn(second)))
})

test.each(Object.entries(KINDS))(
  'the archive for %s has its parts',
  async (platform, { is, node = 'node' }) => {
    const files = await filesOf(platform)
    const native = [...files.keys()].filter((path) => path.endsWith('.node') && path !== 'LICENSE.node')
    expect(native).toEqual([`app/node_modules/better-sqlite3/prebuilds/${platform}.node`])
    for (const path of [node, ...native])
      expect(is(files.get(path)?.content ?? Buffer.alloc(64)), path).toBe(true)
    expect(files.get(node)?.isProgram).toBe(true)
    const launcher = platform.startsWith('win32') ? 'suite-sim.cmd' : 'suite-sim'
    expect([...files.keys()]).toEqual(expect.arrayContaining([launcher, 'LICENSE.node']))
    // What the package has, without the machine code of another Node.js.
    const ofPackage = packedPackage().files.map(({ path }) => `app/${path}`)
    expect(ofPackage.filter((path) => !files.has(path))).toEqual(['app/dist/suite-sim.cache'])
    const { version } = JSON.parse(
      files.get('app/node_modules/better-sqlite3/package.json')?.content.toString() ?? '',
    ) as { version: string }
    expect(packageJson.dependencies['better-sqlite3']).toBe(`12.11.1 || ${version}`)
  },
)

/** Unpacks the archive of this machine into a folder with blanks in its name. */
function unpacked(): string {
  const place = join(scratchFolder(), 'a folder with blanks')
  mkdirSync(place)
  const { status } = spawnSync('tar', ['-xzf', fileOf(HERE), '-C', place])
  expect(status).toBe(0)
  return join(place, `${NAME}-${HERE}`)
}

test('the archive for this machine serves without any program of the path', async () => {
  const launcher = join(unpacked(), 'suite-sim')
  const options = { cwd: scratchFolder(), env: { PATH: '' } }
  const server = spawn(launcher, ['serve', '--port', '0'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stopAfterTest(server)
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const doctor = spawnSync(launcher, ['doctor', '--url', url], { ...options, encoding: 'utf8' })
  expect((JSON.parse(doctor.stdout) as { status: string }).status).toBe('ok')
  const headers = { authorization: 'Bearer demo-key' }
  expect((await fetch(`${url}/workspace/public/v1/products`, { headers })).status).toBe(200)
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('the package installs with few packages and without scripts on Node.js 22', async () => {
  const variables = { PATH: `${unpacked()}:${process.env['PATH'] ?? ''}` }
  const project = scratchFolder()
  const file = join(packedPackage().folder, `${NAME}.tgz`)
  const install = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', file]
  expect(await runIn(project, install, variables)).toMatchObject({ code: 0 })
  const packages = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(packages.length).toBeLessThanOrEqual(10)
  const { code, stdout } = await runIn(project, ['npx', 'suite-sim', 'doctor'], variables)
  expect(code).toBe(0)
  expect(stdout).toContain('"Node.js 22.')
})
