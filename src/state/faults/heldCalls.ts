/** The calls that faults with `hold` let wait, until a test releases them. They are kept in memory. */

import type { Database } from '../storage/database/database.ts'

/** Maximum calls that wait in a workspace. */
export const MAX_HELD = 100

/** Maximum ms that a call waits. */
export const MAX_HOLD_MS = 60_000

/** A call that waits. */
export interface HeldCall {
  /** Its id in the request journal, which has it when it has ended. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** When it began to wait, on the clock of the workspace; ISO 8601. */
  readonly at: string
}

/** Why a call goes on. */
export type HoldEnd = 'released' | 'too_long' | 'too_many' | 'gone'

/** What waits in a database, so that the stop of a server can release it. */
const createAll = (): Set<HeldCalls> => new Set()

/** Releases all calls that wait in a database, because its server stops. */
export function releaseHeldCalls(database: Database): void {
  for (const each of database.own(createAll)) each.releaseAll()
}

export class HeldCalls {
  readonly #all: Set<HeldCalls>
  /** In the order of their arrival. */
  readonly #waiting = new Map<string, { readonly call: HeldCall; readonly end: (why: HoldEnd) => void }>()

  constructor(database: Database) {
    this.#all = database.own(createAll)
  }

  get calls(): HeldCall[] {
    return [...this.#waiting.values()].map(({ call }) => call)
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Waits until the call is released, has waited too long, or its client is gone. */
  async wait(call: HeldCall, gone: AbortSignal): Promise<HoldEnd> {
    if (gone.aborted) return 'gone'
    return new Promise<HoldEnd>((resolve) => {
      const end = (why: HoldEnd): void => {
        clearTimeout(timer)
        gone.removeEventListener('abort', leave)
        this.#waiting.delete(call.id)
        if (this.size === 0) this.#all.delete(this)
        resolve(why)
      }
      const leave = (): void => {
        end('gone')
      }
      const timer = setTimeout(end, MAX_HOLD_MS, 'too_long')
      gone.addEventListener('abort', leave)
      this.#waiting.set(call.id, { call, end })
      this.#all.add(this)
    })
  }

  /** Lets these calls go on, in this order. Returns how many of them waited. */
  release(ids: readonly string[]): number {
    const found = ids.flatMap((id) => this.#waiting.get(id) ?? [])
    for (const { end } of found) end('released')
    return found.length
  }

  releaseAll(): void {
    this.release([...this.#waiting.keys()])
  }
}
