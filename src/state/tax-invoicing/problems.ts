/** What is wrong with a document, gathered before anything is stamped. */
import { Refusal, type FieldProblem } from '../refusal.ts'

/** As many as are told of one request. */
const MAX_PROBLEMS = 20

export class Problems {
  readonly #found: FieldProblem[] = []

  /** `field` as the caller knows it; `rule` goes on after it: "is not in the catalog". */
  add(field: string, code: string, rule: string): void {
    if (this.#found.length < MAX_PROBLEMS) this.#found.push({ field, code, message: `${field} ${rule}` })
  }

  get isFull(): boolean {
    return this.#found.length >= MAX_PROBLEMS
  }

  /** Says no where anything was found. */
  settle(): void {
    if (this.#found.length === 0) return
    throw new Refusal('invalid', this.#found.map(({ message }) => message).join('; '), {
      details: this.#found,
    })
  }
}
