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

/** UTF-8 with or without a byte order mark, or UTF-16 with one. */
export async function* textsOf(source: Source): AsyncGenerator<string> {
  let decode: Decode | undefined
  for await (const piece of piecesOf(source)) {
    decode ??= decoderOf(markedEncoding(piece) ?? 'utf-8')
    yield decode(piece)
  }
  if (decode) yield decode()
}

/** The text of the next bytes; without any, of what is left. */
type Decode = (piece?: Uint8Array) => string

function decoderOf(encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (piece) => {
    let text: string
    try {
      text = piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch (error) {
      if (!isEncodingError(error)) throw error
      throw new SheetProblem(
        'invalid_encoding',
        encoding === 'utf-8'
          ? 'The file is not UTF-8; it looks like Latin-1 or Windows-1252. Save it as UTF-8.'
          : `The file says that it is ${encoding.toUpperCase()}, and is not.`,
      )
    }
    if (text.includes('\0')) {
      throw new SheetProblem(
        'invalid_encoding',
        'The file holds NUL characters; it looks like UTF-16 without a byte order mark, or is no text.',
      )
    }
    return text
  }
}

const isEncodingError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'

function markedEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
