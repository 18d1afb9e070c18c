/** Reads deals and activities of a span in pieces, so that reports on many records run in slices. */
import { and, asc, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isOneOf } from '../../storage/columns.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { Slices } from '../../model/slices.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Span } from '../../shared/periods.ts'
import { crmActivities, deals } from '../tables.ts'
import { Tally } from './tally.ts'

const isOpen = isOneOf(deals.status, ['open'])

export const inWorkspace = ofWorkspace(deals)
/** The plus makes SQLite use the index by time, because pieces are spans. */
export const ofPipeline = sql`+${deals.pipelineId} = ${sql.placeholder('pipelineId')}`

/** Selects rows with a time in the span. */
export const within = (column: SQLiteColumn): SQL =>
  sql`${column} >= ${sql.placeholder('start')} and ${column} < ${sql.placeholder('end')}`

/** Builds the queries for deals created and closed in a span, grouped by a column and by currency. */
export const grouped = (by: SQLiteColumn, which: SQL | undefined) => ({
  created: query((orm) =>
    orm
      .select({
        key: sql<string | null>`${by}`,
        currency: deals.currency,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
        openCount: sql<number>`count(*) filter (where ${isOpen})`,
        openValue: sql<number>`coalesce(sum(${deals.value}) filter (where ${isOpen}), 0)`,
      })
      .from(deals)
      .where(and(inWorkspace, within(deals.createdAt), which))
      .groupBy(sql`+${by}`, sql`+${deals.currency}`),
  ),
  closed: query((orm) =>
    orm
      .select({
        key: sql<string | null>`${by}`,
        currency: deals.currency,
        status: deals.status,
        count: sql<number>`count(*)`,
        value: sql<number>`sum(${deals.value})`,
        ms: sql<number>`sum(max(0, ${deals.closedAt} - ${deals.createdAt}))`,
      })
      .from(deals)
      .where(and(inWorkspace, within(deals.closedAt), which))
      .groupBy(sql`+${by}`, sql`+${deals.currency}`, sql`+${deals.status}`),
  ),
})
type Grouped = ReturnType<typeof grouped>

/** The number of records in one piece. */
const PIECE = 4000

/** Finds the time of the first record after the first piece of a span. */
const afterPiece = (table: typeof deals | typeof crmActivities, time: SQLiteColumn) =>
  query((orm) =>
    orm
      .select({ at: sql<number>`${time}` })
      .from(table)
      .where(and(ofWorkspace(table), within(time)))
      .orderBy(asc(time))
      .limit(1)
      .offset(PIECE),
  )
export const afterPieceOfCreated = afterPiece(deals, deals.createdAt)
export const afterPieceOfClosed = afterPiece(deals, deals.closedAt)
export const afterPieceOfActivities = afterPiece(crmActivities, crmActivities.createdAt)

/** Calls `add` for each piece of the span. Records with the same time are in one piece. */
export async function inPieces(
  workspace: Workspace,
  span: Span,
  after: typeof afterPieceOfCreated,
  add: (piece: Span) => void,
): Promise<void> {
  const slices = new Slices()
  for (let { start } = span; ;) {
    const next = after.first(workspace, { start, end: span.end })?.at
    const end = next === undefined ? span.end : Math.max(next, start + 1)
    add({ start, end })
    if (next === undefined) return
    start = end
    if (slices.isOver) await slices.turn()
  }
}

/** Tallies by key; null is the key of records without a value. */
class Tallies extends Map<string | null, Tally> {
  of(key: string | null): Tally {
    let tally = this.get(key)
    if (!tally) this.set(key, (tally = new Tally()))
    return tally
  }

  /** Returns the sum of all tallies. */
  total(): Tally {
    const all = new Tally()
    for (const tally of this.values()) all.add(tally)
    return all
  }

  /** Returns the tallies sorted by key, null last. */
  sorted(): [key: string | null, tally: Tally][] {
    return [...this].sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
  }
}

/** Returns the deals of a pipeline, or of all, tallied by a column. */
export async function talliesOf(
  workspace: Workspace,
  { created, closed }: Grouped,
  span: Span,
  pipelineId: string | null,
): Promise<Tallies> {
  const tallies = new Tallies()
  await inPieces(workspace, span, afterPieceOfCreated, (piece) => {
    for (const counted of created.all(workspace, { pipelineId, ...piece })) {
      tallies.of(counted.key).addCreated(counted)
    }
  })
  await inPieces(workspace, span, afterPieceOfClosed, (piece) => {
    for (const counted of closed.all(workspace, { pipelineId, ...piece })) {
      tallies.of(counted.key).addClosed(counted)
    }
  })
  return tallies
}
