/** Long answers in pages: what a model is sent is bounded, and the rest is kept until it is asked for. */

/** The longest page, in characters. */
export const PAGE = 20_000

/** Answers that are kept to be read on, and how many characters they may have together. */
const KEPT = 8
const KEPT_CHARACTERS = 64_000_000

const LONGEST_OUTLINE = 4000
const MAX_KEYS = 60

export interface Page {
  readonly text: string
  readonly offset: number
  /** Where the next page begins; null after the last one. */
  readonly next: number | null
  readonly total: number
}

/** The characters from `offset` on, at most `limit`, with no character cut in two. */
export function pageOf(whole: string, offset = 0, limit = PAGE): Page {
  let end = Math.min(whole.length, offset + Math.min(limit, PAGE))
  if (end < whole.length && end - offset > 1 && isHighSurrogate(whole.charCodeAt(end - 1))) end--
  const next = end < whole.length ? end : null
  return { text: whole.slice(offset, end), offset, next, total: whole.length }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** What is on a page, and what a JSON text holds in all: `{"products": "120 of {id, name, ...}"}`. */
export function summaryOf(whole: string, { offset, text, next, total }: Page, readOn: string): string {
  const where = `Characters ${String(offset)} to ${String(offset + text.length)} of ${String(total)}`
  const on = next === null ? 'This is the last page.' : `Read on with ${readOn}.`
  const outline = offset === 0 ? outlineOf(whole) : null
  return `${where}. ${on}${outline === null ? '' : ` The whole in outline: ${outline}`}`
}

/** As deep as it fits; null for what is no JSON. */
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
    return `${String(value.length)} of ${first === undefined ? 'nothing' : wordsOf(first)}`
  }
  if (typeof value !== 'object' || value === null) return typeof value
  if (depth === 0) return wordsOf(value)
  const entries = Object.entries(value)
  const left = entries.length - MAX_KEYS
  return Object.fromEntries([
    ...entries.slice(0, MAX_KEYS).map(([name, each]) => [name, shapeOf(each, depth - 1)] as const),
    ...(left > 0 ? [['...', `${String(left)} more`] as const] : []),
  ])
}

/** "{id, name, ...}" */
function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  if (Array.isArray(value)) return 'list'
  const names = Object.keys(value)
  const shown = names.slice(0, 12).map((name) => name.slice(0, 40))
  return `{${[...shown, ...(names.length > shown.length ? ['...'] : [])].join(', ')}}`
}

/** The long answers of one session, the last few. */
export class LongAnswers {
  readonly #kept = new Map<string, string>()
  #number = 0

  /** The texts that an answer is sent as: itself, or what it holds and its first page. */
  open(whole: string): string[] {
    if (whole.length <= PAGE) return [whole]
    const answer = String(++this.#number)
    this.#kept.set(answer, whole)
    this.#forget()
    return this.#texts(answer, whole, pageOf(whole))
  }

  /** Another page of one; throws where it is kept no longer, or has no such place. */
  read(answer: string, offset = 0, limit = PAGE): string[] {
    const whole = this.#kept.get(answer)
    if (whole === undefined) {
      const known = [...this.#kept.keys()].join(', ') || 'none'
      throw new Error(`Answer ${answer} is not kept; there are ${known}. Call the tool again that gave it.`)
    }
    if (!isWithin(offset, 0, whole.length - 1)) {
      throw new Error(`offset must be a whole number from 0 to ${String(whole.length - 1)}`)
    }
    if (!isWithin(limit, 1, PAGE)) throw new Error(`limit must be a whole number from 1 to ${String(PAGE)}`)
    return this.#texts(answer, whole, pageOf(whole, offset, limit))
  }

  #texts(answer: string, whole: string, page: Page): string[] {
    const readOn = `readAnswer ${JSON.stringify({ answer, offset: page.next })}`
    return [summaryOf(whole, page, readOn), page.text]
  }

  #forget(): void {
    const total = (): number => [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= 1 || (this.#kept.size <= KEPT && total() <= KEPT_CHARACTERS)) return
      this.#kept.delete(oldest)
    }
  }
}

const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most
