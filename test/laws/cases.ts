/**
 * The cases of one operation in one test, because a test by itself takes longer than most of the cases. All cases run,
 * and the failure names those that failed.
 */
import { test } from 'vitest'

type Run = () => Promise<void>

export class Cases {
  readonly #cases: (readonly [name: string, run: Run])[] = []

  /** Returns a function that adds a case if the condition holds. */
  when(condition: boolean): (name: string, run: Run) => void {
    return (name, run) => {
      if (condition) this.#cases.push([name, run])
    }
  }

  /** Registers the test of all cases. */
  test(title: string): void {
    const cases = this.#cases
    test(title, async () => {
      const failed: string[] = []
      let first: unknown
      for (const [name, run] of cases) {
        try {
          await run()
        } catch (error) {
          first ??= error
          failed.push(name)
        }
      }
      if (first instanceof Error) first.message = `${failed.join('; ')}: ${first.message}`
      if (failed.length > 0) throw first
    })
  }
}
