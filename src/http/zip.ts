/**
 * ZIP archives before they are unpacked: whether one is well formed and unpacks to what it says, and to how much.
 * Fifty kilobytes can unpack to fifty megabytes a thousand times over, and a directory can lie about it; so each file
 * is unpacked here once, in another thread and into nothing, and given up as soon as it holds more than it says.
 */
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
  const files = filesOf(bytes, limits.files)
  let unpacked = 0
  for (const file of files) unpacked += file.unpacked
  if (unpacked > limits.unpacked) {
    throw new ZipProblem('too_large', `it unpacks to more than ${String(limits.unpacked / 2 ** 20)} MiB`)
  }
  for (const file of files) {
    onlooker.nextFile()
    if (file.isDeflated) await mustHold(file, onlooker)
    else onlooker.look(file.bytes)
  }
}

interface ZippedFile {
  /** As they stand in the archive. */
  readonly bytes: Buffer
  readonly isDeflated: boolean
  /** Bytes that it says it unpacks to. */
  readonly unpacked: number
}

const LOCAL_FILE = 0x04034b50
const DIRECTORY_ENTRY = 0x02014b50
const DIRECTORY_END = 0x06054b50
const WIDE_DIRECTORY = 0x07064b50

const DIRECTORY_END_SIZE = 22
const WIDE_DIRECTORY_SIZE = 20
const LONGEST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8

function filesOf(bytes: Buffer, most: number): ZippedFile[] {
  try {
    return entries(bytes, most)
  } catch (error) {
    // A place that lies outside of the file.
    if (error instanceof RangeError) throw malformed('it is cut off or damaged')
    throw error
  }
}

function entries(bytes: Buffer, most: number): ZippedFile[] {
  const end = directoryEnd(bytes)
  const count = bytes.readUInt16LE(end + 8)
  if (count > most) throw new ZipProblem('too_large', `it holds more than ${String(most)} files`)
  const files: ZippedFile[] = []
  let packed = 0
  let at = bytes.readUInt32LE(end + 16)
  while (files.length < count) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw malformed('its directory is damaged')
    const file = fileAt(bytes, at)
    packed += file.bytes.length
    files.push(file)
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  // The same bytes can be listed as many files, and would be unpacked as often.
  if (packed > bytes.length) throw malformed('its files overlap')
  return files
}

/** The last place that looks like one, which is where readers look for it. */
function directoryEnd(bytes: Buffer): number {
  const last = bytes.length - DIRECTORY_END_SIZE
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_END) continue
    const wide = at - WIDE_DIRECTORY_SIZE
    if (wide >= 0 && bytes.readUInt32LE(wide) === WIDE_DIRECTORY) {
      throw malformed('it is a ZIP64 archive, which no file of this size needs to be')
    }
    return at
  }
  throw malformed('it is no ZIP archive, or is cut off')
}

function fileAt(bytes: Buffer, entry: number): ZippedFile {
  const method = bytes.readUInt16LE(entry + 10)
  const packed = bytes.readUInt32LE(entry + 20)
  const unpacked = bytes.readUInt32LE(entry + 24)
  const local = bytes.readUInt32LE(entry + 42)
  if (bytes.readUInt32LE(local) !== LOCAL_FILE) throw malformed('its directory is damaged')
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (start + packed > bytes.length) throw malformed('it is cut off or damaged')
  if (method !== STORED && method !== DEFLATED) throw malformed('it is packed in a way that is not read here')
  if (method === STORED && packed !== unpacked) throw malformed('a file in it is not as large as it says')
  return { bytes: bytes.subarray(start, start + packed), isDeflated: method === DEFLATED, unpacked }
}

/** Unpacks a file to see how much it holds, and keeps nothing of it. */
async function mustHold(file: ZippedFile, onlooker: Onlooker): Promise<void> {
  let held = 0
  try {
    const { createInflateRaw } = await import('node:zlib')
    const inflate = createInflateRaw({ chunkSize: PIECE })
    inflate.end(file.bytes)
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      held += piece.length
      if (held > file.unpacked) throw malformed('a file in it is larger than it says')
      onlooker.look(piece)
    }
  } catch (error) {
    throw isDamage(error) ? malformed('a file in it is damaged') : error
  }
  if (held < file.unpacked) throw malformed('a file in it is not as large as it says')
}

/** Bytes that are unpacked before other requests get their turn. */
const PIECE = 1 << 16

/** The errors of zlib have codes of their own: Z_DATA_ERROR, Z_BUF_ERROR. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

const malformed = (message: string): ZipProblem => new ZipProblem('malformed', message)
