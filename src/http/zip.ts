/**
 * ZIP archives that others have sent: whether one is well formed, and the files in it, unpacked piece by piece. Fifty
 * kilobytes can unpack to fifty megabytes a thousand times over, so what its directory says of all files has a limit, and
 * a file that holds more than its directory says is given up.
 */
import type { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'

export interface ZipLimits {
  /** Bytes that the archive may unpack to. */
  readonly unpacked: number
  /** Files that it may hold. */
  readonly files: number
}

/** What is wrong with an archive, in a clause: "it is cut off". */
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

  /** What a file of it holds, piece by piece; null when there is none of this path. Throws a ZipProblem on the way. */
  file(path: string): AsyncGenerator<Buffer> | null {
    const entry = this.#entries.get(path)
    return entry ? piecesOf(this.#zip, entry) : null
  }

  close(): void {
    this.#zip.close()
  }
}

/** Opens the archive, given as its bytes or as the path where it lies; throws a ZipProblem for one that must not be unpacked. */
export async function openArchive(source: Buffer | string, limits: ZipLimits): Promise<Archive> {
  const { fromBufferPromise, openPromise } = await import('yauzl')
  const options = { validateEntrySizes: true, decodeStrings: true, autoClose: false }
  const zip = await judged(
    'it is no ZIP archive, or is cut off',
    typeof source === 'string' ? openPromise(source, options) : fromBufferPromise(source, options),
  )
  try {
    if (zip.entryCount > limits.files) {
      throw new ZipProblem('too_large', `it holds more than ${String(limits.files)} files`)
    }
    return new Archive(zip, await entriesOf(zip, limits))
  } catch (error) {
    zip.close()
    throw error
  }
}

/** By their paths. */
async function entriesOf(zip: ZipFile, limits: ZipLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let unpacked = 0
  const listed = zip.eachEntry()
  for (;;) {
    const next = await judged('its directory is damaged', listed.next())
    if (next.done) return entries
    const entry = next.value
    unpacked += entry.uncompressedSize
    if (unpacked > limits.unpacked) {
      throw new ZipProblem('too_large', `it unpacks to more than ${String(limits.unpacked / 2 ** 20)} MiB`)
    }
    if (entries.has(entry.fileName)) throw malformed('it holds two files of one name')
    entries.set(entry.fileName, entry)
  }
}

async function* piecesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  if (!entry.canDecodeFileData()) throw malformed('it is packed in a way that is not read here')
  const content = await judged('it is cut off or damaged', zip.openReadStreamPromise(entry))
  const pieces = (content as Readable & AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await judged('a file in it is damaged or not as large as it says', pieces.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    content.destroy()
  }
}

/** What came of a step of the reader; where the archive is to blame for its failure, that is the problem. */
async function judged<Value>(problem: string, step: Promise<Value>): Promise<Value> {
  try {
    return await step
  } catch (error) {
    throw isOfArchive(error) ? malformed(problem) : error
  }
}

/** The reader tells of an archive by plain errors, and zlib by ones with codes of its own: Z_DATA_ERROR, Z_BUF_ERROR. */
const isOfArchive = (error: unknown): boolean =>
  error instanceof Error &&
  ('code' in error ? String(error.code).startsWith('Z_') : Object.getPrototypeOf(error) === Error.prototype)

const malformed = (message: string): ZipProblem => new ZipProblem('malformed', message)
