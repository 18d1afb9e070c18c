/**
 * Believable data for the point-of-sale events, for a receiver that wants one of each. Everything follows from the
 * workspace's ids and clock: the same seed and a frozen clock give the same data. Sums are right: lines add up to
 * the total, a balance is what the payments leave.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { iso, LAST_INSTANT } from '../clock.ts'
import type { Ids } from '../ids.ts'
import type * as payloads from './payloads.ts'

/** What samples are made from. */
export interface SampleSource {
  readonly ids: Ids
  /** On the workspace's clock, in ms since the epoch. */
  readonly now: number
  /** ISO 4217 */
  readonly currency: string
}

/** What fits the payload of this name. */
type Sample<Name extends keyof typeof payloads> = Static<Extract<(typeof payloads)[Name], TSchema>>

type Line = Static<typeof payloads.CompletedSale>['items'][number]

interface Article {
  readonly name: string
  readonly sku: string
  readonly barcode: string
  readonly description: string
  readonly cents: number
  readonly costCents: number
}

const ARTICLES: readonly [Article, ...Article[]] = [
  {
    name: 'Espresso beans 1 kg',
    sku: 'COF-001',
    barcode: '7500000000019',
    description: 'Whole beans, medium roast',
    cents: 1890,
    costCents: 1120,
  },
  {
    name: 'Paper cups, pack of 50',
    sku: 'CUP-050',
    barcode: '7500000000026',
    description: 'Double wall, 240 ml',
    cents: 975,
    costCents: 510,
  },
  {
    name: 'Oat drink 1 l',
    sku: 'OAT-001',
    barcode: '7500000000033',
    description: 'Unsweetened',
    cents: 345,
    costCents: 205,
  },
  {
    name: 'Ceramic dripper',
    sku: 'DRP-002',
    barcode: '7500000000040',
    description: 'For two cups, white',
    cents: 2499,
    costCents: 1380,
  },
]

const TAX_PERCENT = 7
const MINUTE = 60_000
const DAY = 1440

const article = (position: number): Article => ARTICLES[position % ARTICLES.length] ?? ARTICLES[0]
const money = (cents: number): number => cents / 100
const taxOf = (cents: number): number => Math.round((cents * TAX_PERCENT) / 100)

/** The instant that lies `minutes` before (below zero) or after the sample's own. */
const at = ({ now }: SampleSource, minutes = 0): string => iso(Math.min(LAST_INSTANT, now + minutes * MINUTE))

const id = ({ ids }: SampleSource, record: string): string => ids.cuid2(`pos.${record}`)

/** The next number of this kind of document, and how it is printed: 7 and "V-000007". */
function nextNumber(
  { ids }: SampleSource,
  record: string,
  prefix: string,
): { count: number; number: string } {
  const count = ids.integer(`pos.${record}.number`)
  return { count, number: `${prefix}-${String(count).padStart(6, '0')}` }
}

interface Basket {
  readonly items: Line[]
  readonly subtotal: number
  readonly tax: number
}

/** Two lines that change from one document to the next; sums in cents. */
function basket(from: SampleSource, count: number, price: (of: Article) => number): Basket {
  const picked = [
    { of: article(count), quantity: 1 + (count % 3) },
    { of: article(count + 1), quantity: 2 },
  ]
  const items = picked.map(({ of, quantity }) => ({
    productId: id(from, 'product'),
    name: of.name,
    quantity,
    unitPrice: money(price(of)),
    taxRate: TAX_PERCENT,
    total: money(price(of) * quantity),
  }))
  const subtotal = picked.reduce((sum, { of, quantity }) => sum + price(of) * quantity, 0)
  return { items, subtotal, tax: taxOf(subtotal) }
}

// ---------------------------------------------------------------- fiscal

const CUFE_LENGTH = 66

/** In the form of the tax authority's codes, of an issuer that does not exist. */
function cufe(from: SampleSource, count: number): string {
  const day = at(from).slice(0, 10).replaceAll('-', '')
  const digits = String(count)
  return `FE0120000155000000-2-2020-59${day}`.padEnd(CUFE_LENGTH - digits.length, '0') + digits
}

function invoice(from: SampleSource) {
  const { count, number } = nextNumber(from, 'invoice', 'F')
  const { subtotal, tax } = basket(from, count, (of) => of.cents)
  return {
    id: id(from, 'invoice'),
    number,
    cufe: cufe(from, count),
    saleId: id(from, 'sale'),
    customerId: id(from, 'contact'),
    currency: from.currency,
    total: money(subtotal + tax),
  }
}

export const enrolledInvoice = (from: SampleSource): Sample<'EnrolledInvoice'> => ({
  ...invoice(from),
  enrolledAt: at(from),
})

export const cancelledInvoice = (from: SampleSource): Sample<'CancelledInvoice'> => ({
  ...invoice(from),
  reason: 'Wrong tax number',
  cancelledAt: at(from),
})

// ---------------------------------------------------------------- inventory

const stock = (from: SampleSource) => ({
  productId: id(from, 'product'),
  variantId: null,
  branchId: id(from, 'branch'),
  sku: ARTICLES[0].sku,
})

export const updatedStock = (from: SampleSource): Sample<'UpdatedStock'> => ({
  ...stock(from),
  previousQuantity: 24,
  quantity: 22,
  reason: 'sale',
  updatedAt: at(from),
})

export const lowStock = (from: SampleSource): Sample<'LowStock'> => ({
  ...stock(from),
  quantity: 4,
  threshold: 5,
  detectedAt: at(from),
})

// ---------------------------------------------------------------- catalog

const created = (from: SampleSource) => ({ createdAt: at(from), updatedAt: at(from) })
const updated = (from: SampleSource) => ({ createdAt: at(from, -30 * DAY), updatedAt: at(from) })

/** Whether a record is told of as it is made or as it is changed. */
type Stamps = typeof created

const product = (from: SampleSource, stamps: Stamps): Sample<'Product'> => {
  const of = article(from.ids.integer('pos.product.number') - 1)
  return {
    id: id(from, 'product'),
    name: of.name,
    sku: of.sku,
    barcode: of.barcode,
    description: of.description,
    price: money(of.cents),
    cost: money(of.costCents),
    currency: from.currency,
    taxRate: TAX_PERCENT,
    categoryId: id(from, 'category'),
    brandId: id(from, 'brand'),
    isActive: true,
    ...stamps(from),
  }
}

const category = (from: SampleSource, stamps: Stamps): Sample<'Category'> => ({
  id: id(from, 'category'),
  name: 'Coffee',
  parentId: null,
  isActive: true,
  ...stamps(from),
})

const brand = (from: SampleSource, stamps: Stamps): Sample<'Brand'> => ({
  id: id(from, 'brand'),
  name: 'House roast',
  isActive: true,
  ...stamps(from),
})

const deleted = (from: SampleSource, record: string): Sample<'DeletedProduct'> => ({
  id: id(from, record),
  deletedAt: at(from),
})

export const createdProduct = (from: SampleSource) => product(from, created)
export const updatedProduct = (from: SampleSource) => product(from, updated)
export const deletedProduct = (from: SampleSource) => deleted(from, 'product')
export const createdCategory = (from: SampleSource) => category(from, created)
export const updatedCategory = (from: SampleSource) => category(from, updated)
export const deletedCategory = (from: SampleSource) => deleted(from, 'category')
export const createdBrand = (from: SampleSource) => brand(from, created)
export const updatedBrand = (from: SampleSource) => brand(from, updated)
export const deletedBrand = (from: SampleSource) => deleted(from, 'brand')

// ---------------------------------------------------------------- sales

function sale<Status extends Sample<'CompletedSale'>['status']>(from: SampleSource, status: Status) {
  const { count, number } = nextNumber(from, 'sale', 'V')
  const { items, subtotal, tax } = basket(from, count, (of) => of.cents)
  const total = money(subtotal + tax)
  const paid = { id: id(from, 'payment'), method: count % 2 === 0 ? 'cash' : 'card', amount: total } as const
  return {
    id: id(from, 'sale'),
    number,
    total,
    status,
    currency: from.currency,
    subtotal: money(subtotal),
    taxTotal: money(tax),
    customerId: count % 2 === 0 ? null : id(from, 'contact'),
    branchId: id(from, 'branch'),
    userId: id(from, 'user'),
    items,
    // A sale expires because nobody paid.
    payments: status === 'expired' ? [] : [paid],
    createdAt: at(from, status === 'expired' ? -DAY : -5),
  }
}

export const completedSale = (from: SampleSource): Sample<'CompletedSale'> => ({
  ...sale(from, 'completed'),
  completedAt: at(from),
})

export const deliveredSale = (from: SampleSource): Sample<'DeliveredSale'> => ({
  ...sale(from, 'delivered'),
  deliveredAt: at(from),
})

export const cancelledSale = (from: SampleSource): Sample<'CancelledSale'> => ({
  ...sale(from, 'cancelled'),
  reason: 'Customer changed their mind',
  cancelledAt: at(from),
})

export const expiredSale = (from: SampleSource): Sample<'ExpiredSale'> => ({
  ...sale(from, 'expired'),
  expiredAt: at(from),
})

function payment(from: SampleSource, minutes: number): Sample<'RecordedPayment'> {
  const { count, number } = nextNumber(from, 'sale', 'V')
  const { subtotal, tax } = basket(from, count, (of) => of.cents)
  return {
    id: id(from, 'payment'),
    saleId: id(from, 'sale'),
    saleNumber: number,
    method: 'card',
    amount: money(subtotal + tax),
    currency: from.currency,
    reference: `Terminal 2, ${String(count).padStart(6, '0')}`,
    recordedAt: at(from, minutes),
  }
}

export const recordedPayment = (from: SampleSource): Sample<'RecordedPayment'> => payment(from, 0)

export const cancelledPayment = (from: SampleSource): Sample<'CancelledPayment'> => ({
  ...payment(from, -20),
  reason: 'Card reversed',
  cancelledAt: at(from),
})

export function completedReturn(from: SampleSource): Sample<'CompletedReturn'> {
  const sold = nextNumber(from, 'sale', 'V')
  const { items, subtotal, tax } = basket(from, sold.count, (of) => of.cents)
  return {
    id: id(from, 'return'),
    number: nextNumber(from, 'return', 'D').number,
    saleId: id(from, 'sale'),
    saleNumber: sold.number,
    currency: from.currency,
    total: money(subtotal + tax),
    reason: 'Damaged',
    branchId: id(from, 'branch'),
    items,
    completedAt: at(from),
  }
}

// ---------------------------------------------------------------- contacts

const contact = (from: SampleSource, stamps: Stamps): Sample<'Contact'> => ({
  id: id(from, 'contact'),
  type: 'customer',
  name: 'North Street Bakery',
  email: 'orders@example.com',
  phone: '+507 200-0000',
  taxId: '155000000-2-2020',
  address: '12 North Street',
  ...stamps(from),
})

export const createdContact = (from: SampleSource) => contact(from, created)
export const updatedContact = (from: SampleSource) => contact(from, updated)
export const deletedContact = (from: SampleSource) => deleted(from, 'contact')

// ---------------------------------------------------------------- purchases

interface Made {
  readonly bill: Sample<'Bill'>
  readonly total: number
}

/** A bill of which `paidCents` are paid; the total in cents beside it. */
function bill(from: SampleSource, stamps: Stamps): Made {
  const { count, number } = nextNumber(from, 'bill', 'C')
  const { items, subtotal, tax } = basket(from, count, (of) => of.costCents)
  const total = subtotal + tax
  return {
    total,
    bill: {
      id: id(from, 'bill'),
      number,
      supplierId: id(from, 'contact'),
      branchId: id(from, 'branch'),
      status: 'open',
      currency: from.currency,
      total: money(total),
      balance: money(total),
      items,
      dueAt: at(from, 30 * DAY),
      ...stamps(from),
    },
  }
}

const billPayment = (from: SampleSource, cents: number, minutes: number) => ({
  id: id(from, 'payment'),
  method: 'transfer' as const,
  amount: money(cents),
  recordedAt: at(from, minutes),
})

export const createdBill = (from: SampleSource): Sample<'Bill'> => bill(from, created).bill
export const updatedBill = (from: SampleSource): Sample<'Bill'> => bill(from, updated).bill

export const receivedBill = (from: SampleSource): Sample<'ReceivedBill'> => ({
  ...bill(from, updated).bill,
  status: 'received',
  receivedAt: at(from),
})

/** Half of the bill is paid. */
export function billWithPayment(from: SampleSource): Sample<'BillWithPayment'> {
  const made = bill(from, updated)
  const paid = Math.floor(made.total / 2)
  return {
    ...made.bill,
    status: 'partially_paid',
    balance: money(made.total - paid),
    payment: billPayment(from, paid, 0),
  }
}

/** The half that was paid is owed again. */
export function billWithCancelledPayment(from: SampleSource): Sample<'BillWithCancelledPayment'> {
  const made = bill(from, updated)
  const payment = billPayment(from, Math.floor(made.total / 2), -20)
  return { ...made.bill, payment: { ...payment, cancelledAt: at(from) } }
}

export const deletedBill = (from: SampleSource) => deleted(from, 'bill')

// ---------------------------------------------------------------- expenses

const EXPENSE_CENTS = 8450

const expense = (from: SampleSource, stamps: Stamps): Sample<'Expense'> => ({
  id: id(from, 'expense'),
  number: nextNumber(from, 'expense', 'G').number,
  category: 'Utilities',
  description: 'Electricity',
  amount: money(EXPENSE_CENTS + taxOf(EXPENSE_CENTS)),
  taxAmount: money(taxOf(EXPENSE_CENTS)),
  currency: from.currency,
  supplierId: id(from, 'contact'),
  branchId: id(from, 'branch'),
  method: 'transfer',
  incurredAt: at(from, -DAY),
  ...stamps(from),
})

export const createdExpense = (from: SampleSource) => expense(from, created)
export const updatedExpense = (from: SampleSource) => expense(from, updated)
export const deletedExpense = (from: SampleSource) => deleted(from, 'expense')

// ---------------------------------------------------------------- cash

/** A drawer that is fifty cents short. */
export const closedCashSession = (from: SampleSource): Sample<'ClosedCashSession'> => ({
  id: id(from, 'cash_session'),
  branchId: id(from, 'branch'),
  userId: id(from, 'user'),
  currency: from.currency,
  openingAmount: 100,
  expectedAmount: 642.35,
  countedAmount: 641.85,
  difference: -0.5,
  openedAt: at(from, -480),
  closedAt: at(from),
})
