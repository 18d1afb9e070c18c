/** Reads the bytes or the text of a file in pieces. Other requests run between two pieces. */
import { isAscii, isUtf8 } from 'node:buffer'
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

/** The text of some bytes, up to the first invalid one. */
interface Decoded {
  readonly text: string
  /** The predicate of a sentence about the invalid bytes. */
  readonly problem?: string
}

interface Codec {
  /** Returns where a piece can be cut without splitting a character. */
  readonly end: (bytes: Buffer) => number
  readonly decode: (bytes: Buffer) => Decoded
}

interface TextOptions {
  /** Names the place that the consumer has reached: "Row 7". */
  readonly place: () => string
  /** Whether the file may also be Windows-1252, which spreadsheet programs still write. */
  readonly older?: boolean
}

/**
 * Decodes UTF-8, UTF-16, or Windows-1252. All bytes of the file decide which, because a wrong choice changes
 * every name. UTF-16 has a byte order mark, or is Western text.
 */
export async function* textsOf(source: Source, options: TextOptions): AsyncGenerator<string> {
  const codec = await codecOf(source, options)
  let isStart = true
  for await (const bytes of cutPieces(source, codec)) {
    const { text: all, problem } = codec.decode(bytes)
    const text = isStart && all.startsWith(MARK) ? all.slice(MARK.length) : all
    const nul = text.indexOf('\0')
    // The consumer reaches the place of the problem first.
    yield nul < 0 ? text : text.slice(0, nul)
    const found = nul < 0 ? problem : HAS_NUL
    if (found !== undefined) throw new SheetProblem('invalid_encoding', `${options.place()} ${found}`)
    isStart = false
  }
}

const MARK = '\uFEFF'

const HAS_NUL =
  'contains a NUL character, so the file is binary, UTF-32, or UTF-16 without a byte order mark. Save it as UTF-8.'

/** Yields the pieces of a file. None ends inside a character, unless the file does. */
async function* cutPieces(source: Source, { end }: Pick<Codec, 'end'>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const piece of piecesOf(source)) {
    const bytes = Buffer.concat([rest, piece])
    const at = end(bytes)
    rest = bytes.subarray(at)
    yield bytes.subarray(0, at)
  }
  if (rest.length > 0) yield rest
}

async function codecOf(source: Source, { older = false }: TextOptions): Promise<Codec> {
  const head = await headOf(source)
  const encoding = encodingOf(head)
  if (encoding !== 'utf-8') return utf16(encoding)
  if (!older || head.toString().startsWith(MARK)) return utf8('is not UTF-8. Save the whole file as UTF-8.')
  if (await isWithoutUtf8(source)) return windows1252
  return utf8('is not UTF-8, but other parts of the file are. Save the whole file as UTF-8.')
}

/** Checks whether a text is not UTF-8, and no part of it is. */
async function isWithoutUtf8(source: Source): Promise<boolean> {
  let [isInvalid, hasUtf8] = [false, false]
  for await (const bytes of cutPieces(source, { end: endOfUtf8 })) {
    if (isAscii(bytes)) continue
    isInvalid ||= !isUtf8(bytes)
    hasUtf8 ||= CERTAIN_SEQUENCE.test(bytes.toString('latin1'))
    if (isInvalid && hasUtf8) return false
  }
  return isInvalid
}

/** Characters of more than one byte in UTF-8, one character for each byte. */
const sequences = (ofTwo: string): string =>
  [
    `[${ofTwo}][\\x80-\\xbf]`,
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
  ].join('|')

const SEQUENCES = new RegExp(sequences('\\xc2-\\xdf'), 'g')

/** A sequence that begins with 0xc9 is a phonetic letter in UTF-8, and in Windows-1252 É before a quotation mark. */
const CERTAIN_SEQUENCE = new RegExp(sequences('\\xc2-\\xc8\\xca-\\xdf'))

const utf8 = (problem: string): Codec => ({
  end: endOfUtf8,
  decode(bytes) {
    if (isUtf8(bytes)) return { text: bytes.toString() }
    const invalid = bytes
      .toString('latin1')
      .replaceAll(SEQUENCES, (sequence) => ' '.repeat(sequence.length))
      .search(/[\x80-\xff]/)
    return { text: bytes.toString('utf8', 0, invalid), problem }
  },
})

/** Returns the end of the last whole character. */
function endOfUtf8(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0)
      return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Maximum bytes of a character in UTF-8. */
const LONGEST_CHARACTER = 4

/**
 * The characters of 0x80 to 0x9f, which are controls in Latin-1; five are undefined. A table, because some
 * decoders differ.
 */
const BEYOND_LATIN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const windows1252: Codec = {
  end: ({ length }) => length,
  decode(bytes) {
    const text = bytes
      .toString('latin1')
      .replaceAll(/[\u0080-\u009f]/g, (control) => BEYOND_LATIN.charAt(control.charCodeAt(0) - 0x80))
    const invalid = text.search(/[\u0080-\u009f]/)
    if (invalid < 0) return { text }
    const byte = `0x${text.charCodeAt(invalid).toString(16)}`
    return {
      text: text.slice(0, invalid),
      problem: `is neither UTF-8 nor Windows-1252, which has no character ${byte}. Save the file as UTF-8.`,
    }
  },
}

const utf16 = (encoding: Exclude<Encoding, 'utf-8'>): Codec => {
  const littleEndian = (bytes: Buffer): Buffer =>
    encoding === 'utf-16le' ? bytes : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()
  return {
    end(bytes) {
      const end = bytes.length & ~1
      const last = end === 0 ? 0 : (bytes[encoding === 'utf-16le' ? end - 1 : end - 2] ?? 0)
      return last >= 0xd8 && last <= 0xdb ? end - 2 : end
    },
    decode(bytes) {
      const text = littleEndian(bytes).toString('utf16le')
      if (text.isWellFormed() && bytes.length % 2 === 0) return { text }
      const invalid = text.search(LONE_SURROGATE)
      return {
        text: invalid < 0 ? text : text.slice(0, invalid),
        problem: `is not valid ${encoding.toUpperCase()}. Save the file as UTF-8.`,
      }
    },
  }
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

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
