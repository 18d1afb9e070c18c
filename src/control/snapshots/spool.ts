/**
 * A buffer for data that may be too large for memory: beyond one block, the data goes to a temporary file. The file is
 * deleted on close, even if the process is killed.
 */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The number of bytes that stay in memory, and the size of a read. */
const BLOCK = 256 * 1024

export class Spool {
  #file: FileHandle | null = null
  #bytesInFile = 0
  /** The bytes after those in the file. */
  #buffered: Buffer[] = []
  /** The total number of bytes added. */
  size = 0

  /** Adds bytes. Returns null if the buffer has room; otherwise a promise that resolves after the flush. */
  add(bytes: Buffer): Promise<void> | null {
    this.#buffered.push(bytes)
    this.size += bytes.length
    return this.size - this.#bytesInFile < BLOCK ? null : this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#buffered)
    this.#buffered = []
    const file = (this.#file ??= await openTemporary())
    const at = this.#bytesInFile
    this.#bytesInFile += bytes.length
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
  }

  /** Deletes all bytes. */
  async clear(): Promise<void> {
    this.#buffered = []
    this.#bytesInFile = 0
    this.size = 0
    await this.#file?.truncate(0)
  }

  /** Yields the bytes from `from` (inclusive) to `to` (exclusive), in blocks. */
  async *read(from = 0, to = this.size): AsyncGenerator<Buffer, void> {
    let at = from
    for (const end = Math.min(to, this.#bytesInFile); at < end;) {
      const wanted = Math.min(BLOCK, end - at)
      const read = await this.#file?.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      if (!read || read.bytesRead === 0) throw new Error('the spool file was truncated')
      at += read.bytesRead
      yield read.buffer.subarray(0, read.bytesRead)
    }
    if (at >= to) return
    const [only, ...others] = this.#buffered
    const rest = only && others.length === 0 ? only : Buffer.concat(this.#buffered)
    this.#buffered = [rest]
    yield rest.subarray(at - this.#bytesInFile, to - this.#bytesInFile)
  }

  /** Yields the lines from `from` (inclusive) to `to` (exclusive), without their line feeds. */
  async *lines(from: number, to: number): AsyncGenerator<Buffer, void> {
    let pending: Buffer[] = []
    for await (const block of this.read(from, to)) {
      let start = 0
      for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
        const rest = block.subarray(start, end)
        yield pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        start = end + 1
      }
      if (start < block.length) pending.push(block.subarray(start))
    }
  }

  /** Deletes the file. Repeated calls do nothing. */
  async close(): Promise<void> {
    await this.#file?.close()
  }
}

/** Opens a file that no folder lists, so that it is deleted when it is closed. */
async function openTemporary(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'suite-sim-'))
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
