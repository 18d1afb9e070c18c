/**
 * Kills a server and the program that replicates its database (Litestream) while clients write, and starts another
 * server on the replica. It must be whole, and have every change that was answered a second before the kill.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { ROOT } from '../support/root.ts'
import { Target, type TargetOptions } from './target.ts'

const CLIENTS = 4

/** How often changes go to the replica, in ms; of the configuration in docs/backup.md. */
const SYNC_MS = 250

/** What may be missing after a kill, in ms, on a machine that does nothing else. */
const MAX_LOSS_MS = 1000

export interface ReplicationReport {
  readonly seconds: number
  readonly writes: number
  readonly uploads: number
  /** The time from the oldest missing change to the kill, in ms; 0 if none is missing. */
  readonly lossMs: number
  readonly problems: readonly string[]
}

/** A change that was answered. */
interface Written {
  readonly path: string
  readonly at: number
}

export async function replicationRun(
  options: TargetOptions,
  seconds: number,
  maxLossMs = MAX_LOSS_MS,
): Promise<ReplicationReport> {
  const problem = missingLitestream()
  if (problem !== null) throw new Error(problem)
  const { folder } = options
  const [live, replica, restored] = ['live', 'replica', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [live, replica, restored]) mkdirSync(each)
  const target = await Target.start({ ...options, folder: live })
  const litestream = replicate(join(live, 'suite.sqlite'), replica, options)
  await firstCopyIn(replica)
  const { workspace, key } = await target.must<{ workspace: { id: string }; key: string }>(
    'POST',
    '/_sim/workspaces',
    {},
  )

  const written: Written[] = []
  let [isOver, uploads, copiedAt] = [false, 0, 0]
  const client = async (number: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const made = await (number === 0 ? upload(target, key) : create(target, key)).catch(() => null)
      if (made !== null) written.push(made)
      if (made !== null && number === 0) uploads++
      // A steady load instead of the highest possible, so that all clients write.
      await sleep(2)
    }
  }
  const copying = async (): Promise<void> => {
    while (!isOver) {
      const at = Date.now()
      copyNew(join(live, 'files/suite.sqlite'), join(replica, 'files'))
      copiedAt = at
      await sleep(SYNC_MS)
    }
  }
  const all = [copying(), ...Array.from({ length: CLIENTS }, (_, number) => client(number))]
  await sleep(seconds * 1000)
  const killedAt = Date.now()
  target.server.signal('SIGKILL')
  litestream.child.kill('SIGKILL')
  isOver = true
  await Promise.all([...all, target.server.ended, litestream.ended])

  await restore(replica, join(restored, 'suite.sqlite'), copiedAt)
  copyNew(join(replica, 'files'), join(restored, 'files/suite.sqlite'))
  const problems = checkWhole(restored)
  const second = await Target.start({ ...options, folder: restored })
  const missing: Written[] = []
  for (const each of written) {
    const { status } = await second.call('GET', each.path, undefined, { authorization: `Bearer ${key}` })
    if (status !== 200) missing.push(each)
  }
  await second.must('GET', `/_sim/workspaces/${workspace.id}`)
  await second.server.stop('SIGTERM')
  const lossMs = killedAt - Math.min(killedAt, ...missing.map(({ at }) => at))
  if (lossMs > maxLossMs)
    problems.push(`a change that was answered ${String(lossMs)} ms before the kill is missing`)
  return { seconds, writes: written.length, uploads, lossMs, problems }
}

async function create(target: Target, key: string): Promise<Written> {
  const body = { name: 'Standing desk', type: 'physical' }
  const { id } = await made(target, key, '/workspace/public/v1/products', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return { path: `/workspace/public/v1/products/${id}`, at: Date.now() }
}

async function upload(target: Target, key: string): Promise<Written> {
  const form = new FormData()
  form.append('name', 'Menu')
  // Other bytes each time, so that each is a file of its own.
  form.append(
    'file',
    new Blob([Buffer.concat([PNG, randomBytes(20_000)])], { type: 'image/png' }),
    'menu.png',
  )
  const { id } = await made(target, key, '/grid/v1/media', { body: form })
  return { path: `/grid/v1/media/${id}`, at: Date.now() }
}

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function made(target: Target, key: string, path: string, init: RequestInit): Promise<{ id: string }> {
  const response = await fetch(target.server.url + path, {
    ...init,
    method: 'POST',
    headers: { ...(init.headers as Record<string, string> | undefined), authorization: `Bearer ${key}` },
  })
  const body = (await response.json()) as { id?: string; data?: { id: string } }
  const id = body.id ?? body.data?.id
  if (response.status !== 201 || id === undefined)
    throw new Error(`POST ${path} answered ${String(response.status)}`)
  return { id }
}

/** The first copy of the whole database has other delays than those of changes. */
async function firstCopyIn(replica: string): Promise<void> {
  const folder = join(replica, 'database/generations')
  const isThere = (): boolean =>
    existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, 'snapshots')))
  while (!isThere()) await sleep(20)
}

/** Litestream, from npm. No dependency of the project, because registries need not have it for all platforms. */
const PACKAGE = '@flydotio/litestream'
const VERSION = '1.0.1'
const CACHE = join(ROOT, 'node_modules/.cache/litestream')

/** Installs Litestream into a cache. Returns why it cannot be had, or null. */
export function missingLitestream(): string | null {
  if (existsSync(litestreamProgram())) return null
  const args = ['install', '--prefix', CACHE, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', [...args, `${PACKAGE}@${VERSION}`], { encoding: 'utf8' })
  if (status === 0 && existsSync(litestreamProgram())) return null
  return `Litestream cannot be installed for ${process.platform}: ${stderr.trim().split('\n').at(-1) ?? ''}`
}

const litestreamProgram = (): string =>
  join(CACHE, 'node_modules', `${PACKAGE}-${process.platform}-${process.arch}`, 'litestream')

function replicate(file: string, replica: string, { watch }: TargetOptions) {
  const config = join(replica, 'litestream.json')
  // JSON is YAML.
  const replicas = [{ path: join(replica, 'database'), 'sync-interval': `${String(SYNC_MS)}ms` }]
  const db = { path: file, 'monitor-interval': `${String(SYNC_MS)}ms`, replicas }
  writeFileSync(config, JSON.stringify({ dbs: [db] }))
  const child = spawn(litestreamProgram(), ['replicate', '-config', config], { stdio: 'ignore' })
  watch(child)
  return { child, ended: once(child, 'exit') }
}

/**
 * Restores the state of the given time, when all its stored files had been copied. If the last part of the log is older,
 * Litestream finds nothing for that time; then it is the latest state.
 */
async function restore(replica: string, file: string, at: number): Promise<void> {
  const timestamp = new Date(at).toISOString()
  const said = await restored(replica, file, ['-timestamp', timestamp])
  if (said?.includes('no matching backups found') !== true) must(said)
  else must(await restored(replica, file, []))
}

function must(error: string | null): void {
  if (error !== null) throw new Error(`litestream restore: ${error}`)
}

/** Returns what Litestream said if it failed. */
async function restored(replica: string, file: string, flags: readonly string[]): Promise<string | null> {
  const config = join(replica, 'litestream.json')
  const { dbs } = JSON.parse(readFileSync(config, 'utf8')) as { dbs: { path: string }[] }
  const args = ['restore', '-config', config, ...flags, '-o', file, dbs[0]?.path ?? '']
  const child = spawn(litestreamProgram(), args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0 ? null : said
}

/** Copies the stored files that the target does not have. They never change. */
function copyNew(from: string, to: string): void {
  if (!existsSync(from)) return
  for (const name of readdirSync(from)) {
    // Uploads that have not ended.
    if (name === 'incoming') continue
    mkdirSync(join(to, name), { recursive: true })
    for (const hash of readdirSync(join(from, name))) {
      const target = join(to, name, hash)
      if (existsSync(target)) continue
      copyFileSync(join(from, name, hash), `${target}.partial`)
      renameSync(`${target}.partial`, target)
    }
  }
}

/** Checks the database and its stored files before a server opens them. */
function checkWhole(folder: string): string[] {
  const sqlite = new SQLite(join(folder, 'suite.sqlite'))
  try {
    const integrity = sqlite.pragma('integrity_check', { simple: true }) as string
    const hashes = sqlite.prepare<[], string>('SELECT DISTINCT hash FROM stored_files').pluck().all()
    const broken = hashes.filter((hash) => {
      const file = join(folder, 'files/suite.sqlite', hash.slice(0, 2), hash)
      return !existsSync(file) || createHash('sha256').update(readFileSync(file)).digest('hex') !== hash
    })
    return [
      ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
      ...broken.map((hash) => `the stored file ${hash} is missing or broken`),
    ]
  } finally {
    sqlite.close()
  }
}
