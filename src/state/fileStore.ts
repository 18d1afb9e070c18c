/**
 * The bytes of stored files, on disk by their SHA-256, so that the same bytes are kept once however often they were
 * sent. Which file a hash belongs to, and whether any does, is told by rows (`storedFiles.ts`): bytes are there before the row
 * that names them and are deleted after the last such row, so a crash can only leave too much, which the next start
 * deletes (`sweep`).
 *
 * Beside a database in a file they lie in `files/<name of the database>`, for two databases of one folder must not meet;
 * those of a database in memory lie in a temporary folder.
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
import { codeOf } from './databaseProblem.ts'
import { unguessable } from './ids.ts'

/** The names in a folder; none if it was deleted since it was listed, as a start that fails deletes its files. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Bytes that are on disk. */
export interface StoredBytes {
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  /** In bytes. */
  readonly size: number
}

const HASH = /^[0-9a-f]{64}$/

export class FileStore {
  readonly #wanted: string | null
  #folder: string | null = null
  /** How many are about to write a row that names these bytes. */
  readonly #pins = new Map<string, number>()

  /** `databaseFile` is ':memory:' or the path of the file. */
  constructor(databaseFile: string) {
    this.#wanted =
      databaseFile === ':memory:' ? null : resolve(dirname(databaseFile), 'files', basename(databaseFile))
  }

  /** An empty file's path to write to; on the same disk as the rest, so that it can be taken over without a copy. */
  incoming(): string {
    const folder = join(this.#root(), 'incoming')
    mkdirSync(folder, { recursive: true })
    return join(folder, unguessable())
  }

  /** Takes over the file at `path`, which is gone afterwards. The bytes are pinned: `unpin` once a row names them. */
  async takeOver(path: string): Promise<StoredBytes> {
    const hash = createHash('sha256')
    let size = 0
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(piece)
      size += piece.length
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

  /** Keeps what comes out of a stream, or these bytes; pinned as well. Nothing is left where the stream fails. */
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

  /** Keeps these few bytes at once, and not pinned: for a write that names them before anybody else has a turn. */
  keep(bytes: Uint8Array): StoredBytes {
    const stored = { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
    const { root, path } = this.placeOf(stored.hash)
    if (this.has(stored.hash)) return stored
    const incoming = this.incoming()
    writeFileSync(incoming, bytes)
    mkdirSync(dirname(join(root, path)), { recursive: true })
    renameSync(incoming, join(root, path))
    return stored
  }

  /** Lets go what `takeOver` and `write` have pinned. */
  unpin(hash: string): void {
    const pins = (this.#pins.get(hash) ?? 0) - 1
    if (pins > 0) this.#pins.set(hash, pins)
    else this.#pins.delete(hash)
  }

  isPinned(hash: string): boolean {
    return this.#pins.has(hash)
  }

  /** Where these bytes lie: a folder, and the path in it. */
  placeOf(hash: string): { readonly root: string; readonly path: string } {
    if (!HASH.test(hash)) throw new Error('that is no hash of stored bytes')
    return { root: this.#root(), path: join(hash.slice(0, 2), hash) }
  }

  has(hash: string): boolean {
    const { root, path } = this.placeOf(hash)
    return existsSync(join(root, path))
  }

  read(hash: string): Readable {
    const { root, path } = this.placeOf(hash)
    return createReadStream(join(root, path))
  }

  /** All of them; for small ones. */
  bytes(hash: string): Promise<Buffer> {
    const { root, path } = this.placeOf(hash)
    return readFile(join(root, path))
  }

  /** Deletes these bytes; whoever reads them already goes on reading. */
  discard(hash: string): void {
    const { root, path } = this.placeOf(hash)
    rmSync(join(root, path), { force: true })
  }

  /** Deletes what was left by a crash: bytes that `isNamed` says no row names, and uploads that never ended. */
  async sweep(isNamed: (hash: string) => boolean): Promise<void> {
    const root = this.#folder ?? this.#wanted
    if (root === null || !existsSync(root)) return
    for (const name of await readdir(root)) {
      const folder = join(root, name)
      if (name === 'incoming') continue
      for (const hash of await filesIn(folder)) {
        if (HASH.test(hash) && !this.isPinned(hash) && !isNamed(hash)) this.discard(hash)
        // A server that starts has more urgent things to do.
        await nextTurn()
      }
    }
  }

  /** Deletes uploads that a crash has left. To be called before the first of this process begins. */
  clearIncoming(): void {
    if (this.#wanted !== null) rmSync(join(this.#wanted, 'incoming'), { recursive: true, force: true })
  }

  /** Deletes all there is of a database that keeps nothing. */
  close(): void {
    if (this.#wanted === null && this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Deletes all of it, and the folder that stores of several databases share where it is empty then. */
  remove(): void {
    this.close()
    if (this.#wanted === null) return
    rmSync(this.#wanted, { recursive: true, force: true })
    const shared = dirname(this.#wanted)
    if (existsSync(shared) && readdirSync(shared).length === 0) rmdirSync(shared)
  }

  #root(): string {
    if (this.#folder === null) {
      this.#folder = this.#wanted ?? mkdtempSync(join(tmpdir(), 'suite-sim-files-'))
      mkdirSync(this.#folder, { recursive: true })
    }
    return this.#folder
  }

  #pin(hash: string): void {
    this.#pins.set(hash, (this.#pins.get(hash) ?? 0) + 1)
  }

  async #put(path: string, hash: string): Promise<void> {
    const { root, path: place } = this.placeOf(hash)
    const target = join(root, place)
    await mkdir(dirname(target), { recursive: true })
    const isThere = await stat(target).then(
      () => true,
      () => false,
    )
    if (isThere) await rm(path, { force: true })
    else await rename(path, target)
  }
}
