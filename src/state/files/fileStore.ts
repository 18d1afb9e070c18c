/**
 * File contents on disk, named by their SHA-256, so that equal files are stored once: in `files/<database name>` next
 * to the database, or in a temporary folder. They exist from before the first row that refers to them until after the
 * last, so a crash leaves only unused files, which the next start deletes.
 */
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf } from '../storage/database/databaseFileError.ts'
import { closeToOthers } from '../storage/database/folders.ts'
import { randomToken } from '@suite-sim/kit/random'

/** Returns the names in a folder; empty if it was deleted since it was listed, as after a failed start. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Contents on disk. */
export interface StoredBytes {
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  /** In bytes. */
  readonly size: number
}

const HASH = /^[0-9a-f]{64}$/

export class FileStore {
  readonly #path: string | null
  #folder: string | null = null
  /** How many callers are about to write a row for these contents. */
  readonly #pins = new Map<string, number>()
  #holds = 0
  /** Contents that were to be deleted while something held them. */
  readonly #held = new Set<string>()

  /** `databaseFile` is ':memory:' or the path of the file. */
  constructor(databaseFile: string) {
    this.#path =
      databaseFile === ':memory:' ? null : resolve(dirname(databaseFile), 'files', basename(databaseFile))
  }

  /** Creates a path for a new file, on the same disk as the store, so that it can be moved instead of copied. */
  incoming(): string {
    const folder = join(this.#root(), 'incoming')
    mkdirSync(folder, { recursive: true })
    return join(folder, randomToken())
  }

  /** Moves the file at `path` into the store and pins it. Call `unpin` after a row refers to it. */
  async takeOver(path: string): Promise<StoredBytes> {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
    }
    const bytes = { hash: hash.digest('hex'), size }
    this.#pin(bytes.hash)
    try {
      await this.#put(path, bytes.hash)
    } catch (error) {
      this.unpin(bytes.hash)
      throw error
    }
    return bytes
  }

  /** Stores a stream or bytes, pinned. If the stream fails, nothing stays. */
  async write(source: Readable | Uint8Array): Promise<StoredBytes> {
    const path = this.incoming()
    try {
      await pipeline(source instanceof Readable ? source : Readable.from([source]), createWriteStream(path))
      return await this.takeOver(path)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Stores a few bytes synchronously and without a pin, for a write that refers to them in the same turn. */
  keep(bytes: Uint8Array): StoredBytes {
    const stored = { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
    const { root, path } = this.locationOf(stored.hash)
    if (this.has(stored.hash)) return stored
    const incoming = this.incoming()
    writeFileSync(incoming, bytes)
    mkdirSync(dirname(join(root, path)), { recursive: true })
    renameSync(incoming, join(root, path))
    return stored
  }

  /** Releases a pin of `takeOver` or `write`. */
  unpin(hash: string): void {
    const pins = (this.#pins.get(hash) ?? 0) - 1
    if (pins > 0) this.#pins.set(hash, pins)
    else this.#pins.delete(hash)
  }

  isPinned(hash: string): boolean {
    return this.#pins.has(hash)
  }

  /** Returns the location of contents: a folder, and the path in it. */
  locationOf(hash: string): { readonly root: string; readonly path: string } {
    if (!HASH.test(hash)) throw new Error('not a SHA-256 hash of stored contents')
    return { root: this.#root(), path: join(hash.slice(0, 2), hash) }
  }

  has(hash: string): boolean {
    const { root, path } = this.locationOf(hash)
    return existsSync(join(root, path))
  }

  read(hash: string): Readable {
    const { root, path } = this.locationOf(hash)
    return createReadStream(join(root, path))
  }

  /** Reads the whole contents; for small files. */
  bytes(hash: string): Promise<Buffer> {
    const { root, path } = this.locationOf(hash)
    return readFile(join(root, path))
  }

  /** Keeps all contents until `release`, for copies of them. */
  hold(): void {
    this.#holds++
  }

  /** Returns the contents that were to be deleted in the meantime. */
  release(): string[] {
    if (--this.#holds > 0) return []
    const held = [...this.#held]
    this.#held.clear()
    return held
  }

  /** Deletes contents. Open readers can finish. */
  discard(hash: string): void {
    if (this.#holds > 0) {
      this.#held.add(hash)
      return
    }
    const { root, path } = this.locationOf(hash)
    rmSync(join(root, path), { force: true })
  }

  /** Deletes the remains of a crash: contents for which `isNamed` finds no row. */
  async sweep(isNamed: (hash: string) => boolean): Promise<void> {
    const root = this.#folder ?? this.#path
    if (root === null || !existsSync(root)) return
    for (const name of await readdir(root)) {
      const folder = join(root, name)
      if (name === 'incoming') continue
      for (const hash of await filesIn(folder)) {
        if (HASH.test(hash) && !this.isPinned(hash) && !isNamed(hash)) this.discard(hash)
        // Yields, because a starting server has more urgent work.
        await nextTurn()
      }
    }
  }

  /** Returns the bytes of all contents, without unfinished uploads. */
  async size(): Promise<number> {
    const root = this.#folder ?? this.#path
    if (root === null) return 0
    let size = 0
    for (const folder of await filesIn(root)) {
      if (folder === 'incoming') continue
      for (const hash of await filesIn(join(root, folder))) {
        // Other work can delete it at any time.
        size += await stat(join(root, folder, hash)).then(
          (file) => file.size,
          () => 0,
        )
      }
    }
    return size
  }

  /** Deletes unfinished uploads of a crash. Must be called before the first upload. */
  clearIncoming(): void {
    if (this.#path !== null) rmSync(join(this.#path, 'incoming'), { recursive: true, force: true })
  }

  /** Deletes the files of a database in memory. */
  close(): void {
    if (this.#path === null && this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Deletes all files, and the shared folder if it is then empty. */
  remove(): void {
    this.close()
    if (this.#path === null) return
    rmSync(this.#path, { recursive: true, force: true })
    const shared = dirname(this.#path)
    if (existsSync(shared) && readdirSync(shared).length === 0) rmdirSync(shared)
  }

  #root(): string {
    if (this.#folder === null) {
      this.#folder = this.#path ?? mkdtempSync(join(tmpdir(), 'suite-sim-files-'))
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      closeToOthers(this.#folder)
    }
    return this.#folder
  }

  #pin(hash: string): void {
    this.#pins.set(hash, (this.#pins.get(hash) ?? 0) + 1)
  }

  async #put(path: string, hash: string): Promise<void> {
    const { root, path: relativePath } = this.locationOf(hash)
    const target = join(root, relativePath)
    await mkdir(dirname(target), { recursive: true })
    const exists = await stat(target).then(
      () => true,
      () => false,
    )
    if (exists) await rm(path, { force: true })
    else await rename(path, target)
  }
}
