/**
 * The physical products of a workspace, for interfaces other than the catalog. It reads the catalog's own table
 * definition: drizzle remembers the columns of a table by the table's name, so a second definition breaks the first.
 */
import { and, asc, sql } from 'drizzle-orm'
import { products } from './catalog/tables.ts'
import { ofWorkspace, query } from './query.ts'
import type { Workspace } from './workspace.ts'

/** A physical product on sale; its price is a decimal. */
export interface Good {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly description: string | null
  readonly price: string | null
}

/** So many are looked at. */
const MAX_GOODS = 20

const goods = query((orm) =>
  orm
    .select({
      id: products.id,
      name: products.name,
      sku: products.sku,
      description: products.description,
      price: products.basePrice,
    })
    .from(products)
    .where(
      and(
        ofWorkspace(products),
        sql`${products.status} = 'active' and ${products.type} = 'physical' and ${products.deletedAt} is null`,
        sql`${products.basePrice} is not null and ${products.currency} = ${sql.placeholder('currency')}`,
      ),
    )
    .orderBy(asc(sql`rowid`))
    .limit(MAX_GOODS),
)

/** The first that were put on sale in the currency of the workspace. */
export const goodsOf = (workspace: Workspace): Good[] =>
  goods.all(workspace, { currency: workspace.currency })
