/** Waiting until everything is sent that was due at an instant. */

/** What is waited for. */
export interface WhatIsDue {
  /** The workspace's number. */
  readonly workspace: number
  readonly instant: number
  /** Later deliveries are not waited for, or a busy workspace would hold its caller for ever. */
  readonly before: number
  /** Origins that are not waited for. */
  readonly apart?: ReadonlySet<string>
}

interface Wait {
  readonly due: WhatIsDue
  readonly resolve: () => void
}

export class DueWaits {
  readonly #isAnyOwed: (due: WhatIsDue) => boolean
  readonly #waits = new Set<Wait>()

  /** `isAnyOwed` says whether something of it is still owed, and can be sent. */
  constructor(isAnyOwed: (due: WhatIsDue) => boolean) {
    this.#isAnyOwed = isAnyOwed
  }

  /** Whether somebody waits for a workspace. */
  has(workspace: number): boolean {
    for (const { due } of this.#waits) if (due.workspace === workspace) return true
    return false
  }

  /** Resolves when nothing of it is owed any more, which is looked at in `look` only. */
  until(due: WhatIsDue): Promise<void> {
    return new Promise((resolve) => {
      this.#waits.add({ due, resolve })
    })
  }

  /** To be called when something may have changed. */
  look(): void {
    for (const wait of this.#waits) {
      if (this.#isAnyOwed(wait.due)) continue
      this.#waits.delete(wait)
      wait.resolve()
    }
  }
}
