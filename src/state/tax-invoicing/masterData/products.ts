/**
 * Products and services for invoice lines. Specification part 2, "Tax invoicing". Their keys, units and taxes are validated
 * like those of lines.
 */
import { and, eq, sql } from 'drizzle-orm'
import { numbered } from '../../storage/queries/listing.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import { folded, searchedIn } from '../../storage/queries/searchColumns.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { checkConcept } from '../documents/concepts.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { Problems } from '../documents/problems.ts'
import { invoices, products as table } from '../tables.ts'
import { normalizeText } from '../xml/xml.ts'

export type Product = typeof table.$inferSelect

export type NewProduct = Pick<
  Product,
  | 'nombreInterno'
  | 'claveProdServ'
  | 'descripcion'
  | 'claveUnidad'
  | 'valorUnitario'
  | 'objetoImp'
  | 'impuestos'
>

/** The records of products, with the sort orders and filters of GET /products. */
export const products = record(table, {
  noun: 'product',
  // The normalized form of invoice lines, because the description identifies the uses of a product.
  normal: ({ nombreInterno, descripcion }) => ({
    nombreInterno: nombreInterno.trim(),
    descripcion: normalizeText(descripcion),
  }),
  derived: {
    nameKey: folded(({ nombreInterno }: Pick<Product, 'nombreInterno'>) => [nombreInterno]),
    searchKey: folded(
      ({
        nombreInterno,
        claveProdServ,
        descripcion,
      }: Pick<Product, 'nombreInterno' | 'claveProdServ' | 'descripcion'>) => [
        nombreInterno,
        claveProdServ,
        descripcion,
      ],
    ),
    // Only used to sort lists.
    priceKey: ({ valorUnitario }: Pick<Product, 'valorUnitario'>) => Number(valorUnitario),
  },
  list: numbered({
    sorts: {
      name: table.nameKey,
      price: table.priceKey,
      created_at: table.createdAt,
      usage_count: table.usageCount,
    },
    filters: {
      search: searchedIn(table.searchKey),
      clave_prod_serv: (value) => sql`${table.claveProdServ} = ${value}`,
    },
    indexes: {
      name: [table.nameKey],
      price: [table.priceKey],
      usage_count: [table.usageCount],
    },
  }),
  snapshot: { section: 'tax-invoicing', name: 'products' },
})

const countUses = products.updateAll(
  { usageCount: sql`${table.usageCount} + ${sql.placeholder('uses')}` },
  and(eq(table.claveProdServ, sql.placeholder('key')), eq(table.descripcion, sql.placeholder('description'))),
)

/** Adds the lines of a new invoice to the usage counts. Call it inside a `write`. */
export function countUsesOfProducts(workspace: Workspace, { conceptos }: Pick<Invoice, 'conceptos'>): void {
  const lines = new Map<string, { key: string; description: string; uses: number }>()
  for (const { claveProdServ: key, descripcion: description } of conceptos) {
    const identity = `${key} ${description}`
    lines.set(identity, { key, description, uses: (lines.get(identity)?.uses ?? 0) + 1 })
  }
  for (const line of lines.values()) countUses(workspace, line)
}

/** The number of lines of all invoices with this key and description. A substring search skips most invoices without parsing. */
const usesInLines = query((orm) =>
  orm
    .select({ uses: sql<number>`count(*)` })
    .from(sql`${invoices}, json_each(${invoices.conceptos}) as line`)
    .where(
      and(
        ofWorkspace(invoices),
        sql`instr(${invoices.conceptos}, ${sql.placeholder('text')}) > 0`,
        sql`json_extract(line.value, '$.claveProdServ') = ${sql.placeholder('key')}`,
        sql`json_extract(line.value, '$.descripcion') = ${sql.placeholder('description')}`,
      ),
    ),
)

/** Counts the uses of a product, including those from before it was created. */
const countUsesOf = (
  workspace: Workspace,
  { claveProdServ: key, descripcion }: Pick<Product, 'claveProdServ' | 'descripcion'>,
): number => {
  const description = normalizeText(descripcion)
  return usesInLines.first(workspace, { key, description, text: JSON.stringify(description) })?.uses ?? 0
}

// ---------------------------------------------------------------- validation

/** Renames the fields of line problems to those of the product. */
class ProductProblems extends Problems {
  override add(field: string, code: string, rule: string): void {
    super.add(field.replace(/^conceptos\.0\./, ''), code, rule)
  }
}

/** Validates a product as a line of an invoice. */
function mustBeValid(product: NewProduct): void {
  const line = {
    ...product,
    cantidad: '1',
    noIdentificacion: null,
    unidad: null,
    importe: null,
    descuento: null,
  }
  const problems = new ProductProblems()
  checkConcept('I', line, 0, problems)
  problems.throwIfAny()
}

/** The decimals of rates in the catalog. */
export const RATE_DECIMALS = 6

// ---------------------------------------------------------------- actions

export function createProduct(workspace: Workspace, fields: NewProduct): Product {
  mustBeValid(fields)
  return workspace.write(() => {
    const now = workspace.now()
    return products.insert(workspace, {
      ...fields,
      id: workspace.ids.prefixed('prod_'),
      usageCount: countUsesOf(workspace, fields),
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Updates the given fields; without a change, does nothing. */
export function updateProduct(workspace: Workspace, product: Product, fields: Partial<NewProduct>): Product {
  const changed = { ...product, ...fields }
  mustBeValid(changed)
  if (!products.isChange(product, fields)) return product
  return workspace.write(() => {
    const identifies = fields.claveProdServ !== undefined || fields.descripcion !== undefined
    const usageCount = identifies ? countUsesOf(workspace, changed) : product.usageCount
    return products.update(workspace, product, { ...fields, usageCount, updatedAt: workspace.now() })
  })
}

/** Deletes a product. Refuses with conflict if an invoice line uses it. */
export function deleteProduct(workspace: Workspace, product: Product): void {
  workspace.write(() => {
    if (product.usageCount > 0) {
      refuse(
        'conflict',
        `The product is used in ${String(product.usageCount)} invoice lines and can't be deleted.`,
      )
    }
    products.remove(workspace, product.id)
  })
}
