/**
 * The declaration of a table: everything that holds for its rows whoever writes them. What is found and listed, what
 * follows from other columns, what falls due and how a row stands in a snapshot is said once, next to the table, and all
 * that reads or writes rows is made from it. So no action can leave a revision, a derived column or a job behind: they
 * are no part of what it gives.
 */
import { and, eq, getTableColumns, sql, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { TSchema } from '@sinclair/typebox'
import { addColumns } from './columns.ts'
import { NEXT_REVISION } from './database.ts'
import { dueTable, type Due } from './dueJobs.ts'
import { indexer } from './indexes.ts'
import type { Head, ListedTable, ListOf } from './listing.ts'
import { machineOfStates, moveTaken, type Machine } from './machine.ts'
import { writer, type Values } from './prepared.ts'
import { ofWorkspace, query } from './query.ts'
import { rowReader } from './reading.ts'
import type { RecordSet } from './records.ts'
import { refuse } from './refusal.ts'
import { inserter, rows, type Rows, type ScopedTable } from './rows.ts'
import { isFolded } from './searching.ts'
import { recordStep } from './timeline.ts'
import type { Workspace } from './workspace.ts'

/** How each derived column follows from the others of its row. What its parameter names is what it follows from. */
type Derivations<Row> = {
  readonly [Column in keyof Row]?: (row: Row, workspace: Workspace) => Row[Column]
}

/** Columns that the declaration fills in. */
type Filled<Derived> = keyof Derived | 'workspace' | 'revision'

/** A row as it is given: without the columns that are filled in. */
type Given<Row, Derived> = Omit<Row, Filled<Derived>> & Partial<Readonly<Record<Filled<Derived>, never>>>

/** Columns that others follow from. */
type Sources<Derived> = {
  [Column in keyof Derived]: Derived[Column] extends (row: infer Row, ...rest: never) => unknown
    ? keyof Row
    : never
}[keyof Derived]

/** Columns that many rows may be given at once: those that nothing else in the row follows from. */
type Settable<Row, Derived> =
  | Exclude<keyof Row, Sources<Derived> | 'workspace' | 'id' | 'revision'>
  | (keyof Derived & keyof Row)

/** How a table stands in a snapshot. */
interface InSnapshot<Row> {
  /** The interface, and the name of the list in it: `catalog`, `products`. */
  readonly section: string
  readonly name: string
  /** Columns that hold ms since the epoch; a snapshot shows them as ISO 8601. */
  readonly instants?: readonly (keyof Row & string)[]
  /** What a snapshot may hold in a column, where that is less than the column's type takes. */
  readonly shapes?: () => { readonly [Column in keyof Row]?: TSchema }
  /** Refuses a row that no action could have written. */
  readonly check?: (row: Row, workspace: Workspace) => void
}

/** What tables with an id and without one have in common. */
interface CommonDeclaration<Row, Derived> {
  /** Brings what is given into the one form in which it is kept, before anything follows from it. */
  readonly normal?: (row: Row) => Partial<Row>
  readonly derived?: Derived & Derivations<Row>
  readonly snapshot: InSnapshot<Row>
}

interface Declaration<Row, Derived, List, Indexed extends string> extends CommonDeclaration<Row, Derived> {
  /** What one is called: "There is no product X." */
  readonly noun: string
  /** Says no where there is none; `not_found` unless the interface has a more exact case. */
  readonly absent?: (message: string) => never
  /** Holds for every row that can be found and is listed, such as not being deleted. */
  readonly live?: SQL
  /** Its sorts, filters and the indexes of these: `numbered({...})` or `byCursor({...})`. */
  readonly list?: ListOf<List>
  /** The columns of further indexes, which `index` makes when a large workspace needs them. */
  readonly indexes?: Readonly<Record<Indexed, readonly SQLiteColumn[]>>
  readonly due?: Due<Row>
  readonly limit?: Limit
}

/** How many a workspace may hold, in all or of each value of a column; one more is refused, also in a snapshot. */
interface Limit {
  readonly count: number
  /** What several are called. */
  readonly called: string
  readonly ofEach?: SQLiteColumn
  /** Those that count, where others may have gone that are still kept. */
  readonly counted?: SQL
}

interface FoundBy<Row> {
  /** The first of them, in the order of insertion. */
  readonly find: (workspace: Workspace, value: string) => Row | undefined
  /** The same, or a refusal. */
  readonly get: (workspace: Workspace, value: string) => Row
}

type BulkChange<Row, Derived> = Partial<Readonly<Record<Settable<Row, Derived>, SQL>>>

/** Changes or removes all rows of a workspace that meet the condition; answers with how many. Only inside a `write`. */
type Bulk = (workspace: Workspace, values: Values & { readonly workspace?: never }) => number

export interface Recorded<Row, Derived, List, Indexed extends string>
  extends RecordSet, Pick<Rows<Row>, 'find' | 'head' | 'reader' | 'findAll' | 'findAt' | 'walk' | 'remove'> {
  /** The name of one record in messages. */
  readonly noun: string
  /** The row with this id, or a refusal. */
  readonly get: (workspace: Workspace, id: string) => Row
  /** Id, revision and place of the row with this id, or a refusal. */
  readonly getHead: (workspace: Workspace, id: string) => Head
  /** Refuses an id that there is not. */
  readonly noSuch: (id: string) => never
  /** Finds rows by a column that an index begins with. */
  readonly by: (column: keyof Row & string) => FoundBy<Row>
  /** Completes the row in place, writes it and answers with it. Only inside a `write`. */
  readonly insert: (workspace: Workspace, row: Given<Row, Derived>) => Row
  /** Writes the row with what has changed; answers with it as it now is. Only inside a `write`. */
  readonly update: <Before extends Row>(
    workspace: Workspace,
    before: Before,
    changes: Partial<Omit<Given<Row, Derived>, 'id'>>,
  ) => Before
  /**
   * Prepares a change of all rows of a workspace that meet a condition, each of which gets a revision of its own. Where a
   * derivation does not say what it follows from, it follows from the whole row, and only derived columns may be changed.
   */
  readonly updateAll: (set: BulkChange<Row, Derived>, where: SQL | undefined) => Bulk
  /**
   * Prepares the removal of rows that meet a condition, at most `MOST_REMOVED` of them at a time, so that very many can go
   * in slices; answers with how many. Only inside a `write`.
   */
  readonly removeSome: (where: SQL) => Bulk
  readonly list: List
  /** Makes, of the further indexes with these names, those that are needed and not there yet. */
  readonly index: (workspace: Workspace, names: readonly Indexed[]) => void
}

/** Rows that `removeSome` removes in one write, which takes a few ms. */
export const MAX_REMOVED = 1000

/** The declaration of a table whose rows have an id. Made once, where the module is loaded. */
export function record<
  Table extends ScopedTable,
  const Derived = object,
  List = never,
  Indexed extends string = never,
>(
  table: Table,
  declaration: Declaration<InferSelectModel<Table>, Derived, List, Indexed>,
): Recorded<InferSelectModel<Table>, Derived, List, Indexed> {
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
  const isFull = limit && fullness<Row>(table, limit)

  const moves = mover(columns, declaration.snapshot)
  const put = (workspace: Workspace, given: Given<Row, Derived>): Row => {
    const row = complete(workspace, given)
    if (limit && isFull?.(workspace, row)) {
      const each = limit.ofEach ? ` of each ${limit.ofEach.name}` : ''
      refuse('invalid', `A workspace holds at most ${String(limit.count)} ${limit.called}${each}.`)
    }
    plain.insert(workspace.database, row)
    due?.expect(workspace, row)
    return row
  }

  return {
    ...setOf(table, declaration, (workspace, row) => put(workspace, row as Given<Row, Derived>)),
    noun,
    job: due?.job ?? null,
    find: plain.find,
    head: plain.head,
    reader: plain.reader,
    findAll: plain.findAll,
    findAt: plain.findAt,
    walk: plain.walk,
    remove: plain.remove,
    get: (workspace, id) => plain.find(workspace, id) ?? noSuch(id),
    getHead: (workspace, id) => plain.head(workspace, id) ?? noSuch(id),
    noSuch,
    by(name) {
      const column = columns[name]
      if (!column) throw new Error(`there is no column ${name}`)
      const found = rowReader<Row>(
        table,
        and(ofWorkspace(table), eq(column, sql.placeholder('value')), live),
        // Any other order would have SQLite walk through all rows in that order.
        [sql`rowid`],
      )
      const find = (workspace: Workspace, value: string): Row | undefined =>
        found.first(workspace.database, { workspace: workspace.rowScope, value })
      return { find, get: (workspace, value) => find(workspace, value) ?? noSuch(value) }
    },
    insert(workspace, given) {
      const row = put(workspace, given)
      moves?.(workspace, null, row)
      return row
    },
    update(workspace, before, changes) {
      const row = { ...before, ...changes }
      complete(workspace, row)
      plain.update(workspace.database, row)
      moves?.(workspace, before, row)
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
      return (workspace, values) => {
        const changed = run(workspace.database, { workspace: workspace.rowScope, ...values })
        if (due && changed > 0) workspace.expectJob(due.job.due(workspace))
        return changed
      }
    },
    removeSome(where) {
      const some = sql`rowid in (select rowid from ${table} where ${and(ofWorkspace(table), where)} limit ${sql.raw(String(MAX_REMOVED))})`
      const run = writer((orm) => orm.delete(table as SQLiteTable).where(some))
      return (workspace, values) => run(workspace.database, { workspace: workspace.rowScope, ...values })
    },
    list: (list && isListed(table) ? list(table, live) : undefined) as List,
    index: indexer(table, undefined, declaration.indexes ?? {}),
  }
}

/** Tells of the moves of a record that has a state machine; undefined for a table without one. */
function mover(
  columns: Readonly<Record<string, SQLiteColumn>>,
  { section, name }: { readonly section: string; readonly name: string },
): ((workspace: Workspace, before: unknown, after: unknown) => void) | undefined {
  const found = machinesOf(columns)
  if (found.length === 0) return undefined
  return (workspace, before, after) => {
    const row = after as Cells
    for (const [column, machine] of found) {
      const from = before === null ? null : String((before as Cells)[column])
      const to = String(row[column])
      if (from !== to) tellOfMove(workspace, `${section}.${name}`, machine, String(row['id']), from, to)
    }
  }
}

type Cells = Readonly<Record<string, unknown>>

function tellOfMove(
  workspace: Workspace,
  section: string,
  machine: Machine,
  id: string,
  from: string | null,
  to: string,
): void {
  const move = from === null ? 'create' : moveTaken(machine, from, to)
  const title = `${section} ${id} ${move}: ${from === null ? to : `${from} to ${to}`}`
  const moved = { section, record: id, machine: machine.name, move, from, to }
  recordStep(workspace, { kind: 'transition', title, ref: `${section}/${id}`, moved })
}

/** The columns of a table that hold states, with their machines. */
export const machinesOfTable = (table: RecordSet['table']): [string, Machine][] =>
  machinesOf(getTableColumns(table as SQLiteTable))

const machinesOf = (columns: Readonly<Record<string, SQLiteColumn>>): [string, Machine][] =>
  Object.entries(columns).flatMap(([name, { enumValues }]) => {
    const machine = enumValues && machineOfStates(enumValues)
    return machine ? [[name, machine] satisfies [string, Machine]] : []
  })

/** Whether a workspace holds so many rows that there is no place for this one. */
function fullness<Row>(
  table: ScopedTable,
  { count, ofEach, counted }: Limit,
): (workspace: Workspace, row: Row) => boolean {
  const lastPlace = query((orm) =>
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
    return lastPlace.firstCells(workspace, ofEach ? { of } : {}) !== undefined
  }
}

const isListed = (table: ScopedTable): table is ScopedTable & ListedTable => 'revision' in table

/** The declaration of a table whose rows have no id, for they are parts of another record. */
export function parts<Table extends SQLiteTable & { workspace: SQLiteColumn }, const Derived = object>(
  table: Table,
  declaration: CommonDeclaration<InferSelectModel<Table>, Derived>,
) {
  type Row = InferSelectModel<Table>
  const complete = completer<Row, Derived>(table, declaration)
  const insertRow = inserter(table)
  const insert = (workspace: Workspace, given: Given<Row, Derived>): Row => {
    const row = complete(workspace, given)
    insertRow(workspace.database, row)
    return row
  }
  const set = setOf<Row>(table, declaration, (workspace, row) =>
    insert(workspace, row as Given<Row, Derived>),
  )
  return {
    ...set,
    job: null,
    /** Completes the row in place, writes it and answers with it. Only inside a `write`. */
    insert,
    /** Prepares a change of all rows that meet a condition. */
    updateAll(set: Partial<Readonly<Record<keyof Row, SQL>>>, where: SQL): Bulk {
      const run = writer((orm) =>
        orm
          .update(table as SQLiteTable)
          .set(set)
          .where(and(ofWorkspace(table), where)),
      )
      return (workspace, values) => run(workspace.database, { workspace: workspace.rowScope, ...values })
    },
    /** Prepares the removal of all rows that meet a condition. */
    removeAll(where: SQL): Bulk {
      const run = writer((orm) => orm.delete(table as SQLiteTable).where(and(ofWorkspace(table), where)))
      return (workspace, values) => run(workspace.database, { workspace: workspace.rowScope, ...values })
    },
  } satisfies RecordSet & Record<string, unknown>
}

/** Fills in what is no part of what callers give, in place: see `addColumns`. */
function completer<Row, Derived>(
  table: SQLiteTable,
  { normal, derived }: CommonDeclaration<Row, Derived>,
): (workspace: Workspace, given: object) => Row {
  const follows = Object.entries(derived ?? {}) as [string, (row: Row, workspace: Workspace) => unknown][]
  const hasRevision = 'revision' in getTableColumns(table)
  return (workspace, given) => {
    const row = given as Row & Record<string, unknown>
    const cells: Record<string, unknown> = row
    cells['workspace'] = workspace.rowScope
    if (normal) addColumns(row, normal(row))
    for (const [name, follow] of follows) cells[name] = follow(row, workspace)
    if (hasRevision) cells['revision'] = workspace.database.nextRevision()
    return row
  }
}

function setOf<Row>(
  table: RecordSet['table'],
  { derived, snapshot }: CommonDeclaration<Row, unknown>,
  write: (workspace: Workspace, row: object) => void,
): Omit<RecordSet, 'job'> {
  const { section, name, instants = [], shapes = () => ({}), check } = snapshot
  const filled = [...Object.keys(derived ?? {}), 'revision'].filter(
    (column) => column in getTableColumns(table),
  )
  const follows = Object.entries(derived ?? {}) as [string, object][]
  return {
    section,
    name,
    table,
    instants,
    derived: filled,
    folded: Object.fromEntries(
      follows.flatMap(([column, follow]) => (isFolded(follow) ? [[column, follow]] : [])),
    ),
    shapes,
    put(workspace, row) {
      check?.(row as Row, workspace)
      write(workspace, row)
    },
  }
}
