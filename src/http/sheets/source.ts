/** The bytes of a file piece by piece, and as text. Other requests are answered between two pieces. */
import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SheetProblem } from './limits.ts'

/** All bytes, or where they lie. */
export type Source = { readonly bytes: Uint8Array } | { readonly path: string }

/** Bytes of a piece: what takes a parser some milliseconds at worst. */
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

/** Its first bytes, some thousand at least unless it is smaller. */
export async function headOf(source: Source): Promise<Buffer> {
  for await (const piece of piecesOf(source)) return Buffer.from(piece)
  return Buffer.alloc(0)
}

/**
 * UTF-8 or UTF-16, with or without a byte order mark; and Windows-1252, which spreadsheet programs still write, where
 * `older` says that it may be.
 */
export async function* textsOf(source: Source, { older = false } = {}): AsyncGenerator<string> {
  let decode: Decode | undefined
  for await (const piece of piecesOf(source)) {
    decode ??= decoderOf(encodingOf(piece), older)
    yield decode(piece)
  }
  if (decode) yield decode()
}

/** The text of the next bytes; without any, of what is left. */
type Decode = (piece?: Uint8Array) => string

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

function decoderOf(encoding: Encoding, older: boolean): Decode {
  const decode = older && encoding === 'utf-8' ? utf8OrOlder() : strictly(encoding)
  return (piece) => {
    const text = decode(piece)
    if (text.includes('\0')) {
      throw new SheetProblem('invalid_encoding', 'The file holds NUL characters, and so is no text.')
    }
    return text
  }
}

function strictly(encoding: Encoding): Decode {
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
          : `The file seems to be ${encoding.toUpperCase()}, and is not.`,
      )
    }
  }
}

/**
 * UTF-8 for as long as all of it is; Windows-1252 where the first bytes that are no ASCII are no UTF-8 either, for up to
 * there the two are the same.
 */
function utf8OrOlder(): Decode {
  const decode = strictly('utf-8')
  let isOlder = false
  let isAscii = true
  /** Bytes of a character that the next piece may go on with. */
  let held = Buffer.alloc(0)
  return (piece) => {
    const bytes = piece ? Buffer.concat([held, piece]) : held
    if (isOlder) return piece ? windows1252(piece) : ''
    const end = piece ? wholeUpTo(bytes) : bytes.length
    held = bytes.subarray(end)
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

/** Where a piece can be cut without cutting a character: after its last byte of ASCII, where that is near its end. */
function wholeUpTo(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 0 && end > bytes.length - LONGEST_CHARACTER; end--) {
    if ((bytes[end - 1] ?? 0) < 0x80) return end
  }
  return bytes.length
}

/** Bytes of a character in UTF-8. */
const LONGEST_CHARACTER = 4

/** What stands at 0x80 to 0x9f, where Latin-1 has controls; five places are empty. Written down, for some decoders err. */
const BEYOND_LATIN = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009f]/g, (control) => BEYOND_LATIN.charAt(control.charCodeAt(0) - 0x80))

const isEncodingError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'

/** How the text that begins so is written. */
export const encodingOf = (head: Uint8Array): Encoding => markedEncoding(head) ?? unmarkedEncoding(head)

function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Bytes in which the encoding of a text without a mark shows. */
const LOOKED_AT = 512

/** In UTF-16 each second byte of Western texts is 0, and none of the others is. */
function unmarkedEncoding(bytes: Uint8Array): Encoding {
  const head = bytes.subarray(0, LOOKED_AT)
  const zeros = [0, 0]
  head.forEach((byte, place) => {
    if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd * 4 > head.length) return 'utf-16le'
  if (odd === 0 && even * 4 > head.length) return 'utf-16be'
  return 'utf-8'
}
