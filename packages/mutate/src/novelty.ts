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
      if (line.status < 300)
        isLarger = this.#seeSizes(subject, line.query) || this.#seeSizes(subject, line.body)
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
    let isLarger = false
    for (const [name, value] of isObject(sent) ? Object.entries(sent) : []) {
      const size = typeof value === 'string' ? value.length : typeof value === 'number' ? value : 0
      const key = `${subject} ${name}`
      if (size <= (this.#largest.get(key) ?? 0)) continue
      this.#largest.set(key, size)
      isLarger = true
    }
    return isLarger
  }
}
