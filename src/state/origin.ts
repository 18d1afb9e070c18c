/**
 * What a workspace was made with, kept in the same tables under its number with a minus sign, and how it is put back.
 *
 * Most resets find most records as they were, so only what has changed is looked for: a record that was written since
 * the start has a revision that is later than all of the start (docs/decisions/0002). Records without a revision are
 * compared column by column. What was changed gets back the columns that differ, what was added is deleted, and the
 * rest is left alone. Only where a record is missing or has lost its place among the others is the whole table deleted
 * and copied, with those that refer to it, which costs the more the more indexes there are.
 */
import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'
import { counters, users } from './tables.ts'
import type { Workspace } from './workspaces.ts'

export type WorkspaceTable = SQLiteTable & { workspace: SQLiteColumn }

/** A record of the start beside the one that now stands in its place. */
type Compared = [
  /** Where it is kept. */
  origin: number,
  /** Where it stands now; null when it is missing. */
  place: number | null,
  /** A bit for each group of columns in which they differ. */
  difference: number,
]

/** A record that was written since the start. */
type Written = [
  place: number,
  /** Where the record is kept that stood in this place at the start; null for one that was added. */
  origin: number | null,
  difference: number,
]

/** How many records there are, and where the first one stands; null when there is none. */
type Extent = [count: number, first: number | null]

/** Finds what was written to a table whose records have revisions. */
interface ByRevision {
  /** Of the records of the start, and the last of their revisions. */
  readonly start: Statement<{ w: number }, [...Extent, last: number | null]>
  readonly extent: Statement<{ w: number }, Extent>
  /** The records with revisions after `last`; `apart` is how far from its place each is kept. */
  readonly written: Statement<{ w: number; last: number; apart: number }, Written>
}

/** The statements of one table; `w` is the workspace's number. */
interface TableStatements {
  readonly name: string
  /** The tables that its records refer to. */
  readonly parents: readonly string[]
  /** Copies the records to where they are kept. */
  readonly keep: Statement
  readonly empty: Statement
  /** Copies the records back from where they are kept. */
  readonly copyBack: Statement
  /** null for records without a revision. */
  readonly byRevision: ByRevision | null
  /** All records of the start, in their order. */
  readonly compare: Statement<{ w: number }, Compared>
  /** Where all records stand. */
  readonly places: Statement<{ w: number }, number>
  /** `places` is a list in JSON. */
  readonly deleteAt: Statement<[places: string]>
  /**
   * Gives the records at these places, a list in JSON, those columns of their origins of which `difference` holds the
   * bits; `apart` is how far from its place each is kept.
   */
  restoreAt(difference: number): Statement<{ places: string; apart: number }>
}

/** What the start of a table is remembered by; it never changes. */
interface Start {
  readonly count: number
  readonly first: number
  readonly last: number
}

export class Origins {
  /** Parents before children. */
  readonly #tables: readonly WorkspaceTable[]
  readonly #prepared = new WeakMap<Database, Prepared>()
  readonly #starts = new WeakMap<Workspace, Map<TableStatements, Start>>()

  constructor(tables: readonly WorkspaceTable[]) {
    this.#tables = tables
  }

  /** Remembers the records, users and counters as they are now. */
  keep(workspace: Workspace): void {
    const { database, number: w } = workspace
    this.#starts.delete(workspace)
    const { tables, hold, keepUsers, keepCounters } = this.#statements(database)
    const held = hold.get({ w }) ?? []
    tables.forEach((table, index) => {
      if (held[index] === 1) table.keep.run({ w })
    })
    keepUsers.run({ w })
    keepCounters.run({ w })
  }

  /** Puts them back. Users that have come since stay. Only inside a `write`. */
  restore(workspace: Workspace): void {
    const { database, number: w } = workspace
    const { tables, restoreUsers, emptyCounters, restoreCounters } = this.#statements(database)
    try {
      workspace.write(() => {
        putRight(repairsOf(tables, w, this.#startsOf(workspace)), w)
      })
    } catch (error) {
      if (!isConstraint(error)) throw error
      // Put right one by one they broke a rule, as two do that have taken each other's names.
      putRight(new Map(tables.map((table) => [table, null])), w)
    }
    restoreUsers.run({ w })
    emptyCounters.run({ w })
    restoreCounters.run({ w })
  }

  /** Deletes the records of a workspace, or with the number negated what was kept of them. Only inside a `write`. */
  empty(database: Database, w: number): void {
    for (const table of this.#statements(database).tables.toReversed()) table.empty.run({ w })
  }

  #startsOf(workspace: Workspace): Map<TableStatements, Start> {
    let starts = this.#starts.get(workspace)
    if (!starts) this.#starts.set(workspace, (starts = new Map<TableStatements, Start>()))
    return starts
  }

  #statements(database: Database): Prepared {
    let prepared = this.#prepared.get(database)
    if (!prepared) this.#prepared.set(database, (prepared = prepare(database, this.#tables)))
    return prepared
  }
}

/** What has to be done in a table so that its records are again what they were. */
interface Repair {
  /** The places of changed records, by what differs and by how far from there they are kept. */
  readonly changed: Map<number, Map<number, number[]>>
  readonly added: number[]
}

const nothing = (): Repair => ({ changed: new Map(), added: [] })

function noteChange({ changed }: Repair, place: number, origin: number, difference: number): void {
  let alike = changed.get(difference)
  if (!alike) changed.set(difference, (alike = new Map<number, number[]>()))
  const places = alike.get(origin - place)
  if (places) places.push(place)
  else alike.set(origin - place, [place])
}

/**
 * Looks at what was written since the start alone; null when that does not tell.
 *
 * The records of the start are kept one behind the other, as they stood when they were put there. One that still stands
 * as far behind the first as it is kept behind the first of those has not lost its place: the next number is always
 * given to a record that is inserted, so one that was inserted anew stands behind all others.
 */
function repairOfWritten(
  { start, extent, written }: ByRevision,
  table: TableStatements,
  w: number,
  starts: Map<TableStatements, Start>,
): Repair | null {
  let known = starts.get(table)
  if (!known) {
    const [count = 0, first = null, last = null] = start.get({ w }) ?? []
    starts.set(table, (known = { count, first: first ?? 0, last: last ?? -1 }))
  }
  const repair = nothing()
  const [count = 0, first = null] = extent.get({ w }) ?? []
  if (first === null) return known.count === 0 ? repair : null
  for (const [place, origin, difference] of written.all({
    w,
    last: known.last,
    apart: known.first - first,
  })) {
    if (origin === null) repair.added.push(place)
    else noteChange(repair, place, origin, difference)
  }
  return count - repair.added.length === known.count ? repair : null
}

/** Looks at every record; null when one is missing or stands before one that it stood behind. */
function repairOfAll(table: TableStatements, w: number): Repair | null {
  const repair = nothing()
  const ofTheStart = new Set<number>()
  let before = 0
  for (const [origin, place, difference] of table.compare.all({ w })) {
    if (place === null || place < before) return null
    before = place
    ofTheStart.add(place)
    if (difference !== 0) noteChange(repair, place, origin, difference)
  }
  for (const place of table.places.all({ w })) if (!ofTheStart.has(place)) repair.added.push(place)
  return repair
}

/** What has to be done in each table; null where everything is to be copied back. */
function repairsOf(
  tables: readonly TableStatements[],
  w: number,
  starts: Map<TableStatements, Start>,
): Map<TableStatements, Repair | null> {
  const repairs = new Map<TableStatements, Repair | null>()
  const copied = new Set<string>()
  for (const table of tables) {
    const { byRevision, name, parents } = table
    // Deleting what a record refers to may take it along.
    const repair = parents.some((parent) => copied.has(parent))
      ? null
      : ((byRevision && repairOfWritten(byRevision, table, w, starts)) ?? repairOfAll(table, w))
    if (repair === null) copied.add(name)
    repairs.set(table, repair)
  }
  return repairs
}

/** Only inside a `write`. */
function putRight(repairs: ReadonlyMap<TableStatements, Repair | null>, w: number): void {
  // First of all, for what is deleted takes with it what refers to it.
  for (const [table, repair] of repairs) {
    for (const [difference, alike] of repair?.changed ?? []) {
      const restore = table.restoreAt(difference)
      for (const [apart, places] of alike) restore.run({ places: JSON.stringify(places), apart })
    }
  }
  for (const [table, repair] of [...repairs].reverse()) {
    if (repair === null) table.empty.run({ w })
    else if (repair.added.length > 0) table.deleteAt.run(JSON.stringify(repair.added))
  }
  for (const [table, repair] of repairs) if (repair === null) table.copyBack.run({ w })
}

const isConstraint = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')

interface Prepared {
  readonly tables: readonly TableStatements[]
  /** For each table whether the workspace has records in it: 1 or 0. */
  readonly hold: Statement<{ w: number }, number[]>
  readonly keepUsers: Statement
  readonly restoreUsers: Statement
  readonly keepCounters: Statement
  readonly emptyCounters: Statement
  readonly restoreCounters: Statement
}

function prepare(database: Database, tables: readonly WorkspaceTable[]): Prepared {
  const { sqlite } = database
  const shapes = tables.map((table) => shapeOf(database, table))
  const ofUsers = shapeOf(database, users)
  const ofCounters = shapeOf(database, counters)
  return {
    tables: shapes.map((shape) => statementsOf(database, shape)),
    hold: sqlite.prepare<{ w: number }, number[]>(`SELECT ${shapes.map(holding).join(', ')}`).raw(),
    keepUsers: sqlite.prepare(copying(ofUsers, '-:w', ':w')),
    restoreUsers: sqlite.prepare(`${copying(ofUsers, ':w', '-:w')} ${writingOver(ofUsers)}`),
    keepCounters: sqlite.prepare(copying(ofCounters, '-:w', ':w')),
    emptyCounters: sqlite.prepare(`DELETE FROM ${ofCounters.name} WHERE "workspace" = :w`),
    restoreCounters: sqlite.prepare(copying(ofCounters, ':w', '-:w')),
  }
}

/** A table in the words of SQL; all columns but the workspace, which stands beside the others in each key. */
interface TableShape {
  readonly name: string
  readonly parents: readonly string[]
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** The other columns as they are given back: all that no index has together, the others each by itself. */
  readonly groups: readonly (readonly string[])[]
}

function shapeOf({ sqlite }: Database, table: WorkspaceTable): TableShape {
  const name = getTableName(table)
  const known = new Set(Object.values(getTableColumns(table)).map((column) => column.name))
  const columns = (sqlite.pragma(`table_info("${name}")`) as { name: string; pk: number }[]).filter(
    (column) => column.name !== 'workspace' && known.has(column.name),
  )
  const key = columns.filter(({ pk }) => pk > 0)
  const others = columns.filter((column) => !key.includes(column))
  const indexes = sqlite
    .prepare<[string], { sql: string | null }>(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?",
    )
    .all(name)
  // A column that an index only seems to name costs a comparison, and no more.
  const isIndexed = (column: { name: string }): boolean =>
    indexes.some(({ sql }) => new RegExp(`\\b${column.name}\\b`).test(sql ?? ''))
  const groups = [
    others.filter((column) => !isIndexed(column)),
    ...others.filter(isIndexed).map((one) => [one]),
  ]
  const references = sqlite.pragma(`foreign_key_list("${name}")`) as { table: string }[]
  return {
    name: `"${name}"`,
    parents: references.map((reference) => `"${reference.table}"`),
    columns: columns.map(quoted),
    key: key.map(quoted),
    groups: groups.filter((group) => group.length > 0).map((group) => group.map(quoted)),
  }
}

const quoted = ({ name }: { name: string }): string => `"${name}"`

function statementsOf({ sqlite }: Database, shape: TableShape): TableStatements {
  const { name, parents, columns, key, groups } = shape
  const hasRevision = columns.includes(REVISION)
  const twin = key.map((column) => `AND t.${column} = o.${column}`).join(' ')
  // Of the records without a revision most differ in nothing, and that is told faster of all columns at once.
  const tells = hasRevision ? [REVISION] : groups.flat()
  return {
    name,
    parents,
    keep: sqlite.prepare(copying(shape, '-:w', ':w')),
    empty: sqlite.prepare(`DELETE FROM ${name} WHERE "workspace" = :w`),
    copyBack: sqlite.prepare(copying(shape, ':w', '-:w')),
    byRevision: hasRevision ? byRevision(sqlite, shape) : null,
    compare: sqlite
      .prepare<{ w: number }, Compared>(
        `SELECT o.rowid, t.rowid, ${tells.length === 0 ? '0' : `iif(${differ(tells)}, ${differenceIn(groups)}, 0)`}
         FROM ${name} o LEFT JOIN ${name} t ON t."workspace" = :w ${twin}
         WHERE o."workspace" = -:w ORDER BY o.rowid`,
      )
      .raw(),
    places: sqlite.prepare<{ w: number }, number>(`SELECT rowid FROM ${name} WHERE "workspace" = :w`).pluck(),
    deleteAt: sqlite.prepare(`DELETE FROM ${name} WHERE rowid IN (SELECT value FROM json_each(?))`),
    restoreAt: restoring(sqlite, shape),
  }
}

const REVISION = '"revision"'

function byRevision(sqlite: Database['sqlite'], { name, key, groups }: TableShape): ByRevision {
  // The plus signs keep SQLite from looking for the origin by its key, which takes longer than going to its place.
  const twin = ['"workspace" = -:w', ...key.map((column) => `${column} = t.${column}`)]
  return {
    start: sqlite
      .prepare<{ w: number }, [...Extent, number | null]>(
        `SELECT count(*), min(rowid), max(${REVISION}) FROM ${name} WHERE "workspace" = -:w`,
      )
      .raw(),
    extent: sqlite
      .prepare<{ w: number }, Extent>(`SELECT count(*), min(rowid) FROM ${name} WHERE "workspace" = :w`)
      .raw(),
    written: sqlite
      .prepare<{ w: number; last: number; apart: number }, Written>(
        `SELECT t.rowid, o.rowid, ${differenceIn(groups)}
         FROM ${name} t LEFT JOIN ${name} o
           ON o.rowid = t.rowid + :apart ${twin.map((same) => `AND +o.${same}`).join(' ')}
         WHERE t."workspace" = :w AND t.${REVISION} > :last`,
      )
      .raw(),
  }
}

const differ = (columns: readonly string[]): string => {
  const of = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ')
  return `(${of('t')}) IS NOT (${of('o')})`
}

/** Of records that differ; with a revision that is sure of the group it belongs to. */
const differenceIn = (groups: TableShape['groups']): string =>
  groups
    .map((group, index) => `(${group.includes(REVISION) ? '1' : differ(group)}) * ${String(bitOf(index))}`)
    .join(' | ')

/** As many as an integer of JavaScript holds; in a table with more groups some share a bit. */
const BITS = 52

const bitOf = (group: number): number => 2 ** (group % BITS)

/** Statements that are kept for a table; a column that is not named costs less, but so many combinations are enough. */
const MOST_COMBINATIONS = 50

/** Naming only the columns that differ leaves alone the indexes of the others. */
function restoring(sqlite: Database['sqlite'], { name, groups }: TableShape): TableStatements['restoreAt'] {
  const prepared = new Map<number, ReturnType<TableStatements['restoreAt']>>()
  const all = 2 ** Math.min(groups.length, BITS) - 1
  return (difference) => {
    const wanted = prepared.has(difference) || prepared.size < MOST_COMBINATIONS ? difference : all
    let found = prepared.get(wanted)
    if (!found) {
      const isWanted = (_group: unknown, index: number): boolean =>
        Math.floor(wanted / bitOf(index)) % 2 === 1
      const named = groups.filter(isWanted).flat().join(', ')
      found = sqlite.prepare(
        `UPDATE ${name} AS t SET (${named}) = (SELECT ${named} FROM ${name} o WHERE o.rowid = t.rowid + :apart)
         WHERE rowid IN (SELECT value FROM json_each(:places))`,
      )
      prepared.set(wanted, found)
    }
    return found
  }
}

const holding = ({ name }: TableShape): string => `EXISTS (SELECT 1 FROM ${name} WHERE "workspace" = :w)`

const copying = ({ name, columns }: TableShape, to: string, from: string): string =>
  `INSERT INTO ${name} ("workspace", ${columns.join(', ')})
   SELECT ${to}, ${columns.join(', ')} FROM ${name} WHERE "workspace" = ${from} ORDER BY rowid`

/** Writing over a row leaves it where it stands among the others. */
function writingOver({ columns, key }: TableShape): string {
  const others = columns.filter((column) => !key.includes(column))
  const then =
    others.length === 0
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`
  return `ON CONFLICT ("workspace", ${key.join(', ')}) DO ${then}`
}
