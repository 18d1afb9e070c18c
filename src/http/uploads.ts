/** Files that were sent in a form: a small one is in memory, a larger one on disk until the request is answered. */
import { createReadStream } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Bytes of a file up to which it stays in memory. */
export const LARGEST_IN_MEMORY = 64 * 1024

/** Either all bytes, or where they lie. */
type Content = { readonly bytes: Buffer } | { readonly path: string }

/** A file of a form. */
export class Upload {
  /** Without folders; empty where none was named. */
  readonly filename: string
  /** As the caller has labelled it, in lower case: "text/csv". */
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /**
   * What it holds, for those that hand it on: to another thread, or to the store of files, which takes a path over. A path
   * is good until the request is answered.
   */
  readonly content: Content

  constructor(filename: string, contentType: string, size: number, content: Content) {
    this.filename = filename
    this.contentType = contentType
    this.size = size
    this.content = content
  }

  /** The same as the store of files takes it: bytes, or the path of a file that may be taken over. */
  get source(): Buffer | string {
    return 'path' in this.content ? this.content.path : this.content.bytes
  }

  /** What it holds, from the beginning. */
  stream(): Readable {
    const { content } = this
    return 'path' in content ? createReadStream(content.path) : Readable.from([content.bytes])
  }

  /** All that it holds at once; for files whose operation keeps them small. */
  async bytes(): Promise<Buffer> {
    return 'path' in this.content ? readFile(this.content.path) : this.content.bytes
  }
}

/** Takes up what a file of a form holds, as it comes in. */
export class Receiver {
  readonly #nextPath: () => string
  #pieces: Buffer[] = []
  #size = 0
  #path: string | null = null
  #file: FileHandle | null = null

  constructor(nextPath: () => string) {
    this.#nextPath = nextPath
  }

  async take(piece: Buffer): Promise<void> {
    this.#size += piece.length
    this.#pieces.push(piece)
    if (this.#size > LARGEST_IN_MEMORY) await this.#flush()
  }

  /** The whole of it. */
  async end(filename: string, contentType: string): Promise<Upload> {
    if (this.#path !== null) await this.close()
    const content = this.#path === null ? { bytes: Buffer.concat(this.#pieces) } : { path: this.#path }
    return new Upload(filename, contentType, this.#size, content)
  }

  /** Writes no more. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close()
  }

  async #flush(): Promise<void> {
    if (this.#path === null) {
      this.#path = this.#nextPath()
      this.#file = await open(this.#path, 'wx', 0o600)
    }
    const pieces = this.#pieces
    this.#pieces = []
    for (const piece of pieces) await this.#file?.writeFile(piece)
  }
}
