/**
 * The shop that the point of sale stands in: what it sells is what the catalog has in the currency of the workspace, and
 * what it has told before is what it goes on from.
 */
import { and, desc, eq, sql } from 'drizzle-orm'
import { goodsOf, type Good } from '../goods.ts'
import { ofWorkspace, query } from '../query.ts'
import { events } from '../tables.ts'
import type { Workspace } from '../workspace.ts'
import { hasNoDecimals, type Article, type SampleSource } from './samples.ts'

const lastTold = query((orm) =>
  orm
    .select({ data: events.data })
    .from(events)
    .where(
      and(
        ofWorkspace(events),
        eq(events.interface, 'pos'),
        sql`${events.name} in (select value from json_each(${sql.placeholder('names')}))`,
      ),
    )
    .orderBy(desc(sql`rowid`))
    .limit(1),
)

/** What a purchase costs of what a sale brings. */
const COST_SHARE = 0.6

function articleOf({ price, ...of }: Good, currency: string): Article {
  const cents = Math.round(Number(price) * (hasNoDecimals(currency) ? 1 : 100))
  return { ...of, barcode: null, cents, costCents: Math.round(cents * COST_SHARE) }
}

/** Beyond it a sum would not be exact. */
const LARGEST_PRICE = 100_000_000

/** Only inside a `write`, for the ids may count. */
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
    recall: (names) => lastTold.first(workspace, { names: JSON.stringify(names) })?.data,
  }
}
