/**
 * The physical products of a workspace, for interfaces other than the catalog. Uses the catalog's table definition,
 * because drizzle caches columns by table name, and a second definition would break the first.
 */
import { and, asc, sql } from 'drizzle-orm'
import { products } from '../catalog/tables.ts'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A physical product on sale; its price is a decimal. */
export interface Good {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly description: string | null
  readonly price: string | null
}

/** The number of products that are returned. */
const MAX_GOODS = 20

const findGoods = query((orm) =>
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

/** Returns the first products on sale in the currency of the workspace. */
export const goodsOf = (workspace: Workspace): Good[] =>
  findGoods.all(workspace, { currency: workspace.currency })
