/**
 * Measures the size of row scopes, in slices. A record counts with the bytes of its texts and a constant for everything
 * else, so that the result is never larger than the part of the file that the records take.
 */
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Slices } from '../model/slices.ts'
import type { Database } from '../storage/database/database.ts'
import { Pace, rowidRanges, type RowidRange } from '../storage/database/pace.ts'
import type { WorkspaceTable } from '../storage/records/baseline.ts'
import type { Scopes } from '../storage/records/scopes.ts'
import type { Measures, ScopeSize, Size } from '../limits/quota.ts'

/** Bytes of a record in addition to its texts: the numbers, and its keys in the table and in an index. */
const ROW_BYTES = 32

interface StoredContents {
  readonly hash: string
  readonly size: number
}

export class Sizes implements Measures {
  readonly #scopes: Scopes
  readonly #files: WorkspaceTable
  readonly #tables: ReadonlyMap<WorkspaceTable, Statement<[number, number, number], ScopeSize>>
  readonly #contents: Statement<[number, number, number], StoredContents>
  readonly #fileBytes: Statement<[string], number>
  readonly #savedScopes: Statement<[number, number], number>
  readonly #recordedBytes: Statement<[number], number>

  /** `files` is the table of stored files, which is one of `tables`. */
  constructor(
    { sqlite }: Database,
    scopes: Scopes,
    tables: readonly WorkspaceTable[],
    files: WorkspaceTable,
  ) {
    // The plus sign makes SQLite use the rowid instead of the index of the workspace.
    const within = 'WHERE rowid > ? AND rowid <= ? AND +"workspace" = ?'
    this.#scopes = scopes
    this.#files = files
    this.#tables = new Map(
      tables.map((table) => [
        table,
        sqlite.prepare<[number, number, number], ScopeSize>(
          `SELECT count(*) AS records, coalesce(sum(${textBytes(table)}), 0) AS bytes
           FROM "${getTableName(table)}" ${within}`,
        ),
      ]),
    )
    const name = getTableName(files)
    this.#contents = sqlite.prepare<[number, number, number], StoredContents>(
      `SELECT hash, size FROM "${name}" ${within}`,
    )
    this.#fileBytes = sqlite
      .prepare<[string], number>(
        `SELECT coalesce(sum("size"), 0) FROM "${name}" WHERE "workspace" IN (SELECT value FROM json_each(?))`,
      )
      .pluck()
    this.#savedScopes = sqlite
      .prepare<[number, number], number>(
        'SELECT scope FROM saved_snapshots WHERE workspace = ? UNION ALL SELECT scope FROM recordings WHERE workspace = ?',
      )
      .pluck()
    this.#recordedBytes = sqlite
      .prepare<[number], number>('SELECT coalesce(sum(bytes), 0) FROM recordings WHERE workspace = ?')
      .pluck()
  }

  /** Returns the row scopes of the named snapshots and recordings of a workspace. */
  savedScopes(tenantId: number): number[] {
    return this.#savedScopes.all(tenantId, tenantId)
  }

  /** Returns the bytes of the recordings of a workspace, without their row scopes. */
  recordedBytes(tenantId: number): number {
    return this.#recordedBytes.get(tenantId) ?? 0
  }

  /** Returns the bytes of all stored files of the scopes. Equal files count several times. */
  fileBytes(scopes: readonly number[]): number {
    return this.#fileBytes.get(JSON.stringify(scopes)) ?? 0
  }

  async of(scopes: readonly number[]): Promise<Size> {
    const slices = new Slices()
    const byScope = new Map<number, ScopeSize>()
    const contents = new Map<string, number>()
    for (const scope of scopes) {
      let records = 0
      let bytes = 0
      for (const [table, sizeOf] of this.#tables) {
        await this.#walk(table, scope, slices, ({ after, upTo }) => {
          const found = sizeOf.get(after, upTo, scope)
          if (!found) return
          records += found.records
          bytes += found.bytes + found.records * ROW_BYTES
          if (table !== this.#files) return
          for (const { hash, size } of this.#contents.all(after, upTo, scope)) contents.set(hash, size)
        })
      }
      byScope.set(scope, { records, bytes })
    }
    let storedFileBytes = 0
    for (const size of contents.values()) storedFileBytes += size
    let bytes = storedFileBytes
    for (const size of byScope.values()) bytes += size.bytes
    return { byScope, storedFileBytes, bytes }
  }

  async #walk(
    table: WorkspaceTable,
    scope: number,
    slices: Slices,
    visit: (range: RowidRange) => void,
  ): Promise<void> {
    const pace = new Pace()
    for (const range of rowidRanges(this.#scopes.boundsOf(table, scope), pace)) {
      pace.measure(() => {
        visit(range)
      })
      if (slices.isOver) await slices.turn()
    }
  }
}

/** SQL of the length of all texts of a row, which SQLite knows without reading them. */
const textBytes = (table: WorkspaceTable): string =>
  Object.values(getTableColumns(table as SQLiteTable))
    .filter((column) => column.getSQLType() === 'text')
    .map((column) => `coalesce(octet_length("${column.name}"), 0)`)
    .join(' + ') || '0'
