/** Streams XML; only the listener keeps data. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LARGEST_ROW, SheetProblem } from './limits.ts'

/** Receives the elements of a file in order, by their names without prefixes. */
export interface XmlListener {
  opened(name: string, attributes: Readonly<Record<string, string>>): void
  closed?(name: string): void
  text?(text: string): void
}

/** An error of the XML or its content; the message is a clause. */
export class XmlProblem extends Error {
  override readonly name = 'XmlProblem'
}

/** Bytes that are parsed at a time. */
const SLICE = 16 * 1024

/** Reads the whole file; yields the results of `between` after each slice. */
export async function* readXml<Found>(
  pieces: AsyncIterable<Buffer>,
  listener: XmlListener,
  between: () => Iterable<Found> = () => [],
): AsyncGenerator<Found> {
  const { default: sax } = await import('sax')
  // The parser ignores declared entities, so none can expand.
  const parser = sax.parser(true, {})
  parser.onopentag = ({ name, attributes }) => {
    listener.opened(bare(name), bareNames(attributes as Record<string, string>))
  }
  parser.onclosetag = (name) => listener.closed?.(bare(name))
  parser.ontext = (text) => listener.text?.(text)
  parser.oncdata = (text) => listener.text?.(text)
  parser.onerror = (error) => {
    throw new XmlProblem((error.message.split('\n')[0] ?? '').toLowerCase())
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) {
      parser.write(decodeStrictly(decoder, piece.subarray(at, at + SLICE)))
      yield* between()
      await nextTurn()
    }
  }
  parser.write(decodeStrictly(decoder)).close()
  yield* between()
}

/** Does the same for a listener that collects the result itself. */
export async function listenTo(pieces: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  const reading = readXml(pieces, listener)
  while ((await reading.next()).done !== true) continue
}

function decodeStrictly(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new XmlProblem('a part of it is not UTF-8')
  }
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1)

function bareNames(attributes: Record<string, string>): Record<string, string> {
  const named = Object.create(null) as Record<string, string>
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) named[bare(name)] = attributes[name] ?? ''
  }
  return named
}

/** Collects a text in pieces, and decodes characters that spreadsheets write as _x000D_. */
export class TextPieces {
  #text = ''

  add(piece: string): void {
    this.#text += piece
    if (this.#text.length > LARGEST_ROW) {
      throw new SheetProblem('too_large', `A cell contains more than ${String(LARGEST_ROW)} characters.`)
    }
  }

  end(): string {
    const text = this.#text.includes('_x')
      ? this.#text.replace(/_x([\dA-Fa-f]{4})_/g, (_all, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
      : this.#text
    if (text.includes('\0') || !text.isWellFormed()) {
      throw new XmlProblem('a cell contains a character that cannot be stored')
    }
    return text
  }
}
