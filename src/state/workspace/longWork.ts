/** The long work of one workspace, in slices. Requests to the workspace wait in the queue until it has ended. */
import { inSlices } from '../model/slices.ts'

export class LongWork {
  #running: Promise<void> | null = null

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Runs work in slices while requests to the workspace wait. Returns null if it is already done. */
  inSlices(steps: Iterator<unknown>): Promise<void> | null {
    const rest = inSlices(steps)
    return rest && this.holdRequestsUntil(rest)
  }

  /** Makes requests to the workspace wait until the work has ended or failed. */
  holdRequestsUntil(work: Promise<void>): Promise<void> {
    const clear = (): void => {
      if (this.#running === running) this.#running = null
    }
    const running = work.then(clear, clear)
    this.#running = running
    return work
  }

  /** Calls `then` when the running work has ended. */
  async afterwards(then: () => Promise<void> | null): Promise<void> {
    await this.#running
    await then()
  }
}
