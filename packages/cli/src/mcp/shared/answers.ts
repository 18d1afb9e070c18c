/** Splits long answers into pages, so that the output to a model is bounded. Later pages are stored until requested. */

/** The maximum length of a page, in characters. */
export const PAGE = 20_000

/** The maximum number of stored answers, and of their characters in total. */
const MAX_STORED = 8
const MAX_STORED_CHARACTERS = 64_000_000

const LONGEST_OUTLINE = 4000
const MAX_KEYS = 60

export interface Page {
  readonly text: string
  readonly offset: number
  /** The offset of the next page; null for the last page. */
  readonly next: number | null
  readonly total: number
}

/** Returns at most `limit` characters from `offset`. Never splits a surrogate pair. */
export function pageOf(whole: string, offset = 0, limit = PAGE): Page {
  let end = Math.min(whole.length, offset + Math.min(limit, PAGE))
  if (end < whole.length && end - offset > 1 && isHighSurrogate(whole.charCodeAt(end - 1))) end--
  const next = end < whole.length ? end : null
  return { text: whole.slice(offset, end), offset, next, total: whole.length }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Describes a page. For the first page of JSON, adds an outline: `{"products": "120 of {id, name, ...}"}`. */
export function summaryOf(whole: string, { offset, text, next, total }: Page, nextCall: string): string {
  const range = `Characters ${String(offset)} to ${String(offset + text.length)} of ${String(total)}`
  const advice = next === null ? 'This is the last page.' : `Get the next page with ${nextCall}.`
  const outline = offset === 0 ? outlineOf(whole) : null
  return `${range}. ${advice}${outline === null ? '' : ` Outline of the full answer: ${outline}`}`
}

/** Returns the deepest outline that fits; null if the text is not JSON. */
function outlineOf(text: string): string | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  const outlines = [3, 2, 1].map((depth) => JSON.stringify(shapeOf(value, depth)))
  return outlines.find(({ length }) => length <= LONGEST_OUTLINE) ?? JSON.stringify(shapeOf(value, 0))
}

function shapeOf(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    const [first] = value as unknown[]
    return `${String(value.length)} of ${first === undefined ? 'nothing' : describe(first)}`
  }
  if (typeof value !== 'object' || value === null) return typeof value
  if (depth === 0) return describe(value)
  const entries = Object.entries(value)
  const left = entries.length - MAX_KEYS
  return Object.fromEntries([
    ...entries.slice(0, MAX_KEYS).map(([name, each]) => [name, shapeOf(each, depth - 1)] as const),
    ...(left > 0 ? [['...', `${String(left)} more`] as const] : []),
  ])
}

/** Returns the fields of an object, such as "{id, name, ...}", or the type of the value. */
function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  if (Array.isArray(value)) return 'list'
  const names = Object.keys(value)
  const listed = names.slice(0, 12).map((name) => name.slice(0, 40))
  return `{${[...listed, ...(names.length > listed.length ? ['...'] : [])].join(', ')}}`
}

/** Stores the last long answers of one session. */
export class LongAnswers {
  readonly #stored = new Map<string, string>()
  #number = 0

  /** Returns the texts to send: the answer itself if it is short; otherwise a summary and its first page. */
  open(whole: string): string[] {
    if (whole.length <= PAGE) return [whole]
    const answer = String(++this.#number)
    this.#stored.set(answer, whole)
    this.#evict()
    return this.#texts(answer, whole, pageOf(whole))
  }

  /** Returns another page of an answer. Throws if the answer is no longer stored or the offset is out of range. */
  read(answer: string, offset = 0, limit = PAGE): string[] {
    const whole = this.#stored.get(answer)
    if (whole === undefined) {
      const known = [...this.#stored.keys()].join(', ') || 'none'
      throw new Error(
        `Answer ${answer} is no longer stored. Stored answers: ${known}. Call the original tool again.`,
      )
    }
    if (!isWithin(offset, 0, whole.length - 1)) {
      throw new Error(`offset must be a whole number from 0 to ${String(whole.length - 1)}`)
    }
    if (!isWithin(limit, 1, PAGE)) throw new Error(`limit must be a whole number from 1 to ${String(PAGE)}`)
    return this.#texts(answer, whole, pageOf(whole, offset, limit))
  }

  #texts(answer: string, whole: string, page: Page): string[] {
    const nextCall = `readAnswer ${JSON.stringify({ answer, offset: page.next })}`
    return [summaryOf(whole, page, nextCall), page.text]
  }

  #evict(): void {
    const total = (): number => [...this.#stored.values()].reduce((sum, { length }) => sum + length, 0)
    for (const oldest of this.#stored.keys()) {
      if (this.#stored.size <= 1 || (this.#stored.size <= MAX_STORED && total() <= MAX_STORED_CHARACTERS))
        return
      this.#stored.delete(oldest)
    }
  }
}

const isWithin = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max
