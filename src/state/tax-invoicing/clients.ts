/** Clients: recipients that are kept for later invoices. Specification part 2, "Tax invoicing". */
import { record } from '../record.ts'
import { folded } from '../searching.ts'
import { whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import type { Invoice } from './invoices.ts'
import { rfc as rfcShape } from './shapes.ts'
import { clients as table } from './tables.ts'

export type Client = typeof table.$inferSelect

export const clients = record(table, {
  noun: 'client',
  derived: {
    nameKey: folded(({ nombre }: Pick<Client, 'nombre'>) => [nombre]),
    searchKey: folded(({ rfc, nombre, email }: Pick<Client, 'rfc' | 'nombre' | 'email'>) => [
      rfc,
      nombre,
      email,
    ]),
  },
  snapshot: {
    section: 'tax-invoicing',
    name: 'clients',
    instants: ['createdAt', 'updatedAt'],
    shapes: () => ({ rfc: rfcShape(), invoiceCount: whole(0) }),
  },
})

/** Told of every invoice that was stamped, after that. Only inside a `write`. */
export function countInvoiceOfClient(_workspace: Workspace, _invoice: Invoice): void {
  // Filled in with the operations of clients.
}

/** Told of every invoice that was cancelled, after that. Only inside a `write`. */
export function countCancellationOfClient(_workspace: Workspace, _invoice: Invoice): void {
  // Filled in with the operations of clients.
}
