/**
 * The source of sample data for the point of sale: the products of the catalog in the currency of the workspace, and the
 * earlier events of the point of sale.
 */
import { and, desc, eq, max, sql } from 'drizzle-orm'
import { goodsOf, type Good } from '../shared/goods.ts'
import { isAmong, ofWorkspace, query } from '../storage/queries/query.ts'
import { events } from '../storage/tables.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { hasNoDecimals, type Article, type SampleSource } from './samples.ts'

const lastEvent = query((orm) =>
  orm
    .select({ data: events.data })
    .from(events)
    .where(and(ofWorkspace(events), eq(events.interface, 'pos'), isAmong(events.name, 'names')))
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

const lastStock = query((orm) =>
  orm
    .select({ quantity: sql<unknown>`${events.data} ->> '$.quantity'` })
    .from(events)
    .where(
      and(
        ofWorkspace(events),
        sql`${events.interface} = 'pos' and ${events.name} = 'stock.updated'`,
        sql`${events.data} ->> '$.productId' = ${sql.placeholder('productId')} and ${events.data} ->> '$.branchId' = ${sql.placeholder('branchId')} and ${events.data} ->> '$.variantId' is null`,
      ),
    )
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

const lastMoment = query((orm) =>
  orm
    .select({ at: max(events.at) })
    .from(events)
    .where(and(ofWorkspace(events), eq(events.interface, 'pos'), isAmong(events.name, 'names'))),
)

/** Returns the latest moment of the events with these names, or null. */
export const lastMomentOf = (workspace: Workspace, names: readonly string[]): number | null =>
  lastMoment.first(workspace, { names: JSON.stringify(names) })?.at ?? null

/** The purchase cost of an article as a share of its price. */
const COST_SHARE = 0.6

function articleOf({ price, ...good }: Good, currency: string): Article {
  const cents = Math.round(Number(price) * (hasNoDecimals(currency) ? 1 : 100))
  return { ...good, barcode: null, cents, costCents: Math.round(cents * COST_SHARE) }
}

/** The maximum price, in cents. Above it, sums would not be exact. */
const LARGEST_PRICE = 100_000_000

/** Returns the source of sample data. Call it inside a `write`, because the ids may use counters. */
export function shopOf(workspace: Workspace): SampleSource {
  const { ids, currency } = workspace
  const articles = goodsOf(workspace)
    .map((product) => articleOf(product, currency))
    .filter(({ cents }) => cents > 0 && cents <= LARGEST_PRICE)
  return {
    ids,
    currency,
    now: workspace.now(),
    articles,
    stockOf(productId, branchId) {
      const quantity = lastStock.first(workspace, { productId, branchId })?.quantity
      return typeof quantity === 'number' ? quantity : undefined
    },
    recall: (names) => lastEvent.first(workspace, { names: JSON.stringify(names) })?.data,
  }
}
