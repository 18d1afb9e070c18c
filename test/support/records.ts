/** All records of a workspace, read and replaced without HTTP. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import type { App } from '../../src/app.ts'
import type { Records } from '../../src/state/storage/records/records.ts'
import {
  fillWithCopy,
  fillWithRows,
  replaceRecords,
  type Row,
  type RowsOf,
} from '../../src/state/storage/records/replaceRecords.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'

/** Records by section and list, as in snapshots. */
export type Sections = Record<string, Record<string, Row[]>>

type State = Pick<App, 'records' | 'workspaces'>

/** Returns all records of a workspace. */
export function dumpOf(records: Records, workspace: Workspace): Sections {
  const sections: Sections = {}
  const scopes = records.scopes(workspace.database)
  for (const set of records.sets) {
    const { first, last } = scopes.boundsOf(set.table, workspace.rowScope)
    ;(sections[set.section] ??= {})[set.name] =
      first === null || last === null ? [] : records.dumpAt(workspace, set, { after: first - 1, upTo: last })
  }
  return sections
}

/** The statements that read the stored rows of a record set, by database and table. */
const readers = new WeakMap<object, Map<string, Statement<[number], unknown[]>>>()

/**
 * Returns all stored rows of a workspace by table, to check that nothing has changed. It takes a fraction of the time of a
 * dump.
 */
export function rowsOf({ sets }: Records, { database: { sqlite }, rowScope }: Workspace): Stored {
  const ofDatabase = readers.get(sqlite) ?? new Map<string, Statement<[number], unknown[]>>()
  readers.set(sqlite, ofDatabase)
  const stored: Record<string, unknown[][]> = {}
  for (const { table } of sets) {
    const name = getTableName(table)
    const text = `SELECT * FROM "${name}" WHERE "workspace" = ? ORDER BY rowid`
    const reader = ofDatabase.get(name) ?? sqlite.prepare<[number], unknown[]>(text).raw()
    ofDatabase.set(name, reader)
    stored[name] = reader.all(rowScope)
  }
  return stored
}

export type Stored = Readonly<Record<string, readonly (readonly unknown[])[]>>

/** Replaces all records of a workspace. */
export const loadRecords = (
  state: State,
  workspace: Workspace,
  sections: Readonly<Record<string, unknown>>,
): Promise<void> =>
  replaceRecords(state, workspace, fillWithRows(state, rowsOfSections(sections)), () => undefined)

const rowsOfSections =
  (sections: Readonly<Record<string, unknown>>): RowsOf =>
  ({ section, name }) =>
    (sections as Partial<Sections>)[section]?.[name] ?? []

/** Writes records to a row scope of no workspace, and returns it. */
export async function scopeOf(state: State, sections: Readonly<Record<string, unknown>>): Promise<number> {
  const scope = state.records.scopes(state.workspaces.database).open()
  await fillWithRows(state, rowsOfSections(sections))(scope)
  return scope
}

/** Replaces all records of a workspace by those that a row scope has in these sections. */
export async function copyRecords(
  state: State,
  workspace: Workspace,
  from: number,
  sections: readonly string[],
): Promise<void> {
  const tables = state.records.sets
    .filter(({ section }) => sections.includes(section))
    .map(({ table }) => table)
  const scopes = state.records.scopes(workspace.database)
  await replaceRecords(
    state,
    workspace,
    (scope) => scopes.copyOf(tables, from, scope),
    () => undefined,
  )
}

/** Saves the current records, users and counters of a workspace without baseline records for resets. */
export async function keepBaseline(state: State, workspace: Workspace): Promise<void> {
  await fillWithCopy(state, workspace.rowScope)(workspace.baselineScope)
  workspace.write(() => {
    state.records.keepOthers(workspace)
  })
}

/** Deletes all discarded records now. */
export async function sweepAll({ records, workspaces: { database } }: State): Promise<void> {
  const scopes = records.scopes(database)
  scopes.start()
  while (!scopes.isSwept) await nextTurn()
  await scopes.stop()
}
