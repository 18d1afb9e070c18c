/** Products and services that lines of invoices are made of. Specification part 2, "Tax invoicing". */
import { record } from '../record.ts'
import { folded } from '../searching.ts'
import { whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import type { Invoice } from './invoices.ts'
import { amount, rates } from './shapes.ts'
import { products as table } from './tables.ts'

export type Product = typeof table.$inferSelect

export const products = record(table, {
  noun: 'product',
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
    // Only the order of lists is made of it.
    priceKey: ({ valorUnitario }: Pick<Product, 'valorUnitario'>) => Number(valorUnitario),
  },
  snapshot: {
    section: 'tax-invoicing',
    name: 'products',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({ valorUnitario: amount(), impuestos: rates(), usageCount: whole(0) }),
  },
})

/** Told of every invoice that was stamped, after that. Only inside a `write`. */
export function countUsesOfProducts(_workspace: Workspace, _invoice: Invoice): void {
  // Filled in with the operations of products.
}
