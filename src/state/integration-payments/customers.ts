/** Customers of a project and the card that is stored for them. Specification part 2, "Integration payments: customer". */
import { sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { numberedList } from '../listing.ts'
import { rows } from '../rows.ts'
import type { Workspace } from '../workspace.ts'
import { refuseCase } from './cases.ts'
import { customers } from './tables.ts'

export type Customer = typeof customers.$inferSelect

type Processor = NonNullable<Customer['paymentProvider']>

export interface NewCustomer {
  readonly name: string
  readonly email: string | null
  readonly phone?: string
}

/** A card that a processor has stored; its display data where it is known. */
export interface StoredCard {
  readonly customerVaultId: string
  readonly paymentProvider: Processor
  readonly cardLast4?: string
  readonly cardBrand?: string
  readonly cardBin?: string
  /** MMYY. */
  readonly cardExp?: string
}

export const customerRows = rows(customers)

/** Customers with every filter of GET /v1/customers. */
export const listCustomers = numberedList({
  table: customers,
  sorts: { created_at: customers.createdAt },
  filters: { status: (value) => sql`${customers.status} = ${value}` },
  indexes: { status: [customers.status, customers.createdAt] },
})

/** The customer, or a refusal. */
export const findCustomer = (workspace: Workspace, id: string): Customer =>
  customerRows.find(workspace, id) ?? refuseCase('customer_unknown', `There is no customer ${id}.`)

/** Adds a customer, with a card where one is stored with them; two may have one e-mail address. */
export function createCustomer(
  workspace: Workspace,
  { name, email, phone }: NewCustomer,
  card?: StoredCard,
): Customer {
  return workspace.write(() => {
    const now = workspace.now()
    const customer: Customer = {
      workspace: workspace.number,
      id: workspace.ids.prefixed('cus_'),
      name,
      email,
      phone: phone ?? null,
      status: 'active',
      ...(card ? vaulted(card) : NO_CARD),
      createdAt: now,
      updatedAt: now,
      revision: workspace.database.nextRevision(),
    }
    customerRows.insert(workspace.database, customer)
    return customer
  })
}

/** Stores a card for the customer in the place of the one that may be there; what is not said of it is not known. */
export function vaultCustomer(workspace: Workspace, id: string, card: StoredCard): Customer {
  return workspace.write(() => {
    const customer: Customer = {
      ...findCustomer(workspace, id),
      ...vaulted(card),
      updatedAt: workspace.now(),
      revision: workspace.database.nextRevision(),
    }
    customerRows.update(workspace.database, customer)
    return customer
  })
}

type CardFields = Pick<
  Customer,
  'paymentProvider' | 'customerVaultId' | 'cardLast4' | 'cardBrand' | 'cardBin' | 'cardExp'
>

const NO_CARD: CardFields = {
  paymentProvider: null,
  customerVaultId: null,
  cardLast4: null,
  cardBrand: null,
  cardBin: null,
  cardExp: null,
}

/** Column by column, so that nothing else of a card is ever kept. */
const vaulted = (card: StoredCard): CardFields => ({
  paymentProvider: card.paymentProvider,
  customerVaultId: card.customerVaultId,
  cardLast4: card.cardLast4 ?? null,
  cardBrand: card.cardBrand ?? null,
  cardBin: card.cardBin ?? null,
  cardExp: card.cardExp ?? null,
})

/** The customer as it goes over the wire. */
export const customerFacts = (customer: Customer, workspace: Workspace) => ({
  id: customer.id,
  projectId: workspace.id,
  name: customer.name,
  email: customer.email,
  phone: customer.phone,
  status: customer.status,
  paymentProvider: customer.paymentProvider,
  customerVaultId: customer.customerVaultId,
  cardLast4: customer.cardLast4,
  cardBrand: customer.cardBrand,
  cardBin: customer.cardBin,
  cardExp: customer.cardExp,
  createdAt: iso(customer.createdAt),
  updatedAt: iso(customer.updatedAt),
})
