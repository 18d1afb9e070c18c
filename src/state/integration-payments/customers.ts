/** Customers of a project and their stored cards. Specification part 2, "Integration payments: customer". */
import { sql } from 'drizzle-orm'
import { numbered } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { refuseCase } from './cases.ts'
import { customers as table } from './tables.ts'

export type Customer = typeof table.$inferSelect

type Processor = NonNullable<Customer['paymentProvider']>

export interface NewCustomer {
  readonly name: string
  readonly email: string | null
  readonly phone?: string | null
}

/** A card that a processor stored, with its display data if known. */
export interface StoredCard {
  readonly customerVaultId: string
  readonly paymentProvider: Processor
  readonly cardLast4?: string | null
  readonly cardBrand?: string | null
  readonly cardBin?: string | null
  /** MMYY. */
  readonly cardExp?: string | null
}

/** Customers with every filter of GET /v1/customers. */
export const customers = record(table, {
  noun: 'customer',
  absent: (message) => refuseCase('customer_unknown', message),
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: { status: (value) => sql`${table.status} = ${value}` },
    indexes: { status: [table.status, table.createdAt] },
  }),
  snapshot: { section: 'integration-payments', name: 'customers' },
})

/** Adds a customer, with a stored card if given. Several customers may have the same e-mail address. */
export function createCustomer(
  workspace: Workspace,
  { name, email, phone }: NewCustomer,
  card?: StoredCard,
): Customer {
  return workspace.write(() => {
    const now = workspace.now()
    return customers.insert(workspace, {
      id: workspace.ids.prefixed('cus_'),
      name,
      email,
      phone,
      ...(card && cardFieldsOf(card)),
      createdAt: now,
      updatedAt: now,
    })
  })
}

/** Stores a card for the customer and replaces the previous one. Display data that is not given becomes null. */
export function vaultCustomer(workspace: Workspace, id: string, card: StoredCard): Customer {
  return workspace.write(() =>
    customers.update(workspace, customers.get(workspace, id), {
      ...cardFieldsOf(card),
      updatedAt: workspace.now(),
    }),
  )
}

type CardFields = Pick<
  Customer,
  'paymentProvider' | 'customerVaultId' | 'cardLast4' | 'cardBrand' | 'cardBin' | 'cardExp'
>

/** Lists the columns explicitly, so that no other card data is ever stored. */
const cardFieldsOf = (card: StoredCard): CardFields => ({
  paymentProvider: card.paymentProvider,
  customerVaultId: card.customerVaultId,
  cardLast4: card.cardLast4 ?? null,
  cardBrand: card.cardBrand ?? null,
  cardBin: card.cardBin ?? null,
  cardExp: card.cardExp ?? null,
})
