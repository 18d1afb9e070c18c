/** Waits until all deliveries that were due at an instant are sent. */

/** The deliveries that a caller waits for. */
export interface DueQuery {
  /** The row scope of the workspace. */
  readonly workspace: number
  readonly instant: number
  /** Only deliveries before this sequence number, so that a busy workspace does not block its caller forever. */
  readonly before: number
  /** Origins to ignore. */
  readonly excludedOrigins?: ReadonlySet<string>
}

interface Wait {
  readonly due: DueQuery
  readonly resolve: () => void
}

export class DueWaits {
  readonly #isAnyPending: (due: DueQuery) => boolean
  readonly #waits = new Set<Wait>()

  /** `isAnyPending` checks whether some of the deliveries are pending and can be sent. */
  constructor(isAnyPending: (due: DueQuery) => boolean) {
    this.#isAnyPending = isAnyPending
  }

  /** Checks whether a caller waits for a workspace. */
  has(workspace: number): boolean {
    for (const { due } of this.#waits) if (due.workspace === workspace) return true
    return false
  }

  /** Resolves when none of the deliveries is pending, which only `look` checks. */
  until(due: DueQuery): Promise<void> {
    return new Promise((resolve) => {
      this.#waits.add({ due, resolve })
    })
  }

  /** Must be called when deliveries may have changed. */
  look(): void {
    for (const wait of this.#waits) {
      if (this.#isAnyPending(wait.due)) continue
      this.#waits.delete(wait)
      wait.resolve()
    }
  }
}
