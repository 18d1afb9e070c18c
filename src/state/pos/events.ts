/**
 * The 33 events of the point of sale. Specification part 2, "Events", table "Point-of-sale events (33)": the names
 * are documented; what their data holds is not, except for three fields of the sale (see payloads.ts).
 */
import type { Static, TObject } from '@sinclair/typebox'
import type { AppendedEvent } from '../workspace.ts'
import type { Fidelity } from '../fidelity.ts'
import type { Ids } from '../ids.ts'
import { refuseProperty } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'
import * as payloads from './payloads.ts'
import * as samples from './samples.ts'
import type { SampleSource } from './samples.ts'
import { shopOf } from './shop.ts'

interface Told {
  readonly title: string
  readonly payload: TObject
  readonly sample: (from: SampleSource) => Readonly<Record<string, unknown>>
}

/** Ties a sample to the shape it is a sample of. */
const told = <Payload extends TObject>(
  title: string,
  payload: Payload,
  sample: (from: SampleSource) => Static<Payload>,
): Told => ({ title, payload, sample })

/** By domain and name, as the specification's table lists them. */
const DOMAINS = {
  Fiscal: {
    'invoice.enrolled': told('An invoice was enrolled', payloads.EnrolledInvoice, samples.enrolledInvoice),
    'invoice.cancelled': told(
      'An invoice was cancelled',
      payloads.CancelledInvoice,
      samples.cancelledInvoice,
    ),
  },
  Inventory: {
    'stock.updated': told('A stock changed', payloads.UpdatedStock, samples.updatedStock),
    'stock.low': told('A stock is low', payloads.LowStock, samples.lowStock),
  },
  Catalog: {
    'product.created': told('A product was created', payloads.Product, samples.createdProduct),
    'product.updated': told('A product was updated', payloads.Product, samples.updatedProduct),
    'product.deleted': told('A product was deleted', payloads.DeletedProduct, samples.deletedProduct),
    'category.created': told('A category was created', payloads.Category, samples.createdCategory),
    'category.updated': told('A category was updated', payloads.Category, samples.updatedCategory),
    'category.deleted': told('A category was deleted', payloads.DeletedCategory, samples.deletedCategory),
    'brand.created': told('A brand was created', payloads.Brand, samples.createdBrand),
    'brand.updated': told('A brand was updated', payloads.Brand, samples.updatedBrand),
    'brand.deleted': told('A brand was deleted', payloads.DeletedBrand, samples.deletedBrand),
  },
  Sales: {
    'sale.completed': told('A sale was completed', payloads.CompletedSale, samples.completedSale),
    'sale.delivered': told('A sale was delivered', payloads.DeliveredSale, samples.deliveredSale),
    'sale.cancelled': told('A sale was cancelled', payloads.CancelledSale, samples.cancelledSale),
    'sale.expired': told('A sale expired', payloads.ExpiredSale, samples.expiredSale),
    'payment.recorded': told('A payment was recorded', payloads.RecordedPayment, samples.recordedPayment),
    'payment.cancelled': told('A payment was cancelled', payloads.CancelledPayment, samples.cancelledPayment),
    'return.completed': told('A return was completed', payloads.CompletedReturn, samples.completedReturn),
  },
  Contacts: {
    'contact.created': told('A contact was created', payloads.Contact, samples.createdContact),
    'contact.updated': told('A contact was updated', payloads.Contact, samples.updatedContact),
    'contact.deleted': told('A contact was deleted', payloads.DeletedContact, samples.deletedContact),
  },
  Purchases: {
    'bill.created': told('A bill was created', payloads.Bill, samples.createdBill),
    'bill.updated': told('A bill was updated', payloads.Bill, samples.updatedBill),
    'bill.received': told('The goods of a bill came in', payloads.ReceivedBill, samples.receivedBill),
    'bill.payment_recorded': told(
      'A payment of a bill was recorded',
      payloads.BillWithPayment,
      samples.billWithPayment,
    ),
    'bill.payment_cancelled': told(
      'A payment of a bill was cancelled',
      payloads.BillWithCancelledPayment,
      samples.billWithCancelledPayment,
    ),
    'bill.deleted': told('A bill was deleted', payloads.DeletedBill, samples.deletedBill),
  },
  Expenses: {
    'expense.created': told('An expense was created', payloads.Expense, samples.createdExpense),
    'expense.updated': told('An expense was updated', payloads.Expense, samples.updatedExpense),
    'expense.deleted': told('An expense was deleted', payloads.DeletedExpense, samples.deletedExpense),
  },
  Cash: {
    'cash_session.closed': told(
      'A cash session was closed',
      payloads.ClosedCashSession,
      samples.closedCashSession,
    ),
  },
}

export type PosDomain = keyof typeof DOMAINS
export type PosEventName = { [Domain in PosDomain]: keyof (typeof DOMAINS)[Domain] }[PosDomain]

export interface PosEvent extends Told {
  readonly name: PosEventName
  /** The group in the specification's table. */
  readonly domain: PosDomain
  /** Of the event as such; each assumed field or payload carries its own label in the schema. */
  readonly fidelity: Fidelity
}

const nameShownOnly: Fidelity = {
  status: 'documented',
  why: 'The name is documented; the shape of its data is not shown and assumed.',
}

const saleShownInPart: Fidelity = {
  status: 'documented',
  why: 'id, number and total of "the sale event" are documented and read as those of sale.completed; every other field is assumed.',
}

/** All 33, in the order of the specification's table. */
export const posEvents: readonly PosEvent[] = Object.entries(DOMAINS).flatMap(([domain, events]) =>
  Object.entries<Told>(events).map(([name, event]) => ({
    ...event,
    name: name as PosEventName,
    domain: domain as PosDomain,
    fidelity: name === 'sale.completed' ? saleShownInPart : nameShownOnly,
  })),
)

/** The 33 names, in the order of the specification's table. */
export const POS_EVENTS: readonly PosEventName[] = posEvents.map(({ name }) => name)

const byName: ReadonlyMap<string, PosEvent> = new Map(posEvents.map((event) => [event.name, event]))

/** The event of this name; undefined when the point of sale has none. */
export const posEvent = (name: string): PosEvent | undefined => byName.get(name)

/**
 * Believable data for the event, made from the workspace's ids and the instant `now`. Only inside a `write`, for the
 * ids may count.
 */
export const sample = (
  event: PosEvent,
  ids: Ids,
  now: number,
  currency = 'USD',
): Readonly<Record<string, unknown>> => event.sample({ ids, now, currency })

type Data = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is given in the place of what was there, objects field by field. */
const laidOver = (below: Data, above: Data): Data => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([name, value]) => {
      const old = Object.hasOwn(below, name) ? below[name] : undefined
      return [name, isObject(old) && isObject(value) ? laidOver(old, value) : value]
    }),
  ),
})

/** Refuses data that do not fit the payload of an event. */
export type MustFit = (event: PosEvent, data: Data) => void

const eventNamed = (name: string): PosEvent =>
  posEvent(name) ?? refuseProperty('event', 'not_allowed', `{event} must be one of ${POS_EVENTS.join(', ')}`)

/** Appends an event as the point of sale would: with `data` as it is given, or with a sample of its data. */
export function emitPosEvent(workspace: Workspace, name: string, data?: Data): AppendedEvent {
  const event = eventNamed(name)
  return workspace.write(() => tellOf(workspace, event.name, data ?? event.sample(shopOf(workspace))))
}

/** Appends an event with a sample of its data, over which `data` are laid. */
export function emitPosEventWith(
  workspace: Workspace,
  name: string,
  data: Data,
  mustFit: MustFit,
): AppendedEvent {
  const event = eventNamed(name)
  return workspace.write(() => {
    const told = laidOver(event.sample(shopOf(workspace)), data)
    mustFit(event, told)
    return tellOf(workspace, event.name, told)
  })
}

/** Appends an event with these data. Only inside a `write`. */
export function tellOf(workspace: Workspace, name: PosEventName, data: Data): AppendedEvent {
  const { id } = data
  const record = typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
  return workspace.append({ interface: 'pos', name, record, data })
}
