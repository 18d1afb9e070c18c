/** Reads the bytes or the text of a file in pieces. Other requests run between two pieces. */
import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SheetProblem } from './limits.ts'

/** All bytes, or the path of the file. */
export type Source = { readonly bytes: Uint8Array } | { readonly path: string }

/** Bytes of a piece, which takes a parser some milliseconds at most. */
const PIECE = 16 * 1024

async function* piecesOf(source: Source): AsyncGenerator<Uint8Array> {
  if ('path' in source) {
    for await (const piece of createReadStream(source.path, { highWaterMark: PIECE })) {
      yield piece as Buffer
      await nextTurn()
    }
    return
  }
  for (let at = 0; at < source.bytes.length; at += PIECE) {
    yield source.bytes.subarray(at, at + PIECE)
    await nextTurn()
  }
}

/** Returns the first bytes of the file, up to one piece. */
export async function headOf(source: Source): Promise<Buffer> {
  for await (const piece of piecesOf(source)) return Buffer.from(piece)
  return Buffer.alloc(0)
}

/**
 * Decodes UTF-8 or UTF-16, with or without a byte order mark. With `older`, it also decodes Windows-1252,
 * which spreadsheet programs still write.
 */
export async function* textsOf(source: Source, { older = false } = {}): AsyncGenerator<string> {
  let decode: Decode | undefined
  for await (const piece of piecesOf(source)) {
    decode ??= decoderOf(encodingOf(piece), older)
    yield decode(piece)
  }
  if (decode) yield decode()
}

/** Returns the text of the next bytes; without bytes, the remaining text. */
type Decode = (piece?: Uint8Array) => string

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

function decoderOf(encoding: Encoding, older: boolean): Decode {
  const decode = older && encoding === 'utf-8' ? utf8OrOlder() : strictDecoder(encoding)
  return (piece) => {
    const text = decode(piece)
    if (text.includes('\0')) {
      throw new SheetProblem(
        'invalid_encoding',
        'The file contains NUL characters, so it is not a text file.',
      )
    }
    return text
  }
}

function strictDecoder(encoding: Encoding): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (piece) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch (error) {
      if (!isEncodingError(error)) throw error
      throw new SheetProblem(
        'invalid_encoding',
        encoding === 'utf-8'
          ? 'The file is not UTF-8. Save it as UTF-8.'
          : `The file looks like ${encoding.toUpperCase()}, but is invalid.`,
      )
    }
  }
}

/**
 * Decodes UTF-8, and changes to Windows-1252 if the first non-ASCII bytes are invalid UTF-8. Both are the
 * same up to there.
 */
function utf8OrOlder(): Decode {
  const decode = strictDecoder('utf-8')
  let isOlder = false
  let isAscii = true
  /** Bytes of a character that may continue in the next piece. */
  let pending = Buffer.alloc(0)
  return (piece) => {
    const bytes = piece ? Buffer.concat([pending, piece]) : pending
    if (isOlder) return piece ? windows1252(piece) : ''
    const end = piece ? endOfCharacters(bytes) : bytes.length
    pending = bytes.subarray(end)
    try {
      const text = decode(bytes.subarray(0, end)) + (piece ? '' : decode())
      isAscii &&= !NOT_ASCII.test(text)
      return text
    } catch (error) {
      if (!isAscii || !(error instanceof SheetProblem)) throw error
      isOlder = true
      return windows1252(bytes)
    }
  }
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const NOT_ASCII = /[^\u0000-\u007f]/

/** Returns where a piece can be cut without splitting a character: after its last ASCII byte near the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 0 && end > bytes.length - LONGEST_CHARACTER; end--) {
    if ((bytes[end - 1] ?? 0) < 0x80) return end
  }
  return bytes.length
}

/** Maximum bytes of a character in UTF-8. */
const LONGEST_CHARACTER = 4

/**
 * The characters of 0x80 to 0x9f, which are controls in Latin-1; five are undefined. A table, because some
 * decoders differ.
 */
const BEYOND_LATIN = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (control) => BEYOND_LATIN.charAt(control.charCodeAt(0) - 0x80))

const isEncodingError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'

/** Returns the encoding of the text that starts with these bytes. */
export const encodingOf = (head: Uint8Array): Encoding => markedEncoding(head) ?? unmarkedEncoding(head)

function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Bytes that the detection without a mark reads. */
const SAMPLE_SIZE = 512

/** In UTF-16, every second byte of Western text is 0, and the others are not. */
function unmarkedEncoding(bytes: Uint8Array): Encoding {
  const head = bytes.subarray(0, SAMPLE_SIZE)
  const zeros = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd * 4 > head.length) return 'utf-16le'
  if (odd === 0 && even * 4 > head.length) return 'utf-16be'
  return 'utf-8'
}
