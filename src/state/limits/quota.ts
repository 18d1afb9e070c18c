/**
 * The limit of the bytes of a workspace: its records, baseline, named snapshots and stored files. A write costs two
 * additions: all bytes that the server has written since the last measurement are an upper bound for each workspace.
 * Only a workspace that this bound takes to the limit is measured.
 */
import { refuse, type Reason } from '../model/refusal.ts'
import type { Database } from '../storage/database/database.ts'
import { bytesOfPages } from '../storage/database/pages.ts'

export interface ScopeSize {
  readonly records: number
  /** Without the contents of stored files. */
  readonly bytes: number
}

export interface Size {
  readonly byScope: ReadonlyMap<number, ScopeSize>
  /** Each content counts once. */
  readonly storedFileBytes: number
  /** The records of all scopes and the stored files. */
  readonly bytes: number
}

/** What measures row scopes: `sizes.ts`. */
export interface Measures {
  of(scopes: readonly number[]): Promise<Size>
  /** Returns the bytes of all stored files of the scopes, at least. */
  fileBytes(scopes: readonly number[]): number
  /** Returns the row scopes of the named snapshots and recordings of a workspace. */
  savedScopes(tenantId: number): number[]
  /** Returns the bytes of the recordings of a workspace, without their row scopes. */
  recordedBytes(tenantId: number): number
}

/** The part of a workspace that its quota needs. */
interface QuotaOwner {
  readonly rowScope: number
  readonly baselineScope: number
  readonly tenantId: number
  readonly generation: number
  readonly writes: number
  readonly database: Pick<Database, 'bytesWritten'>
}

/** For registries without a limit. */
export const UNMEASURED: Measures = {
  fileBytes: () => 0,
  savedScopes: () => [],
  recordedBytes: () => 0,
  of: () => Promise.resolve({ byScope: new Map(), storedFileBytes: 0, bytes: 0 }),
}

/** A workspace is full when less than this share is left, so that one near its limit is not measured at each write. */
const RESERVE_SHARE = 1 / 64

/** Returns the least bytes of a full workspace. */
const fullFrom = (maxBytes: number): number => Math.floor(maxBytes * (1 - RESERVE_SHARE)) + 1

const HELP =
  'Delete records, files, named snapshots or recordings, or start the server with a larger --max-workspace-bytes.'

export interface Usage {
  readonly bytes: number
  readonly records: number
  readonly storedFileBytes: number
  readonly maxBytes: number
}

/** The limit that all workspaces of a server have. */
export class QuotaRule {
  readonly maxBytes: number
  readonly #database: Database
  readonly #sizes: Measures

  constructor(database: Database, sizes: Measures, maxBytes: number) {
    this.#database = database
    this.#sizes = sizes
    this.maxBytes = maxBytes
  }

  savedScopes(tenantId: number): number[] {
    return this.#sizes.savedScopes(tenantId)
  }

  /** Measures row scopes, and the recordings of the workspace that has them. */
  async measure(scopes: readonly number[], tenantId: number): Promise<Size> {
    const size = await this.#sizes.of(scopes)
    return { ...size, bytes: size.bytes + this.#sizes.recordedBytes(tenantId) }
  }

  /** Returns an upper bound of the bytes of these scopes without reading their records. */
  bound(scopes: readonly number[]): number {
    return bytesOfPages(this.#database.sqlite, 'page_count') + this.#sizes.fileBytes(scopes)
  }

  /** Refuses scopes that together are larger than a workspace can be. */
  async mustHold(scopes: readonly number[], reason: Reason & ('full' | 'too_large')): Promise<void> {
    if (this.bound(scopes) <= this.maxBytes) return
    const { bytes } = await this.#sizes.of(scopes)
    if (bytes <= this.maxBytes) return
    refuse(
      reason,
      `The workspace would have ${String(bytes)} bytes, and a workspace has at most ${String(this.maxBytes)}. ${HELP}`,
    )
  }
}

/** The usage of one workspace. */
export class Quota {
  readonly #rule: QuotaRule
  readonly #workspace: QuotaOwner
  /** An upper bound of the bytes in use when `#writtenBefore` bytes had been written; null if unknown. */
  #bound: number | null = null
  #writtenBefore = 0
  #generation = 0
  /** The number of calls of `forget`. A measurement that began before the last one is out of date. */
  #forgotten = 0
  #measured: { readonly size: Size; readonly writes: number } | null = null
  #measuring: Promise<Size> | null = null

  constructor(rule: QuotaRule, workspace: QuotaOwner) {
    this.#rule = rule
    this.#workspace = workspace
  }

  /** The row scopes of the workspace. */
  get scopes(): number[] {
    const { rowScope, baselineScope, tenantId } = this.#workspace
    return [rowScope, baselineScope, ...this.#rule.savedScopes(tenantId)]
  }

  /** Must be called when rows were copied into the workspace. */
  forget(): void {
    this.#forgotten++
    this.#bound = null
    this.#measured = null
    this.#measuring = null
  }

  /**
   * Checks that the workspace is not full and has room for more bytes. Returns null if it surely has; otherwise a promise
   * that resolves after a measurement, or rejects with a refusal.
   */
  check(more = 0): Promise<void> | null {
    const isWithin = this.#currentBound() + more <= this.#rule.maxBytes && !this.#isFull
    return isWithin ? null : this.#measureAndCheck(more)
  }

  async usage(): Promise<Usage> {
    const { byScope, bytes, storedFileBytes } = await this.#measure()
    const records = byScope.get(this.#workspace.rowScope)?.records ?? 0
    return { bytes, records, storedFileBytes, maxBytes: this.#rule.maxBytes }
  }

  #forgetOldGeneration(): void {
    const { generation } = this.#workspace
    if (generation === this.#generation) return
    this.#generation = generation
    this.forget()
  }

  #currentBound(): number {
    const { database } = this.#workspace
    this.#forgetOldGeneration()
    if (this.#bound === null) {
      this.#bound = this.#rule.bound(this.scopes)
      this.#writtenBefore = database.bytesWritten
    }
    return this.#bound + database.bytesWritten - this.#writtenBefore
  }

  async #measureAndCheck(more: number): Promise<void> {
    const { maxBytes } = this.#rule
    const { bytes } = await this.#measure()
    const left = maxBytes - bytes
    if (this.#isFull) {
      refuse(
        'full',
        `The workspace is full: it has ${String(bytes)} bytes. Its limit is ${String(maxBytes)} bytes, and it is full from ${String(fullFrom(maxBytes))} bytes on. ${HELP}`,
      )
    }
    if (more > left) {
      refuse(
        'too_large',
        `The workspace has room for ${String(left)} more bytes, and the request has ${String(more)}. ${HELP}`,
      )
    }
  }

  /** Whether the last measurement found less than the reserve. */
  get #isFull(): boolean {
    return this.#measured !== null && this.#measured.size.bytes >= fullFrom(this.#rule.maxBytes)
  }

  async #measure(): Promise<Size> {
    const { writes } = this.#workspace
    this.#currentBound()
    if (this.#measured?.writes === writes) return this.#measured.size
    if (this.#measuring) return this.#measuring
    const measuring = this.#measureAnew(writes).finally(() => {
      if (this.#measuring === measuring) this.#measuring = null
    })
    return (this.#measuring = measuring)
  }

  async #measureAnew(writes: number): Promise<Size> {
    const forgotten = this.#forgotten
    const { database, tenantId } = this.#workspace
    const { bytesWritten } = database
    const size = await this.#rule.measure(this.scopes, tenantId)
    this.#forgetOldGeneration()
    if (forgotten === this.#forgotten) {
      this.#bound = size.bytes
      this.#writtenBefore = bytesWritten
      this.#measured = { size, writes }
    }
    return size
  }
}
