/** Tells answers and webhooks that show something new from those that repeat what is known. */
import { isObject } from './places.ts'
import type { LogLine } from './mutation.ts'

/** Longer texts are no words of a list. */
const MAX_WORD = 40

export class Novelty {
  readonly #facts = new Set<string>()
  readonly #largest = new Map<string, number>()

  /** Whether a line has a fact that no line before it had: a place, a type, a word, or a larger value of a request. */
  isNew(line: LogLine): boolean {
    const before = this.#facts.size
    let isLarger = false
    if (line.met === 'event') this.#see(`${line.interface} ${line.event}`, line.data)
    if (line.met === 'answer') {
      const subject = `${line.interface} ${line.operation}`
      this.#see(`${subject} ${String(line.status)}`, line.json)
      if (line.status < 300) isLarger = this.#seeSizes(subject, { query: line.query, body: line.body })
    }
    return isLarger || this.#facts.size > before
  }

  #see(subject: string, value: unknown): void {
    if (Array.isArray(value)) {
      this.#facts.add(`${subject} ${String(Math.min(value.length, 2))} rows`)
      for (const each of value) this.#see(`${subject}/*`, each)
    } else if (isObject(value)) {
      for (const [name, each] of Object.entries(value)) this.#see(`${subject}/${name}`, each)
    }
    const isWord = typeof value === 'string' && value.length <= MAX_WORD && /^[A-Za-z_-]+$/.test(value)
    const what = isWord || value === null || value === 0 ? String(value) : typeof value
    this.#facts.add(`${subject} ${what}`)
  }

  #seeSizes(subject: string, sent: unknown): boolean {
    if (typeof sent !== 'object' || sent === null) {
      return this.#seeSize(subject, typeof sent === 'string' ? Number(sent) || sent.length : Number(sent))
    }
    const isLonger = Array.isArray(sent) && this.#seeSize(subject, sent.length)
    const entries: [string, unknown][] = Object.entries(sent)
    // Each of them, because the next call is compared with what this one had.
    const larger = entries.filter(([name, value]) =>
      this.#seeSizes(`${subject}/${Array.isArray(sent) ? '*' : name}`, value),
    )
    return isLonger || larger.length > 0
  }

  #seeSize(place: string, size: number): boolean {
    const isLarger = size > (this.#largest.get(place) ?? 0)
    if (isLarger) this.#largest.set(place, size)
    return isLarger
  }
}
