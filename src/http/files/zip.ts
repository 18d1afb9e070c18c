/**
 * Reads uploaded ZIP archives piece by piece. Against zip bombs, the unpacked size in the directory has a
 * limit, and a file that is larger than its directory entry is refused.
 */
import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'

export interface ZipLimits {
  /** Maximum unpacked bytes. */
  readonly unpacked: number
  /** Maximum number of files. */
  readonly files: number
}

/** An invalid archive; the message is a clause: "it is cut off". */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem'
  readonly code: 'malformed' | 'too_large'

  constructor(code: 'malformed' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

/** An archive whose directory has been read. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>

  constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** The paths of its files. */
  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  /** Returns the content of a file in pieces; null if no file has this path. Reading may throw a ZipProblem. */
  file(path: string): AsyncGenerator<Buffer> | null {
    const entry = this.#entries.get(path)
    return entry ? piecesOf(this.#zip, entry) : null
  }

  close(): void {
    this.#zip.close()
  }
}

/** Opens the archive from its bytes or its path; throws a ZipProblem for one that is invalid or too large. */
export async function openArchive(source: Buffer | string, limits: ZipLimits): Promise<Archive> {
  const { fromBufferPromise, openPromise } = await import('yauzl')
  const options = { validateEntrySizes: true, decodeStrings: true, autoClose: false }
  const zip = await convertErrors(
    'it is not a ZIP archive, or is cut off',
    typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options),
  )
  try {
    if (zip.entryCount > limits.files) {
      throw new ZipProblem('too_large', `it contains more than ${String(limits.files)} files`)
    }
    return new Archive(zip, await entriesOf(zip, limits))
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Returns the entries by path. */
async function entriesOf(zip: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let unpacked = 0
  const listed = zip.eachEntry()
  for (;;) {
    const next = await convertErrors('its directory is damaged', listed.next())
    if (next.done) return entries
    const entry = next.value
    unpacked += entry.uncompressedSize
    if (unpacked > limits.unpacked) {
      throw new ZipProblem('too_large', `it unpacks to more than ${String(limits.unpacked / 2 ** 20)} MiB`)
    }
    if (entries.has(entry.fileName)) throw malformed('it contains two files with the same name')
    entries.set(entry.fileName, entry)
  }
}

async function* piecesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (!entry.canDecodeFileData()) throw malformed('its compression method is not supported')
  const content = await convertErrors('it is cut off or damaged', zip.openReadStreamPromise(entry))
  const pieces = (content as Readable & AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await convertErrors(
        'a file in it is damaged or has another size than the directory says',
        pieces.next(),
      )
      if (next.done) return
      yield next.value
    }
  } finally {
    content.destroy()
  }
}

/** Returns the result of a step of the reader. Converts an error of the archive to a ZipProblem. */
async function convertErrors<Value>(problem: string, step: Promise<Value>): Promise<Value> {
  try {
    return await step
  } catch (error) {
    throw isOfArchive(error) ? malformed(problem) : error
  }
}

/**
 * The reader reports invalid archives as plain errors, and zlib with its own codes: Z_DATA_ERROR,
 * Z_BUF_ERROR.
 */
const isOfArchive = (error: unknown): boolean =>
  error instanceof Error &&
  ('code' in error ? String(error.code).startsWith('Z_') : Object.getPrototypeOf(error) === Error.prototype)

const malformed = (message: string): ZipProblem => new ZipProblem('malformed', message)
