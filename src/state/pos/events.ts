/**
 * The 33 events of the point of sale. Specification part 2, "Events", table "Point-of-sale events (33)": it shows the names,
 * but not the data, except three fields of the sale (see payloads.ts).
 */
import type { Static, TObject } from '@sinclair/typebox'
import type { AppendedEvent, Workspace } from '../workspace/workspace.ts'
import type { Fidelity } from '../model/fidelity.ts'
import type { Ids } from '../storage/database/ids.ts'
import { refuseProperty } from '../model/refusal.ts'
import { POS_EVENTS } from './eventNames.ts'
import * as payloads from './payloads.ts'
import * as samples from './samples.ts'
import type { SampleSource } from './samples.ts'
import { shopOf } from './shop.ts'

interface EventDefinition {
  readonly title: string
  readonly payload: TObject
  /** The field with the id of its record, by which deliveries are ordered. */
  readonly recordField: string
  readonly sample: (from: SampleSource) => Readonly<Record<string, unknown>>
}

/** Defines an event. The types require the sample to match the payload. */
const define = <Payload extends TObject>(
  title: string,
  payload: Payload,
  sample: (from: SampleSource) => Static<Payload>,
  recordField: keyof Static<Payload> & string = 'id',
): EventDefinition => ({ title, payload, sample, recordField })

/** The events by domain and name, in the order of the specification's table. */
const DOMAINS = {
  Fiscal: {
    'invoice.enrolled': define('An invoice was enrolled', payloads.EnrolledInvoice, samples.enrolledInvoice),
    'invoice.cancelled': define(
      'An invoice was cancelled',
      payloads.CancelledInvoice,
      samples.cancelledInvoice,
    ),
  },
  Inventory: {
    // A stock is of a product, so its events stay in order with those of the product.
    'stock.updated': define('A stock changed', payloads.UpdatedStock, samples.updatedStock, 'productId'),
    'stock.low': define('A stock is low', payloads.LowStock, samples.lowStock, 'productId'),
  },
  Catalog: {
    'product.created': define('A product was created', payloads.Product, samples.createdProduct),
    'product.updated': define('A product was updated', payloads.Product, samples.updatedProduct),
    'product.deleted': define('A product was deleted', payloads.DeletedProduct, samples.deletedProduct),
    'category.created': define('A category was created', payloads.Category, samples.createdCategory),
    'category.updated': define('A category was updated', payloads.Category, samples.updatedCategory),
    'category.deleted': define('A category was deleted', payloads.DeletedCategory, samples.deletedCategory),
    'brand.created': define('A brand was created', payloads.Brand, samples.createdBrand),
    'brand.updated': define('A brand was updated', payloads.Brand, samples.updatedBrand),
    'brand.deleted': define('A brand was deleted', payloads.DeletedBrand, samples.deletedBrand),
  },
  Sales: {
    'sale.completed': define('A sale was completed', payloads.CompletedSale, samples.completedSale),
    'sale.delivered': define('A sale was delivered', payloads.DeliveredSale, samples.deliveredSale),
    'sale.cancelled': define('A sale was cancelled', payloads.CancelledSale, samples.cancelledSale),
    'sale.expired': define('A sale expired', payloads.ExpiredSale, samples.expiredSale),
    'payment.recorded': define('A payment was recorded', payloads.RecordedPayment, samples.recordedPayment),
    'payment.cancelled': define(
      'A payment was cancelled',
      payloads.CancelledPayment,
      samples.cancelledPayment,
    ),
    'return.completed': define('A return was completed', payloads.CompletedReturn, samples.completedReturn),
  },
  Contacts: {
    'contact.created': define('A contact was created', payloads.Contact, samples.createdContact),
    'contact.updated': define('A contact was updated', payloads.Contact, samples.updatedContact),
    'contact.deleted': define('A contact was deleted', payloads.DeletedContact, samples.deletedContact),
  },
  Purchases: {
    'bill.created': define('A bill was created', payloads.Bill, samples.createdBill),
    'bill.updated': define('A bill was updated', payloads.Bill, samples.updatedBill),
    'bill.received': define('The goods of a bill were received', payloads.ReceivedBill, samples.receivedBill),
    'bill.payment_recorded': define(
      'A payment of a bill was recorded',
      payloads.BillWithPayment,
      samples.billWithPayment,
    ),
    'bill.payment_cancelled': define(
      'A payment of a bill was cancelled',
      payloads.BillWithCancelledPayment,
      samples.billWithCancelledPayment,
    ),
    'bill.deleted': define('A bill was deleted', payloads.DeletedBill, samples.deletedBill),
  },
  Expenses: {
    'expense.created': define('An expense was created', payloads.Expense, samples.createdExpense),
    'expense.updated': define('An expense was updated', payloads.Expense, samples.updatedExpense),
    'expense.deleted': define('An expense was deleted', payloads.DeletedExpense, samples.deletedExpense),
  },
  Cash: {
    'cash_session.closed': define(
      'A cash session was closed',
      payloads.ClosedCashSession,
      samples.closedCashSession,
    ),
  },
}

export type PosDomain = keyof typeof DOMAINS
export type PosEventName = { [Domain in PosDomain]: keyof (typeof DOMAINS)[Domain] }[PosDomain]

export interface PosEvent extends EventDefinition {
  readonly name: PosEventName
  /** The group in the specification's table. */
  readonly domain: PosDomain
  /** The fidelity of the event itself. Assumed payloads and fields have their own label in the schema. */
  readonly fidelity: Fidelity
}

const nameOnly: Fidelity = {
  status: 'documented',
  why: 'The specification shows the name. The shape of the data is assumed.',
}

const nameAndSomeFields: Fidelity = {
  status: 'documented',
  why: 'The specification shows id, number and total of "the sale event", which the simulator takes as sale.completed. All other fields are assumed.',
}

/** All 33, in the order of the specification's table. */
export const posEvents: readonly PosEvent[] = Object.entries(DOMAINS).flatMap(([domain, events]) =>
  Object.entries<EventDefinition>(events).map(([name, event]) => ({
    ...event,
    name: name as PosEventName,
    domain: domain as PosDomain,
    fidelity: name === 'sale.completed' ? nameAndSomeFields : nameOnly,
  })),
)

const byName: ReadonlyMap<string, PosEvent> = new Map(posEvents.map((event) => [event.name, event]))

/** Returns the event with this name, or undefined. */
export const findPosEvent = (name: string): PosEvent | undefined => byName.get(name)

/**
 * Returns realistic sample data for an event, from the ids of the workspace and the instant `now`. Call it inside a `write`,
 * because it may use counters.
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

/** Merges `changes` into `base`. Merges nested objects field by field. */
const merge = (base: Data, changes: Data): Data => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const old = Object.hasOwn(base, name) ? base[name] : undefined
      return [name, isObject(old) && isObject(value) ? merge(old, value) : value]
    }),
  ),
})

/** Refuses data that does not match the payload of an event. */
export type CheckPayload = (event: PosEvent, data: Data) => void

export const getPosEvent = (name: string): PosEvent =>
  findPosEvent(name) ??
  refuseProperty('event', 'not_allowed', `{event} must be one of ${POS_EVENTS.join(', ')}`)

/** Appends an event with `data`, or with sample data if it is undefined. */
export function emitPosEvent(workspace: Workspace, name: string, data?: Data): AppendedEvent {
  const event = getPosEvent(name)
  return workspace.write(() => appendPosEvent(workspace, event, data ?? event.sample(shopOf(workspace))))
}

/** Appends an event with sample data. `data` overrides fields of the sample. */
export function emitPosEventWith(
  workspace: Workspace,
  name: string,
  data: Data,
  checkPayload: CheckPayload,
): AppendedEvent {
  const event = getPosEvent(name)
  return workspace.write(() => {
    const merged = merge(event.sample(shopOf(workspace)), data)
    checkPayload(event, merged)
    return appendPosEvent(workspace, event, merged)
  })
}

/** Appends an event with this data, of the moment `at` or of now. Call it inside a `write`. */
export function appendPosEvent(
  workspace: Workspace,
  { name, recordField }: PosEvent,
  data: Data,
  at?: number,
): AppendedEvent {
  const id = data[recordField]
  const record = typeof id === 'string' || typeof id === 'number' ? String(id) : null
  return workspace.append({ interface: 'pos', name, record, data, at })
}
