/** Collects the problems of a document, so that one refusal lists all of them. */
import { Refusal, type FieldProblem } from '../../model/refusal.ts'

/** The maximum number of problems in one response. */
const MAX_PROBLEMS = 20

export class Problems {
  readonly #problems: FieldProblem[] = []

  /** Adds a problem. `field` is the wire name; `rule` follows it in the message: "must be in the catalog". */
  add(field: string, code: string, rule: string): void {
    if (this.#problems.length < MAX_PROBLEMS)
      this.#problems.push({ field, code, message: `${field} ${rule}` })
  }

  get isLimitReached(): boolean {
    return this.#problems.length >= MAX_PROBLEMS
  }

  /** Throws a refusal if there are any problems. */
  throwIfAny(): void {
    if (this.#problems.length === 0) return
    throw new Refusal('invalid', this.#problems.map(({ message }) => message).join('; '), {
      details: this.#problems,
    })
  }
}
