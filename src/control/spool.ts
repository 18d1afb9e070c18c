/** A file for what is too much for memory, gone when it is closed: also when the process is killed. */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that are gathered before they are written, and read at a time. */
const BLOCK = 256 * 1024

export class Spool {
  readonly #file: FileHandle
  #blocks: Buffer[] = []
  #gathered = 0
  /** Bytes so far. */
  size = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), 'suite-sim-'))
    try {
      return new Spool(await open(join(folder, 'spool'), 'wx+', 0o600))
    } finally {
      // Whoever has it open goes on having it.
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Adds bytes; null when there is room for more, else resolves when there is. */
  add(bytes: Buffer): Promise<void> | null {
    this.#blocks.push(bytes)
    this.#gathered += bytes.length
    this.size += bytes.length
    return this.#gathered < BLOCK ? null : this.flush()
  }

  /** Writes what was gathered. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#blocks)
    const at = this.size - bytes.length
    this.#blocks = []
    this.#gathered = 0
    await this.#writeAll(bytes, at)
  }

  async #writeAll(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
  }

  /** Forgets all of it. */
  async clear(): Promise<void> {
    this.#blocks = []
    this.#gathered = 0
    this.size = 0
    await this.#file.truncate(0)
  }

  /** The bytes from one place to just before another, in blocks. */
  async *read(from = 0, to = this.size): AsyncGenerator<Buffer, void> {
    for (let at = from; at < to;) {
      const wanted = Math.min(BLOCK, to - at)
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
      if (bytesRead === 0) throw new Error('the spool is shorter than it was')
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** The lines from one place to just before another, each ended by a line feed. */
  async *lines(from: number, to: number): AsyncGenerator<Buffer, void> {
    let begun: Buffer[] = []
    for await (const block of this.read(from, to)) {
      let start = 0
      for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
        const rest = block.subarray(start, end)
        yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
        begun = []
        start = end + 1
      }
      if (start < block.length) begun.push(block.subarray(start))
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
