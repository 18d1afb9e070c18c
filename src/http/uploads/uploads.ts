/** Uploaded files: small ones are in memory, larger ones on disk until the response. */
import { createReadStream } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Maximum bytes of a file in memory. */
export const LARGEST_IN_MEMORY = 64 * 1024

/** All bytes, or the path of the file. */
type Content = { readonly bytes: Buffer } | { readonly path: string }

/** An uploaded file. */
export class Upload {
  /** The name without folders; empty if the form has none. */
  readonly filename: string
  /** The Content-Type from the caller, in lower case: "text/csv". */
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /**
   * The content, for another thread or for the file store, which moves a file from its path. A path is valid
   * until the response.
   */
  readonly content: Content

  constructor(filename: string, contentType: string, size: number, content: Content) {
    this.filename = filename
    this.contentType = contentType
    this.size = size
    this.content = content
  }

  /** The content for the file store: bytes, or a path that the store may move. */
  get source(): Buffer | string {
    return 'path' in this.content ? this.content.path : this.content.bytes
  }

  /** Returns the content as a stream. */
  stream(): Readable {
    const { content } = this
    return 'path' in content ? createReadStream(content.path) : Readable.from([content.bytes])
  }

  /** Returns all bytes at once; for operations that accept only small files. */
  async bytes(): Promise<Buffer> {
    return 'path' in this.content ? readFile(this.content.path) : this.content.bytes
  }
}

/** Returns the name, type and size of an uploaded file; null for other values. */
export const uploadFacts = (
  value: unknown,
): { readonly filename: string; readonly contentType: string; readonly size: number } | null =>
  value instanceof Upload
    ? { filename: value.filename, contentType: value.contentType, size: value.size }
    : null

/** Collects the content of an uploaded file as it arrives. */
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

  /** Returns the complete upload. */
  async end(filename: string, contentType: string): Promise<Upload> {
    if (this.#path !== null) await this.close()
    const content = this.#path === null ? { bytes: Buffer.concat(this.#pieces) } : { path: this.#path }
    return new Upload(filename, contentType, this.#size, content)
  }

  /** Closes the file. */
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
