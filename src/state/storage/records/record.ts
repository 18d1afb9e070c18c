/**
 * The declaration of a table: its lists, derived columns, due jobs and snapshot form, next to the table. All reads
 * and writes are created from it, so no action can forget a revision, a derived column or a job.
 */
import {
  and,
  eq,
  getTableColumns,
  getTableName,
  sql,
  type InferInsertModel,
  type InferSelectModel,
  type SQL,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { addColumns, meaningOf } from '../columns.ts'
import { NEXT_REVISION } from '../database/database.ts'
import { dueTable, type Due } from './dueJobs.ts'
import { indexer } from '../queries/indexes.ts'
import type { Head, ListedTable, ListOf } from '../queries/listing.ts'
import { machineOfStates, moveNameBetween, type Machine } from '../../model/machine.ts'
import { writer } from '../database/prepared.ts'
import { ofWorkspace, query } from '../queries/query.ts'
import { rowReader } from '../queries/readers.ts'
import type { RecordSet } from './records.ts'
import { refuse } from '../../model/refusal.ts'
import { inserter, rows, type Rows, type ScopedTable } from '../queries/rows.ts'
import { isChange } from '../unchanged.ts'
import { refsOf, touching, type Bulk } from './touches.ts'
import { recordStep, recordTouch } from '../../timeline/timelines.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Computes each derived column from other columns of its row: those that the type of its parameter names. */
type Derivations<Row> = {
  readonly [Column in keyof Row]?: (row: Row, workspace: Workspace) => Row[Column]
}

/** Columns that the declaration fills in. */
type Filled<Derived> = keyof Derived | 'workspace' | 'revision'

/** A new row as callers pass it: without the filled columns. A column with a default can be left out, also if it can be null. */
type New<Table extends SQLiteTable, Derived> = Omit<InferInsertModel<Table>, Filled<Derived>> &
  Partial<Readonly<Record<Filled<Derived>, never>>>

/** A row as callers pass it: without the filled columns. */
type Given<Row, Derived> = Omit<Row, Filled<Derived>> & Partial<Readonly<Record<Filled<Derived>, never>>>

/** Columns from which others are derived. */
type Sources<Derived> = {
  [Column in keyof Derived]: Derived[Column] extends (row: infer Row, ...rest: never) => unknown
    ? keyof Row
    : never
}[keyof Derived]

/** Columns that a bulk change can set: no others are derived from them. */
type Settable<Row, Derived> =
  | Exclude<keyof Row, Sources<Derived> | 'workspace' | 'id' | 'revision'>
  | (keyof Derived & keyof Row)

/** The form of a table in snapshots. */
interface InSnapshot<Row> {
  /** The interface and the name of its list: `catalog`, `products`. */
  readonly section: string
  readonly name: string
  /** Whether no interface returns its rows on their own. Tables without ids are internal too. */
  readonly isInternal?: boolean
  /** Whether its rows only count, such as the last numbers of ids. Diffs leave them out. */
  readonly isCounter?: boolean
  /** The columns other than the id whose values are drawn at random, such as tokens. */
  readonly generated?: readonly (keyof Row & string)[]
  /** Refuses a row that no action could have written. */
  readonly check?: (row: Row, workspace: Workspace) => void
}

/** The common part of tables with and without an id. */
interface CommonDeclaration<Row, Derived> {
  /** Normalizes a row before derived columns are computed. */
  readonly normal?: (row: Row) => Partial<Row>
  readonly derived?: Derived & Derivations<Row>
  readonly snapshot: InSnapshot<Row>
}

interface Declaration<Row, Derived, List, Indexed extends string> extends CommonDeclaration<Row, Derived> {
  /** The name of one record: "There is no product X." */
  readonly noun: string
  /** Throws the refusal for an unknown id; `not_found` by default. */
  readonly absent?: (message: string) => never
  /** The condition of rows that can be found and listed, such as not being deleted. */
  readonly live?: SQL
  /** Its sorts, filters and their indexes: `numbered({...})` or `byCursor({...})`. */
  readonly list?: ListOf<List>
  /** The columns of more indexes, which `index` creates when a large workspace needs them. */
  readonly indexes?: Readonly<Record<Indexed, readonly SQLiteColumn[]>>
  readonly due?: Due<Row>
  readonly limit?: Limit
}

/** The maximum number of rows in a workspace, in total or for each value of a column. Applies to snapshots too. */
interface Limit {
  readonly count: number
  /** The plural in messages. */
  readonly called: string
  readonly ofEach?: SQLiteColumn
  /** The rows that count, if the table also keeps deleted rows. */
  readonly counted?: SQL
}

interface FoundBy<Row> {
  /** Returns the first match in the order of insertion. */
  readonly find: (workspace: Workspace, value: string) => Row | undefined
  /** Returns the first match, or throws a refusal. */
  readonly get: (workspace: Workspace, value: string) => Row
}

type BulkChange<Row, Derived> = Partial<Readonly<Record<Settable<Row, Derived>, SQL>>>

export interface Recorded<Row, Derived, List, Indexed extends string, Input>
  extends RecordSet, Pick<Rows<Row>, 'find' | 'head' | 'findAll' | 'byId' | 'ofPage' | 'walk'> {
  /** Deletes a row. Only inside a `write`. */
  readonly remove: (workspace: Workspace, id: string | number) => void
  /** The name of one record in messages. */
  readonly noun: string
  /** Returns the row with this id, or throws a refusal. */
  readonly get: (workspace: Workspace, id: string) => Row
  /** Returns the head of the row with this id, or throws a refusal. */
  readonly getHead: (workspace: Workspace, id: string) => Head
  /** Throws the refusal for an unknown id. */
  readonly noSuch: (id: string) => never
  /** Finds rows by the first column of an index. */
  readonly by: (column: keyof Row & string) => FoundBy<Row>
  /** Completes the row in place, writes it and answers with it. Only inside a `write`. */
  readonly insert: (workspace: Workspace, row: Input) => Row
  /** Checks whether an update with these fields, once normalized, would change the row. */
  readonly isChange: (before: Row, fields: object) => boolean
  /** Writes a changed row and returns it. Only inside a `write`. */
  readonly update: <Before extends Row>(
    workspace: Workspace,
    before: Before,
    changes: Partial<Omit<Given<Row, Derived>, 'id'>>,
  ) => Before
  /**
   * Prepares a change of all rows of a workspace that match a condition; each gets a new revision. If the type of a
   * derivation does not name its sources, it depends on the whole row, and only derived columns can be changed.
   */
  readonly updateAll: (set: BulkChange<Row, Derived>, where: SQL | undefined) => Bulk
  /**
   * Prepares the deletion of rows that match a condition, at most `MAX_REMOVED` at a time, so that long removals run
   * in slices. Returns how many. Only inside a `write`.
   */
  readonly removeSome: (where: SQL) => Bulk
  readonly list: List
  /** Creates the named indexes if they are needed and missing. */
  readonly index: (workspace: Workspace, names: readonly Indexed[]) => void
}

/** Rows that `removeSome` deletes in one write, which takes a few ms. */
export const MAX_REMOVED = 1000

/** Declares a table whose rows have an id, once per module. */
export function record<
  Table extends ScopedTable,
  const Derived = object,
  List = never,
  Indexed extends string = never,
>(
  table: Table,
  declaration: Declaration<InferSelectModel<Table>, Derived, List, Indexed>,
): Recorded<InferSelectModel<Table>, Derived, List, Indexed, New<Table, Derived>> {
  type Row = InferSelectModel<Table>
  const {
    noun,
    live,
    list,
    due: declaredDue,
    limit,
    absent = (message: string) => refuse('not_found', message),
  } = declaration
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const plain = rows(table, live)
  const due = declaredDue && dueTable(table, declaredDue)
  const complete = completer<Row, Derived>(table, declaration)
  const noSuch = (id: string): never => absent(`There is no ${noun} ${id}.`)
  const isLimitReached = limit && limitCheck<Row>(table, limit)

  const recordMoves = moveRecorder(columns, declaration.snapshot)
  const tableName = getTableName(table)
  const prefix = `${declaration.snapshot.section}.${declaration.snapshot.name}/`
  const addDefaults = defaulter(table)
  const put = (workspace: Workspace, input: New<Table, Derived>): Row => {
    const row = complete(workspace, addDefaults(input))
    if (limit && isLimitReached?.(workspace, row)) {
      const each = limit.ofEach ? ` of each ${limit.ofEach.name}` : ''
      refuse('invalid', `A workspace holds at most ${String(limit.count)} ${limit.called}${each}.`)
    }
    plain.insert(workspace.database, row)
    due?.expect(workspace, row)
    return row
  }

  return {
    ...setOf(table, declaration, (workspace, row) => put(workspace, row as New<Table, Derived>)),
    noun,
    job: due?.job ?? null,
    find: plain.find,
    head: plain.head,
    findAll: plain.findAll,
    byId: plain.byId,
    ofPage: plain.ofPage,
    walk: plain.walk,
    remove(workspace, id) {
      plain.remove(workspace, id)
      recordTouch(workspace, prefix + String(id))
    },
    get: (workspace, id) => plain.find(workspace, id) ?? noSuch(id),
    getHead: (workspace, id) => plain.head(workspace, id) ?? noSuch(id),
    noSuch,
    by(name) {
      const column = columns[name]
      if (!column) throw new Error(`no column ${name} exists`)
      const matching = rowReader<Row>(
        table,
        and(ofWorkspace(table), eq(column, sql.placeholder('value')), live),
        // With another order, SQLite would scan all rows in that order.
        [sql`rowid`],
      )
      const find = (workspace: Workspace, value: string): Row | undefined =>
        matching.first(workspace.database, { workspace: workspace.rowScope, value })
      return { find, get: (workspace, value) => find(workspace, value) ?? noSuch(value) }
    },
    insert(workspace, input) {
      const row = put(workspace, input)
      recordTouch(workspace, prefix + String((row as Cells)['id']))
      workspace.newRecords?.add(tableName, (row as Cells)['id'], workspace.now())
      recordMoves?.(workspace, null, row)
      return row
    },
    isChange: (before, fields) => isChange(before, fields, declaration.normal),
    update(workspace, before, changes) {
      const row = { ...before, ...changes }
      complete(workspace, row)
      plain.update(workspace.database, row)
      recordTouch(workspace, prefix + String((row as Cells)['id']))
      recordMoves?.(workspace, before, row)
      due?.expect(workspace, row)
      return row
    },
    updateAll(set, where) {
      const run = writer((orm) =>
        orm
          .update(table as SQLiteTable)
          .set({ ...set, ...('revision' in columns && { revision: NEXT_REVISION }) })
          .where(and(ofWorkspace(table), where)),
      )
      const bulk = touching(table, declaration.snapshot, where, run)
      return (workspace, values) => {
        const changed = bulk(workspace, values)
        if (due && changed > 0) workspace.expectJob(due.job.due(workspace))
        return changed
      }
    },
    removeSome(where) {
      const some = sql`rowid in (select rowid from ${table} where ${and(ofWorkspace(table), where)} limit ${sql.raw(String(MAX_REMOVED))})`
      const run = writer((orm) => orm.delete(table as SQLiteTable).where(some))
      return touching(table, declaration.snapshot, where, run)
    },
    list: (list && isListed(table) ? list(table, live) : undefined) as List,
    index: indexer(table, undefined, declaration.indexes ?? {}),
  }
}

/**
 * Returns a function that records the moves of a record in the timeline; undefined for a table without a state
 * machine.
 */
function moveRecorder(
  columns: Readonly<Record<string, SQLiteColumn>>,
  { section, name }: { readonly section: string; readonly name: string },
): ((workspace: Workspace, before: unknown, after: unknown) => void) | undefined {
  const matching = machinesOf(columns)
  if (matching.length === 0) return undefined
  return (workspace, before, after) => {
    const row = after as Cells
    for (const [column, machine] of matching) {
      const from = before === null ? null : String((before as Cells)[column])
      const to = String(row[column])
      if (from !== to) recordMove(workspace, `${section}.${name}`, machine, String(row['id']), from, to)
    }
  }
}

type Cells = Readonly<Record<string, unknown>>

function recordMove(
  workspace: Workspace,
  section: string,
  machine: Machine,
  id: string,
  from: string | null,
  to: string,
): void {
  const move = from === null ? 'create' : moveNameBetween(machine, from, to)
  const title = `${section} ${id} ${move}: ${from === null ? to : `${from} to ${to}`}`
  const moved = { section, record: id, machine: machine.name, move, from, to }
  recordStep(workspace, { kind: 'transition', title, ref: `${section}/${id}`, moved })
}

/** Returns the state columns of a table with their machines. */
export const machinesOfTable = (table: RecordSet['table']): [string, Machine][] =>
  machinesOf(getTableColumns(table as SQLiteTable))

const machinesOf = (columns: Readonly<Record<string, SQLiteColumn>>): [string, Machine][] =>
  Object.entries(columns).flatMap(([name, { enumValues }]) => {
    const machine = enumValues && machineOfStates(enumValues)
    return machine ? [[name, machine] satisfies [string, Machine]] : []
  })

/** Returns a function that checks whether the limit of a workspace is reached. */
function limitCheck<Row>(
  table: ScopedTable,
  { count, ofEach, counted }: Limit,
): (workspace: Workspace, row: Row) => boolean {
  const lastAllowed = query((orm) =>
    orm
      .select({ id: table.id })
      .from(table as SQLiteTable)
      .where(and(ofWorkspace(table), counted, ofEach && eq(ofEach, sql.placeholder('of'))))
      .limit(1)
      .offset(count - 1),
  )
  const property = Object.entries(getTableColumns(table)).find(([, column]) => column === ofEach)?.[0]
  return (workspace, row) => {
    const of = property === undefined ? null : (row as Readonly<Record<string, unknown>>)[property]
    return lastAllowed.firstCells(workspace, ofEach ? { of } : {}) !== undefined
  }
}

const isListed = (table: ScopedTable): table is ScopedTable & ListedTable => 'revision' in table

/** Declares a table whose rows have no id because they are parts of another record. */
export function parts<Table extends SQLiteTable & { workspace: SQLiteColumn }, const Derived = object>(
  table: Table,
  declaration: CommonDeclaration<InferSelectModel<Table>, Derived>,
) {
  type Row = InferSelectModel<Table>
  const complete = completer<Row, Derived>(table, declaration)
  const addDefaults = defaulter(table)
  const insertRow = inserter(table)
  const insert = (workspace: Workspace, input: New<Table, Derived>): Row => {
    const row = complete(workspace, addDefaults(input))
    insertRow(workspace.database, row)
    return row
  }
  const put = (workspace: Workspace, row: object): void => {
    insert(workspace, row as New<Table, Derived>)
  }
  const refOf = refsOf(table, declaration.snapshot)
  return {
    ...setOf<Row>(table, declaration, put),
    job: null,
    /** Completes the row in place, writes it and answers with it. Only inside a `write`. */
    insert(workspace: Workspace, input: New<Table, Derived>): Row {
      const row = insert(workspace, input)
      recordTouch(workspace, refOf(row))
      return row
    },
    /** Prepares a change of all rows that match a condition. */
    updateAll(set: Partial<Readonly<Record<keyof Row, SQL>>>, where: SQL): Bulk {
      const run = writer((orm) =>
        orm
          .update(table as SQLiteTable)
          .set(set)
          .where(and(ofWorkspace(table), where)),
      )
      return touching(table, declaration.snapshot, where, run)
    },
    /** Prepares the deletion of all rows that match a condition. */
    removeAll(where: SQL): Bulk {
      const run = writer((orm) => orm.delete(table as SQLiteTable).where(and(ofWorkspace(table), where)))
      return touching(table, declaration.snapshot, where, run)
    },
  } satisfies RecordSet & Record<string, unknown>
}

/** Returns a function that fills in the defaults of a new row, in place: see `addColumns`. */
function defaulter(table: SQLiteTable): <Input extends object>(input: Input) => Input {
  const defaults = Object.entries(getTableColumns(table))
    .filter(([, column]) => column.hasDefault || !column.notNull)
    .map(([name, column]) => [name, column.hasDefault ? column.default : null] as const)
  return (input) => {
    const row = input as Record<string, unknown>
    for (const [name, value] of defaults) if (row[name] === undefined) row[name] = value
    return input
  }
}

/** Fills in derived columns, in place: see `addColumns`. */
function completer<Row, Derived>(
  table: SQLiteTable,
  { normal, derived }: CommonDeclaration<Row, Derived>,
): (workspace: Workspace, input: object) => Row {
  const derivations = Object.entries(derived ?? {}) as [string, (row: Row, workspace: Workspace) => unknown][]
  const hasRevision = 'revision' in getTableColumns(table)
  return (workspace, input) => {
    const row = input as Row & Record<string, unknown>
    const cells: Record<string, unknown> = row
    cells['workspace'] = workspace.rowScope
    if (normal) addColumns(row, normal(row))
    for (const [name, follow] of derivations) cells[name] = follow(row, workspace)
    if (hasRevision) cells['revision'] = workspace.database.nextRevision()
    return row
  }
}

const instantsOf = (table: RecordSet['table']): string[] =>
  Object.entries(getTableColumns(table as SQLiteTable)).flatMap(([name, column]) =>
    meaningOf(column)?.isInstant ? [name] : [],
  )

function setOf<Row>(
  table: RecordSet['table'],
  { derived, snapshot }: CommonDeclaration<Row, unknown>,
  write: (workspace: Workspace, row: object) => void,
): Omit<RecordSet, 'job'> {
  const { section, name, check, isInternal = false, isCounter = false, generated = [] } = snapshot
  const filled = [...Object.keys(derived ?? {}), 'revision'].filter(
    (column) => column in getTableColumns(table),
  )
  const derivations = Object.entries(derived ?? {}) as [string, (row: object) => unknown][]
  return {
    section,
    name,
    table,
    instants: instantsOf(table),
    generated,
    derived: filled,
    isInternal: isInternal || !('id' in getTableColumns(table)),
    isCounter,
    // The others also have the workspace as a parameter.
    derivations: Object.fromEntries(derivations.filter(([, follow]) => follow.length < 2)),
    put(workspace, row) {
      check?.(row as Row, workspace)
      write(workspace, row)
    },
  }
}
