/**
 * ZIP archives before they are unpacked: whether one is well formed and unpacks to what it says, and to how much.
 * Fifty kilobytes can unpack to fifty megabytes a thousand times over, and a directory can lie about it; so each file
 * is unpacked here once, in another thread and into nothing, and given up as soon as it holds more than it says.
 *
 * What unpacks it in the end is another reader than this one. Where the two could take the same bytes for different
 * archives, the archive is refused.
 */
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

/** Sees what an archive unpacks to, piece by piece. */
export interface Onlooker {
  look(piece: Buffer): void
  /** The pieces that come next are another file's. */
  nextFile(): void
}

const NOBODY: Onlooker = { look: () => undefined, nextFile: () => undefined }

/** Throws a ZipProblem for an archive that must not be unpacked; `onlooker` sees all that one would unpack to. */
export async function mustUnpackWithin(
  bytes: Buffer,
  limits: ZipLimits,
  onlooker: Onlooker = NOBODY,
): Promise<void> {
  const archive = await open(bytes)
  if (archive.entryCount > limits.files) {
    throw new ZipProblem('too_large', `it holds more than ${String(limits.files)} files`)
  }
  const entries = await entriesOf(archive)
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  if (unpacked > limits.unpacked) {
    throw new ZipProblem('too_large', `it unpacks to more than ${String(limits.unpacked / 2 ** 20)} MiB`)
  }
  // The same bytes can be listed as many files, and would be unpacked as often.
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
  if (packed > bytes.length) throw malformed('its files overlap')
  for (const entry of entries) {
    onlooker.nextFile()
    await unpack(archive, entry, onlooker)
  }
}

const DIRECTORY_END_SIZE = 22
const WIDE_DIRECTORY = 0x07064b50
const WIDE_DIRECTORY_SIZE = 20

async function open(bytes: Buffer): Promise<ZipFile> {
  const { fromBufferPromise } = await import('yauzl')
  const archive = await judged(
    'it is no ZIP archive, or is cut off',
    fromBufferPromise(bytes, { validateEntrySizes: true, decodeStrings: true }),
  )
  const end = bytes.length - DIRECTORY_END_SIZE - archive.comment.length
  const wide = end - WIDE_DIRECTORY_SIZE
  if (wide >= 0 && bytes.readUInt32LE(wide) === WIDE_DIRECTORY) throw malformed(WIDE)
  // The files of this disk and of all disks: readers differ in which of the two they go by.
  if (bytes.readUInt16LE(end + 8) !== archive.entryCount) throw malformed(DAMAGED_DIRECTORY)
  return archive
}

const WIDE = 'it is a ZIP64 archive, which no file of this size needs to be'
const DAMAGED_DIRECTORY = 'its directory is damaged'

/** What an extra field with sizes of 64 bits is known by. */
const WIDE_SIZES = 1

async function entriesOf(archive: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  const listed = archive.eachEntry()
  for (;;) {
    const next = await judged(DAMAGED_DIRECTORY, listed.next())
    if (next.done) return entries
    const entry = next.value
    if (entry.extraFields.some(({ id, data }) => id === WIDE_SIZES && data.length > 0)) throw malformed(WIDE)
    if (!entry.canDecodeFileData()) throw malformed('it is packed in a way that is not read here')
    entries.push(entry)
  }
}

/** Unpacks a file to see what it holds, and keeps nothing of it. */
async function unpack(archive: ZipFile, entry: Entry, onlooker: Onlooker): Promise<void> {
  const content = await judged('it is cut off or damaged', archive.openReadStreamPromise(entry))
  const pieces = (content as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  for (;;) {
    const next = await judged('a file in it is damaged or not as large as it says', pieces.next())
    if (next.done) return
    onlooker.look(next.value)
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
