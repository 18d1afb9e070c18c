/**
 * Compares the records of a workspace with an earlier state, which is in another row scope. Both states of an unchanged
 * record have the same revision, and revisions are never reused. Therefore a large table needs only its index of
 * revisions; other tables are compared row by row, in slices.
 */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { statement, type Database } from '../database/database.ts'
import { boundedCaches } from '../queries/boundedCaches.ts'
import { indexer } from '../queries/indexes.ts'
import type { RecordSet } from './records.ts'
import { Pace } from '../database/pace.ts'

/** An earlier state of the records of a workspace. */
export interface Origin {
  readonly scope: number
  /**
   * If the current records follow from the origin by single changes: the last revision before them, or `newest` for the
   * highest revision of the origin. Null if the records may have been replaced.
   */
  readonly until: number | 'newest' | null
}

export type Change = 'added' | 'changed' | 'removed'

/** A record that may differ: its rowids now and before, of which one can be missing. */
export interface Difference {
  readonly set: RecordSet
  readonly now: number | null
  readonly before: number | null
  /** The id; null if the table has no ids. */
  readonly id: string | null
}

/** Rows per step that are loaded or compared. */
const ROWS_PER_STEP = 200

/** The maximum number of rows of a range of revisions that is not divided further. */
const SMALL_RANGE = 64

/** Yields the records that may differ, in the order of insertion, the removed ones last. Rows of both scopes must stay. */
export async function* differencesOf(
  workspace: Workspace,
  set: RecordSet,
  origin: Origin,
  slices: Slices,
): AsyncGenerator<readonly Difference[], void> {
  const table = tableOf(set)(workspace.database)
  if (!table.hasRows({ w: workspace.rowScope, s: origin.scope })) return
  const sides = { w: workspace.rowScope, s: origin.scope }
  const hasIndex = origin.until !== null && table.index(workspace)
  const { now, before } = hasIndex
    ? await byRevision({ database: workspace.database, set, table }, sides, origin, slices)
    : await rowByRow(table, sides, slices)
  for (const [places, pairs] of [
    [now, table.pairsNow],
    [before, table.removed],
  ] as const) {
    places.sort((one, other) => one - other)
    for (let at = 0; at < places.length; at += ROWS_PER_STEP) {
      const some = JSON.stringify(places.slice(at, at + ROWS_PER_STEP))
      const sides = { w: workspace.rowScope, s: origin.scope, places: some }
      yield pairs(sides).map(([own, earlier, id]) => ({
        set,
        now: own,
        before: earlier,
        id: id === null ? null : String(id),
      }))
      if (slices.isOver) await slices.turn()
    }
  }
}

/** The row scopes: `w` of the workspace, `s` of the earlier state. */
interface Sides {
  readonly w: number
  readonly s: number
}

/** The rowids of rows that may have been added or changed, and of earlier rows that may have been removed. */
interface Places {
  readonly now: number[]
  readonly before: number[]
}

type Key = readonly unknown[]

interface TableStatements {
  /** False if the table is empty on both sides, as most are. */
  readonly hasRows: (sides: Sides) => boolean
  /** Creates the index of revisions if the workspace is large. Returns whether it exists. */
  readonly index: (workspace: Workspace) => boolean
  /** Returns the primary key after `rows` rows of a scope; undefined if fewer are left. */
  readonly keyAfter: (scope: number, after: Key | null, rows: number) => Key | undefined
  /** Returns the rowids of one side whose row has no equal row on the other side, in a range of primary keys. */
  readonly differing: (side: 'now' | 'before', sides: Sides, after: Key | null, upTo: Key | null) => number[]
  readonly newestRevision: (scope: number) => number
  readonly revisions: RevisionStatements
  /** Returns rowids with that of the earlier row and the id, without rows that are equal in all columns. */
  readonly pairsNow: (values: Sides & { readonly places: string }) => Pair[]
  /** Returns rowids of the earlier state, without rows that still exist. */
  readonly removed: (values: Sides & { readonly places: string }) => Pair[]
}

type Pair = [now: number | null, before: number | null, id: string | number | null]

/** Statements for ranges of revisions: after the first, up to and including the second. */
interface RevisionStatements {
  readonly count: (scope: number, after: number, upTo: number) => number
  /** Returns the revision at an offset after a revision. */
  readonly nth: (scope: number, after: number, offset: number) => number
  /** Counts rows at these rowids that have an earlier row with a revision up to `last`. */
  readonly changed: (sides: Sides, places: string, last: number) => number
  readonly places: (scope: number, after: number, limit: number) => [place: number, revision: number][]
  /** Returns the rowids of earlier rows whose revision no current row has. */
  readonly missing: (sides: Sides, after: number, upTo: number) => number[]
}

async function rowByRow(table: TableStatements, sides: Sides, slices: Slices): Promise<Places> {
  const places: Places = { now: [], before: [] }
  for (const side of ['now', 'before'] as const) {
    const pace = new Pace()
    let after: Key | null = null
    do {
      const from: Key | null = after
      after = pace.measure((rows): Key | null => {
        const upTo = table.keyAfter(side === 'now' ? sides.w : sides.s, from, rows) ?? null
        for (const place of table.differing(side, sides, from, upTo)) places[side].push(place)
        return upTo
      })
      if (slices.isOver) await slices.turn()
    } while (after !== null)
  }
  return places
}

/** The current rows after a revision are new or changed. Every other one is a row of the origin, of which some can be missing. */
async function byRevision(
  of: { readonly database: Database; readonly set: RecordSet; readonly table: TableStatements },
  sides: Sides,
  { scope, until }: Origin,
  slices: Slices,
): Promise<Places> {
  const { revisions, newestRevision } = of.table
  const now: number[] = []
  const last = until === 'newest' ? newestRevision(scope) : (until ?? 0)
  let changed = 0
  for (let after = last; ;) {
    const some = revisions.places(sides.w, after, ROWS_PER_STEP)
    for (const [place] of some) now.push(place)
    changed += revisions.changed(sides, JSON.stringify(some.map(([place]) => place)), last)
    after = some.at(-1)?.[1] ?? after
    if (slices.isOver) await slices.turn()
    if (some.length < ROWS_PER_STEP) break
  }
  const known = knownMissing(of.database)
  const key = [getTableName(of.set.table), sides.w, sides.s].join(' ')
  const { deletions } = of.database
  let found = known.get(key)
  if (found?.deletions !== deletions) {
    found = { deletions, places: await missingRows(revisions, sides, { last, changed }, slices) }
    known.set(key, found)
  }
  // Rows that were written while the origin was saved have later revisions.
  return { now, before: [...found.places, ...revisions.missing(sides, last, Number.MAX_SAFE_INTEGER)] }
}

/**
 * The rowids of earlier rows that were missing after a number of deletions. Until the next one, rows can only be
 * missing because they have changed since.
 */
interface Missing {
  readonly deletions: number
  readonly places: readonly number[]
}

/** By table and row scopes, as many rowids as these. */
const knownMissing = boundedCaches<string, Missing>({
  maxSize: 100_000,
  sizeCalculation: ({ places }) => places.length + 1,
})

/** The numbers of rows tell whether earlier rows are missing, and halving the ranges of revisions finds those. */
async function missingRows(
  revisions: RevisionStatements,
  sides: Sides,
  { last, changed }: { readonly last: number; readonly changed: number },
  slices: Slices,
): Promise<number[]> {
  const found: number[] = []
  const whole = { after: -1, upTo: last, earlier: revisions.count(sides.s, -1, last), left: 0 }
  whole.left = revisions.count(sides.w, -1, last)
  const ranges = whole.earlier - whole.left > changed ? [whole] : []
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const { after, upTo, earlier, left } = range
    if (earlier <= SMALL_RANGE || left === 0) {
      for (const place of revisions.missing(sides, after, upTo)) found.push(place)
    } else {
      const half = Math.floor(earlier / 2)
      const middle = revisions.nth(sides.s, after, half - 1)
      const leftOfHalf = revisions.count(sides.w, after, middle)
      const halves = [
        { after: middle, upTo, earlier: earlier - half, left: left - leftOfHalf },
        { after, upTo: middle, earlier: half, left: leftOfHalf },
      ]
      ranges.push(...halves.filter((each) => each.earlier > each.left))
    }
    if (slices.isOver) await slices.turn()
  }
  return found
}

const statements = new WeakMap<RecordSet, (database: Database) => TableStatements>()

function tableOf(set: RecordSet): (database: Database) => TableStatements {
  const known = statements.get(set)
  if (known) return known
  const created = statement((_orm, database) => prepare(database, set))
  statements.set(set, created)
  return created
}

/** Returns the columns of the primary key without the workspace. */
export function keyColumnsOf({ table }: Pick<RecordSet, 'table'>): SQLiteColumn[] {
  const columns = getTableConfig(table as SQLiteTable).primaryKeys.flatMap((key) => key.columns)
  return columns.filter(({ name }) => name !== 'workspace')
}

function prepare({ sqlite }: Database, set: RecordSet): TableStatements {
  const columns = Object.entries(getTableColumns(set.table as SQLiteTable))
  const name = `"${getTableName(set.table)}"`
  const keys = keyColumnsOf(set).map((column) => `"${column.name}"`)
  const hasRevision = columns.some(([property]) => property === 'revision')
  const visible = columns
    .filter(([property]) => property !== 'workspace' && !set.derived.includes(property))
    .map(([, column]) => `"${column.name}"`)
  const of = (side: string, names: readonly string[]): string =>
    `(${names.map((each) => `${side}.${each}`).join(', ')})`
  const isSameKey = keys.map((key) => `w.${key} = s.${key}`).join(' AND ')
  const isSame = hasRevision ? 'w."revision" = s."revision"' : `${of('w', visible)} IS ${of('s', visible)}`
  const range = (side: string, isAfter: boolean, isUpTo: boolean): string =>
    [
      isAfter && `${of(side, keys)} > (${keys.map(() => '?').join(', ')})`,
      isUpTo && `${of(side, keys)} <= (${keys.map(() => '?').join(', ')})`,
    ]
      .filter(Boolean)
      .map((condition) => ` AND ${String(condition)}`)
      .join('')
  const once = new Map<string, ReturnType<typeof sqlite.prepare>>()
  const run = (text: string) => {
    const found = once.get(text) ?? sqlite.prepare(text)
    once.set(text, found)
    return found
  }
  const pluck = (text: string, ...values: unknown[]): number[] =>
    run(text)
      .pluck()
      .all(...values) as number[]
  const id = columns.some(([property]) => property === 'id') ? '"id"' : null
  const idOf = (side: string): string => (id === null ? 'NULL' : `${side}.${id}`)
  const createIndex = indexer(set.table as SQLiteTable, undefined, {
    revisions: columns.flatMap(([property, column]) =>
      property === 'revision' ? [column as SQLiteColumn] : [],
    ),
  })
  const hasIndex = `SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name = '${getTableName(set.table)}_by_revision'`
  const inRange = `FROM ${name} WHERE "workspace" = ? AND "revision" > ? AND "revision" <= ?`

  return {
    hasRows: ({ w, s }) =>
      pluck(`SELECT EXISTS (SELECT 1 FROM ${name} WHERE "workspace" IN (?, ?))`, w, s)[0] === 1,
    index(workspace) {
      if (!hasRevision) return false
      createIndex(workspace, ['revisions'])
      return pluck(hasIndex)[0] === 1
    },
    keyAfter: (scope, after, rows) =>
      run(
        `SELECT ${keys.join(', ')} FROM ${name} AS w WHERE "workspace" = ?${range('w', after !== null, false)}
         ORDER BY ${keys.join(', ')} LIMIT 1 OFFSET ?`,
      )
        .raw()
        .get(scope, ...(after ?? []), rows - 1) as Key | undefined,
    differing(side, { w, s }, after, upTo) {
      const [own, other] = side === 'now' ? ['w', 's'] : ['s', 'w']
      const isEqual = side === 'now' ? `${isSameKey} AND ${isSame}` : isSameKey
      return pluck(
        `SELECT ${own}.rowid FROM ${name} AS ${own} WHERE ${own}."workspace" = ?${range(own, after !== null, upTo !== null)}
         AND NOT EXISTS (SELECT 1 FROM ${name} AS ${other} WHERE ${other}."workspace" = ? AND ${isEqual})`,
        ...[side === 'now' ? w : s, ...(after ?? []), ...(upTo ?? []), side === 'now' ? s : w],
      )
    },
    newestRevision: (scope) =>
      pluck(`SELECT coalesce(max("revision"), 0) FROM ${name} WHERE "workspace" = ?`, scope)[0] ?? 0,
    revisions: {
      count: (scope, after, upTo) => pluck(`SELECT count(*) ${inRange}`, scope, after, upTo)[0] ?? 0,
      nth: (scope, after, offset) =>
        pluck(
          `SELECT "revision" FROM ${name} WHERE "workspace" = ? AND "revision" > ? ORDER BY "revision" LIMIT 1 OFFSET ?`,
          ...[scope, after, offset],
        )[0] ?? after,
      changed: ({ s }, places, last) =>
        pluck(
          `SELECT count(*) FROM json_each(?) AS place CROSS JOIN ${name} AS w ON w.rowid = place.value
           CROSS JOIN ${name} AS s ON s."workspace" = ? AND ${isSameKey} AND s."revision" <= ?`,
          ...[places, s, last],
        )[0] ?? 0,
      places: (scope, after, limit) =>
        run(
          `SELECT rowid, "revision" FROM ${name} WHERE "workspace" = ? AND "revision" > ? ORDER BY "revision" LIMIT ?`,
        )
          .raw()
          .all(scope, after, limit) as [number, number][],
      missing: ({ w, s }, after, upTo) =>
        pluck(
          `SELECT rowid ${inRange} AND "revision" NOT IN (SELECT "revision" ${inRange})`,
          ...[s, after, upTo, w, after, upTo],
        ),
    },
    pairsNow: ({ w, s, places }) =>
      run(
        `SELECT w.rowid, s.rowid, ${idOf('w')} FROM json_each(?) AS place CROSS JOIN ${name} AS w ON w.rowid = place.value
         LEFT JOIN ${name} AS s ON s."workspace" = ? AND ${isSameKey}
         WHERE +w."workspace" = ? AND (s.rowid IS NULL OR ${of('w', visible)} IS NOT ${of('s', visible)})
         ORDER BY w.rowid`,
      )
        .raw()
        .all(places, s, w) as Pair[],
    removed: ({ w, s, places }) =>
      run(
        `SELECT NULL, s.rowid, ${idOf('s')} FROM json_each(?) AS place CROSS JOIN ${name} AS s ON s.rowid = place.value
         WHERE +s."workspace" = ? AND NOT EXISTS (SELECT 1 FROM ${name} AS w WHERE w."workspace" = ? AND ${isSameKey})
         ORDER BY s.rowid`,
      )
        .raw()
        .all(places, s, w) as Pair[],
  }
}
