/**
 * What a workspace sells, for interfaces that do not keep it: the catalog does. No interface knows the state of another,
 * so these are its columns once more, as far as others read them.
 */
import { and, asc, sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { scoped } from './columns.ts'
import { ofWorkspace, query } from './query.ts'
import type { Workspace } from './workspace.ts'

const products = sqliteTable('catalog_products', {
  ...scoped,
  name: text().notNull(),
  type: text().notNull(),
  sku: text(),
  description: text(),
  basePrice: text('base_price'),
  currency: text(),
  status: text().notNull(),
  deletedAt: integer('deleted_at'),
})

/** A physical product on sale; its price is a decimal. */
export interface Good {
  readonly id: string
  readonly name: string
  readonly sku: string | null
  readonly description: string | null
  readonly price: string | null
}

/** So many are looked at. */
const MOST_GOODS = 20

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
    .limit(MOST_GOODS),
)

/** The first that were put on sale in the currency of the workspace. */
export const goodsOf = (workspace: Workspace): Good[] =>
  goods.all(workspace, { currency: workspace.currency })
