/**
 * Parses lists of JSON objects, one object at a time: the list is cut at its commas, and each piece is parsed
 * like a body. So the largest object, not the file, determines the memory.
 */
import { Refusal } from '../../../state/model/refusal.ts'
import { mustHoldFew, parseJson } from '../../server/json.ts'
import { LARGEST_ROW, MAX_COLUMNS, SheetProblem, tooLargeRow } from './limits.ts'
import type { StoredRow } from './rowFile.ts'
import { textsOf, type Source } from './source.ts'

/** Yields the objects, numbered from 1. */
export async function* jsonRows(source: Source): AsyncGenerator<StoredRow> {
  const list = new JsonList()
  const names = new Set<string>()
  for await (const text of textsOf(source, { place: () => `Item ${String(list.count + 1)}` })) {
    for (const item of list.items(text)) yield rowOf(item, list.count, names)
  }
  list.end()
}

function rowOf(text: string, row: number, names: Set<string>): StoredRow {
  let item: unknown
  try {
    mustHoldFew(text)
    item = parseJson(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid(`item ${String(row)}: ${error.message.replace('The body', 'it')}`)
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return [row, null, 'the row must be an object']
  }
  for (const name in item) names.add(name)
  if (names.size > MAX_COLUMNS) {
    throw new SheetProblem('too_large', `The objects have more than ${String(MAX_COLUMNS)} fields.`)
  }
  return [row, item as Readonly<Record<string, unknown>>]
}

const invalid = (why: string): SheetProblem =>
  new SheetProblem('invalid_format', `The file is not valid JSON: ${why.replace(/\.$/, '')}.`)

const BLANK = /^[ \t\r\n]*$/

/**
 * The start of a list response, which users save as a file. Text after its list is pagination and is ignored.
 */
const LIST_RESPONSE = /^\{\s*"data"\s*:\s*\[/

class JsonList {
  /** The number of items so far. */
  count = 0
  #state: 'before' | 'inside' | 'after' = 'before'
  #isInResponse = false
  #item = ''
  #depth = 0
  #isText = false
  #isEscaped = false
  /** Characters that can end an item, or change the state. */
  readonly #marks = /["\\[\]{},]/g

  /** Ends the file. */
  end(): void {
    if (this.#state === 'before') throw new SheetProblem('empty', 'The file is empty.')
    if (this.#state === 'inside') throw invalid('its list has no end')
  }

  /** Yields the items that end in this piece. */
  *items(piece: string): Generator<string> {
    let text = this.#state === 'before' ? this.#open(piece) : piece
    if (this.#isEscaped && text !== '') {
      this.#item += text.slice(0, 1)
      text = text.slice(1)
      this.#isEscaped = false
    }
    let start = 0
    this.#marks.lastIndex = 0
    while (this.#state === 'inside') {
      const found = this.#marks.exec(text)
      if (!found) break
      if (!this.#endsItem(found[0], found.index, text)) continue
      const item = this.#item + text.slice(start, found.index)
      this.#item = ''
      start = found.index + 1
      if (found[0] === ']') this.#state = 'after'
      if (!BLANK.test(item)) yield mustFit(item, ++this.count)
      else if (found[0] === ',' || this.count > 0) throw invalid('an item is missing')
    }
    if (this.#state === 'inside') {
      this.#item += text.slice(start)
      mustFit(this.#item, this.count + 1)
    } else if (!this.#isInResponse && !BLANK.test(text.slice(start))) {
      throw invalid('there is text after its list')
    }
  }

  /** Returns whether this mark ends an item. */
  #endsItem(mark: string, at: number, text: string): boolean {
    if (mark === '\\') {
      // The next character is escaped.
      if (at + 1 === text.length) this.#isEscaped = true
      this.#marks.lastIndex = at + 2
    } else if (mark === '"') this.#isText = !this.#isText
    else if (!this.#isText) {
      if (this.#depth === 0 && (mark === ',' || mark === ']')) return true
      if (mark === '[' || mark === '{') this.#depth++
      else if (mark !== ',') this.#depth--
    }
    return false
  }

  /** Returns the text after the bracket that opens the list. */
  #open(piece: string): string {
    const text = piece.trimStart()
    if (text === '') return ''
    const answer = LIST_RESPONSE.exec(text)?.[0]
    if (answer === undefined && !text.startsWith('[')) {
      throw new SheetProblem('invalid_type', 'The file must contain a JSON list of objects.')
    }
    this.#state = 'inside'
    this.#isInResponse = answer !== undefined
    return text.slice(answer?.length ?? 1)
  }
}

function mustFit(item: string, row: number): string {
  if (item.length > LARGEST_ROW) throw tooLargeRow(row)
  return item
}
