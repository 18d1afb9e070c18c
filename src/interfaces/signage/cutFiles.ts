/**
 * Detects pictures and videos that end before their content, such as half an upload. Reads only headers and ends; only a
 * photograph with data after its end is searched as a whole.
 */
import { open } from 'node:fs/promises'

interface Source {
  readonly size: number
  /** Reads up to `length` bytes, fewer at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Buffer>
}

/** Returns true if the file of this type is cut off. A type without an end that can be checked counts as whole. */
export async function isCutOff(path: string, mimeType: string): Promise<boolean> {
  const check = CHECKS[mimeType]
  if (!check) return false
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return await check({
      size,
      async read(position, length) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, position))
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await file.close()
  }
}

/** The maximum number of chunks, segments or boxes that are read. Enough for 512 MiB in the usual chunks of 8 KiB. */
const MAX_PARTS = 65_536

// ---------------------------------------------------------------- pictures

const IEND = Buffer.from('0000000049454e44ae426082', 'hex')

/** Follows the chunks to the last one (IEND), unless the file ends with it. */
async function isCutPng({ size, read }: Source): Promise<boolean> {
  if ((await read(size - IEND.length, IEND.length)).equals(IEND)) return false
  let at = 8
  for (let count = 0; count < MAX_PARTS; count++) {
    const header = await read(at, 8)
    if (header.length < 8) return true
    at += 12 + header.readUInt32BE(0)
    if (at > size) return true
    if (header.toString('latin1', 4) === 'IEND') return false
  }
  return false
}

const END_OF_PHOTOGRAPH = Buffer.from('ffd9', 'hex')
const MARK = 0xff
const START_OF_SCAN = 0xda

/** Searches the end mark, which a scan can't contain, but a segment before it can, such as one with a thumbnail. */
async function isCutJpeg({ size, read }: Source): Promise<boolean> {
  if ((await read(size - 2, 2)).equals(END_OF_PHOTOGRAPH)) return false
  let at = 2
  for (let count = 0; count < MAX_PARTS; count++) {
    const header = await read(at, 4)
    if (header.length < 4) return true
    if (header[0] !== MARK) return false
    if (header[1] === START_OF_SCAN) return !(await includesFrom(at, END_OF_PHOTOGRAPH, { size, read }))
    // A mark may have filling bytes before it.
    at += header[1] === MARK ? 1 : 2 + header.readUInt16BE(2)
  }
  return false
}

const WINDOW = 1_048_576

async function includesFrom(start: number, wanted: Buffer, { size, read }: Source): Promise<boolean> {
  for (let at = start; at < size; at += WINDOW) {
    if ((await read(at, WINDOW + wanted.length - 1)).includes(wanted)) return true
  }
  return false
}

/** The bytes at the end in which a final mark may be followed by other bytes. */
const TAIL = 16_384

/** The last block ends with 0, and the trailer is ";". Some programs fill the file up with zeros. */
async function isCutGif({ size, read }: Source): Promise<boolean> {
  const tail = await read(size - TAIL, TAIL)
  return !/\0;[\0\s]*$/.test(tail.toString('latin1'))
}

/** The header has the number of bytes after itself and this number. */
async function isCutWebp({ size, read }: Source): Promise<boolean> {
  const header = await read(0, 8)
  return header.length < 8 || 8 + header.readUInt32LE(4) > size
}

// ---------------------------------------------------------------- videos

/** Follows the boxes of the first level. A video without frames (mdat) has lost them. */
async function isCutMp4({ size, read }: Source): Promise<boolean> {
  let hasFrames = false
  let at = 0
  for (let count = 0; count < MAX_PARTS; count++) {
    const header = await read(at, 16)
    // Some cameras add bytes that are no box.
    if (header.length < 8 || !/^[\x20-\x7e\xa9]{4}$/.test(header.toString('latin1', 4, 8))) break
    hasFrames ||= header.toString('latin1', 4, 8) === 'mdat'
    const short = header.readUInt32BE(0)
    if (short === 1 && header.length < 16) return true
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short
    // 0 means that the box lasts until the end of the file.
    if (length < 8) break
    at += length
    if (at > size) return true
  }
  return !hasFrames
}

const SEGMENT = '18538067'

/** The segment, which has the whole video, follows the header. A recording may not know its length. */
async function isCutWebm({ size, read }: Source): Promise<boolean> {
  const header = numberIn(await read(4, 8))
  if (header === null) return true
  const start = 4 + header.length + header.value
  const segment = await read(start, 12)
  if (segment.toString('hex', 0, 4) !== SEGMENT) return segment.length < 4
  const content = numberIn(segment.subarray(4))
  if (content === null) return true
  return content.value !== UNKNOWN && start + 4 + content.length + content.value > size
}

const UNKNOWN = Infinity

/** Reads a number of EBML. The zeros before its first bit tell its length. */
function numberIn(bytes: Buffer): { readonly length: number; readonly value: number } | null {
  const [first = 0] = bytes
  const length = Math.clz32(first) - 23
  if (length > 8 || length > bytes.length) return null
  const rest = [...bytes.subarray(1, length)]
  const start = first & (0xff >> length)
  const isUnknown = start === 0xff >> length && rest.every((byte) => byte === 0xff)
  return { length, value: isUnknown ? UNKNOWN : rest.reduce((value, byte) => value * 256 + byte, start) }
}

const CHECKS: Readonly<Record<string, (file: Source) => Promise<boolean>>> = {
  'image/png': isCutPng,
  'image/jpeg': isCutJpeg,
  'image/gif': isCutGif,
  'image/webp': isCutWebp,
  'video/mp4': isCutMp4,
  'video/quicktime': isCutMp4,
  'video/webm': isCutWebm,
}
