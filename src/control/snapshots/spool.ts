/** A temporary file for data that is too large for memory. It is deleted on close, even if the process is killed. */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The size of a write buffer and of a read, in bytes. */
const BLOCK = 256 * 1024

export class Spool {
  readonly #file: FileHandle
  #blocks: Buffer[] = []
  #bufferedBytes = 0
  /** The total number of bytes added. */
  size = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'suite-sim-'))
    try {
      return new Spool(await open(join(folder, 'spool'), 'wx+', 0o600))
    } finally {
      // The open file stays usable after its folder is deleted.
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Adds bytes. Returns null if the buffer has room; otherwise a promise that resolves after the flush. */
  add(bytes: Buffer): Promise<void> | null {
    this.#blocks.push(bytes)
    this.#bufferedBytes += bytes.length
    this.size += bytes.length
    return this.#bufferedBytes < BLOCK ? null : this.flush()
  }

  /** Writes the buffered bytes to the file. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#blocks)
    const at = this.size - bytes.length
    this.#blocks = []
    this.#bufferedBytes = 0
    await this.#writeAll(bytes, at)
  }

  async #writeAll(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
  }

  /** Deletes all bytes. */
  async clear(): Promise<void> {
    this.#blocks = []
    this.#bufferedBytes = 0
    this.size = 0
    await this.#file.truncate(0)
  }

  /** Yields the bytes from `from` (inclusive) to `to` (exclusive), in blocks. */
  async *read(from = 0, to = this.size): AsyncGenerator<Buffer, void> {
    for (let at = from; at < to;) {
      const wanted = Math.min(BLOCK, to - at)
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      if (bytesRead === 0) throw new Error('the spool file was truncated')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
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

  close(): Promise<void> {
    return this.#file.close()
  }
}
