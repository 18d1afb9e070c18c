/**
 * Believable data for the point-of-sale events, for a receiver that wants one of each. They tell of one shop: its branch,
 * register, people and products are the same in all of them, and what follows a sale, a bill or another record tells of
 * the last one that was told of. Everything follows from the workspace's ids, clock and earlier events: the same seed and
 * a frozen clock give the same data. Sums are right: lines add up to the total, a balance is what the payments leave.
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
  /** What the shop sells, where the catalog says so. */
  readonly articles?: readonly Article[]
  /** The data of the last event with one of these names; undefined where there was none. */
  readonly recall?: (names: readonly string[]) => Readonly<Record<string, unknown>> | undefined
}

/** What fits the payload of this name. */
type Sample<Name extends keyof typeof payloads> = Static<Extract<(typeof payloads)[Name], TSchema>>

type Line = Static<typeof payloads.CompletedSale>['items'][number]

/** What a shop sells; prices in hundredths, or in whole units of a currency that has no smaller ones. */
export interface Article {
  /** Of the product; one that is no product of the catalog is known by its SKU. */
  readonly id?: string
  readonly name: string
  readonly sku: string | null
  readonly barcode: string | null
  readonly description: string | null
  readonly cents: number
  readonly costCents: number
}

/** Of a shop whose catalog has nothing. */
export const ARTICLES: readonly Article[] = [
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

export const TAX_PERCENT = 7
const MINUTE = 60_000
const DAY = 1440

/** Whether amounts of the currency have no decimals, as those in yen. */
const isWhole = new Map<string, boolean>()

export function hasNoDecimals(currency: string): boolean {
  let found = isWhole.get(currency)
  if (found === undefined) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions()
    isWhole.set(currency, (found = maximumFractionDigits === 0))
  }
  return found
}

type Priced = Pick<SampleSource, 'currency'>

/** As it is told; at most two decimals, and none where the currency has none. */
const money = ({ currency }: Priced, cents: number): number => (hasNoDecimals(currency) ? cents : cents / 100)

/** What `money` told, in the units that articles are priced in. */
const centsOf = ({ currency }: Priced, amount: number): number =>
  Math.round(hasNoDecimals(currency) ? amount : amount * 100)

const articlesOf = ({ articles }: SampleSource): readonly Article[] =>
  articles && articles.length > 0 ? articles : ARTICLES

const NOTHING: Article = {
  name: 'Gift card',
  sku: null,
  barcode: null,
  description: null,
  cents: 1000,
  costCents: 1000,
}

const article = (from: SampleSource, position: number): Article => {
  const all = articlesOf(from)
  return all[position % all.length] ?? NOTHING
}

export const productIdOf = (from: Pick<SampleSource, 'ids'>, of: Article): string =>
  of.id ?? from.ids.fixed(`pos.product ${of.sku ?? of.name}`)

const taxOf = (cents: number): number => Math.round((cents * TAX_PERCENT) / 100)

/** The instant that lies `minutes` before (below zero) or after the sample's own. */
const at = ({ now }: SampleSource, minutes = 0): string => iso(Math.min(LAST_INSTANT, now + minutes * MINUTE))

/** Of a new record. */
const id = ({ ids }: SampleSource, record: string): string => ids.cuid2(`pos.${record}`)

/** Of what there is one of in the shop: its branch, its register, its best customer. */
const the = ({ ids }: SampleSource, record: string): string => ids.fixed(`pos.${record}`)

/** The record that the last of these events told of, with what `told` names of it alone. */
function last<Record extends { readonly id: string }>(
  { recall }: SampleSource,
  names: readonly string[],
  fields: readonly (keyof Record & string)[],
): Record | undefined {
  const data = recall?.(names)
  if (!data || fields.some((field) => data[field] === undefined)) return undefined
  return Object.fromEntries(fields.map((field) => [field, data[field]])) as unknown as Record
}

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
    { of: article(from, count), quantity: 1 + (count % 3) },
    { of: article(from, count + 1), quantity: 2 },
  ]
  const items = picked.map(({ of, quantity }) => ({
    productId: productIdOf(from, of),
    name: of.name,
    quantity,
    unitPrice: money(from, price(of)),
    taxRate: TAX_PERCENT,
    total: money(from, price(of) * quantity),
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

/** Of the last sale, or of one that nobody was told of. */
function invoice(from: SampleSource) {
  const sold = soldOf(from)
  const { count, number } = nextNumber(from, 'invoice', 'F')
  return {
    id: id(from, 'invoice'),
    number,
    cufe: cufe(from, count),
    saleId: sold.id,
    customerId: sold.customerId,
    currency: sold.currency,
    total: sold.total,
  }
}

type Invoice = ReturnType<typeof invoice>

export const enrolledInvoice = (from: SampleSource): Sample<'EnrolledInvoice'> => ({
  ...invoice(from),
  enrolledAt: at(from),
})

export const cancelledInvoice = (from: SampleSource): Sample<'CancelledInvoice'> => ({
  ...(last<Invoice>(
    from,
    ['invoice.enrolled'],
    ['id', 'number', 'cufe', 'saleId', 'customerId', 'currency', 'total'],
  ) ?? invoice(from)),
  reason: 'Wrong tax number',
  cancelledAt: at(from),
})

// ---------------------------------------------------------------- inventory

const STOCK_AT_FIRST = 24
const LOW_STOCK = 5

/** Of what the last sale sold first. */
function stock(from: SampleSource) {
  const [line] = soldOf(from).items
  const productId = line?.productId ?? productIdOf(from, article(from, 0))
  const sold = articlesOf(from).find((of) => productIdOf(from, of) === productId)
  const { recall } = from
  const before = recall?.(['stock.updated'])
  const left = before?.['productId'] === productId ? before['quantity'] : undefined
  return {
    told: { productId, variantId: null, branchId: the(from, 'branch'), sku: sold?.sku ?? null },
    sold: line?.quantity ?? 1,
    left: typeof left === 'number' ? left : STOCK_AT_FIRST,
  }
}

export function updatedStock(from: SampleSource): Sample<'UpdatedStock'> {
  const { told, sold, left } = stock(from)
  return { ...told, previousQuantity: left, quantity: left - sold, reason: 'sale', updatedAt: at(from) }
}

export function lowStock(from: SampleSource): Sample<'LowStock'> {
  const { told, left } = stock(from)
  const quantity = Math.min(left, LOW_STOCK - 1)
  return { ...told, quantity, threshold: LOW_STOCK, detectedAt: at(from) }
}

// ---------------------------------------------------------------- catalog

const created = (from: SampleSource) => ({ createdAt: at(from), updatedAt: at(from) })
const updated = (from: SampleSource) => ({ createdAt: at(from, -30 * DAY), updatedAt: at(from) })

/** Whether a record is told of as it is made or as it is changed. */
type Stamps = typeof created

const productOf = (from: SampleSource, of: Article, stamps: Stamps): Sample<'Product'> => ({
  id: productIdOf(from, of),
  name: of.name,
  sku: of.sku,
  barcode: of.barcode,
  description: of.description,
  price: money(from, of.cents),
  cost: money(from, of.costCents),
  currency: from.currency,
  taxRate: TAX_PERCENT,
  categoryId: the(from, 'category'),
  brandId: the(from, 'brand'),
  isActive: true,
  ...stamps(from),
})

const category = (from: SampleSource, stamps: Stamps): Sample<'Category'> => ({
  id: the(from, 'category'),
  name: 'Coffee',
  parentId: null,
  isActive: true,
  ...stamps(from),
})

const brand = (from: SampleSource, stamps: Stamps): Sample<'Brand'> => ({
  id: the(from, 'brand'),
  name: 'House roast',
  isActive: true,
  ...stamps(from),
})

interface Stamped {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** The record that was told of last, changed now; else `made`. */
const changed = <Record extends Stamped>(
  from: SampleSource,
  names: readonly string[],
  made: Record,
): Record => {
  const fields = Object.keys(made) as (keyof Record & string)[]
  const before = last<Record>(from, names, fields)
  return before ? { ...before, updatedAt: at(from) } : made
}

const deleted = (from: SampleSource, record: string, known: string): Sample<'DeletedProduct'> => ({
  id: last<{ id: string }>(from, [`${record}.created`, `${record}.updated`], ['id'])?.id ?? known,
  deletedAt: at(from),
})

export const createdProduct = (from: SampleSource) =>
  productOf(from, article(from, from.ids.integer('pos.product.number') - 1), created)
export const updatedProduct = (from: SampleSource) =>
  changed(
    from,
    ['product.created', 'product.updated'],
    productOf(from, article(from, from.ids.integer('pos.product.number') - 1), updated),
  )
export const deletedProduct = (from: SampleSource) =>
  deleted(from, 'product', productIdOf(from, article(from, 0)))
export const createdCategory = (from: SampleSource) => category(from, created)
export const updatedCategory = (from: SampleSource) =>
  changed(from, ['category.created', 'category.updated'], category(from, updated))
export const deletedCategory = (from: SampleSource) => deleted(from, 'category', the(from, 'category'))
export const createdBrand = (from: SampleSource) => brand(from, created)
export const updatedBrand = (from: SampleSource) =>
  changed(from, ['brand.created', 'brand.updated'], brand(from, updated))
export const deletedBrand = (from: SampleSource) => deleted(from, 'brand', the(from, 'brand'))

// ---------------------------------------------------------------- sales

function sale<Status extends Sample<'CompletedSale'>['status']>(from: SampleSource, status: Status) {
  const { count, number } = nextNumber(from, 'sale', 'V')
  const { items, subtotal, tax } = basket(from, count, (of) => of.cents)
  const total = money(from, subtotal + tax)
  const paid = { id: id(from, 'payment'), method: count % 2 === 0 ? 'cash' : 'card', amount: total } as const
  return {
    id: id(from, 'sale'),
    number,
    total,
    status,
    currency: from.currency,
    subtotal: money(from, subtotal),
    taxTotal: money(from, tax),
    customerId: count % 2 === 0 ? null : the(from, 'customer'),
    branchId: the(from, 'branch'),
    userId: the(from, 'user'),
    items,
    // A sale expires because nobody paid.
    payments: status === 'expired' ? [] : [paid],
    createdAt: at(from, status === 'expired' ? -DAY : -5),
  }
}

type Sale = Omit<Sample<'CompletedSale'>, 'completedAt'>

const OF_SALE = [
  'id',
  'number',
  'total',
  'status',
  'currency',
  'subtotal',
  'taxTotal',
  'customerId',
  'branchId',
  'userId',
  'items',
  'payments',
  'createdAt',
] as const satisfies readonly (keyof Sale)[]

/** The last sale that was told of, or one that nobody was told of. */
const soldOf = (from: SampleSource): Sale =>
  last<Sale>(from, ['sale.completed', 'sale.delivered'], OF_SALE) ?? sale(from, 'completed')

export const completedSale = (from: SampleSource): Sample<'CompletedSale'> => ({
  ...sale(from, 'completed'),
  completedAt: at(from),
})

export const deliveredSale = (from: SampleSource): Sample<'DeliveredSale'> => ({
  ...soldOf(from),
  status: 'delivered',
  deliveredAt: at(from),
})

export const cancelledSale = (from: SampleSource): Sample<'CancelledSale'> => ({
  ...soldOf(from),
  status: 'cancelled',
  reason: 'Customer changed their mind',
  cancelledAt: at(from),
})

export const expiredSale = (from: SampleSource): Sample<'ExpiredSale'> => ({
  ...sale(from, 'expired'),
  expiredAt: at(from),
})

/** Of the last sale. */
function payment(from: SampleSource, minutes: number): Sample<'RecordedPayment'> {
  const sold = soldOf(from)
  const [paid] = sold.payments
  const method = paid?.method ?? 'card'
  return {
    id: paid?.id ?? id(from, 'payment'),
    saleId: sold.id,
    saleNumber: sold.number,
    method,
    amount: paid?.amount ?? sold.total,
    currency: sold.currency,
    reference: method === 'card' ? `Terminal 2, ${sold.number}` : null,
    recordedAt: at(from, minutes),
  }
}

export const recordedPayment = (from: SampleSource): Sample<'RecordedPayment'> => payment(from, 0)

const OF_PAYMENT = [
  'id',
  'saleId',
  'saleNumber',
  'method',
  'amount',
  'currency',
  'reference',
  'recordedAt',
] as const satisfies readonly (keyof Sample<'RecordedPayment'>)[]

export const cancelledPayment = (from: SampleSource): Sample<'CancelledPayment'> => ({
  ...(last<Sample<'RecordedPayment'>>(from, ['payment.recorded'], OF_PAYMENT) ?? payment(from, -20)),
  reason: 'Card reversed',
  cancelledAt: at(from),
})

/** Of the whole of the last sale. */
export function completedReturn(from: SampleSource): Sample<'CompletedReturn'> {
  const sold = soldOf(from)
  return {
    id: id(from, 'return'),
    number: nextNumber(from, 'return', 'D').number,
    saleId: sold.id,
    saleNumber: sold.number,
    currency: sold.currency,
    total: sold.total,
    reason: 'Damaged',
    branchId: sold.branchId,
    items: [...sold.items],
    completedAt: at(from),
  }
}

// ---------------------------------------------------------------- contacts

const contact = (from: SampleSource, stamps: Stamps): Sample<'Contact'> => ({
  id: the(from, 'customer'),
  type: 'customer',
  name: 'North Street Bakery',
  email: 'orders@example.com',
  phone: '+507 200-0000',
  taxId: '155000000-2-2020',
  address: '12 North Street',
  ...stamps(from),
})

export const createdContact = (from: SampleSource) => contact(from, created)
export const updatedContact = (from: SampleSource) =>
  changed(from, ['contact.created', 'contact.updated'], contact(from, updated))
export const deletedContact = (from: SampleSource) => deleted(from, 'contact', the(from, 'customer'))

// ---------------------------------------------------------------- purchases

type Bill = Sample<'Bill'>

function newBill(from: SampleSource, stamps: Stamps): Bill {
  const { count, number } = nextNumber(from, 'bill', 'C')
  const { items, subtotal, tax } = basket(from, count, (of) => of.costCents)
  const total = money(from, subtotal + tax)
  return {
    id: id(from, 'bill'),
    number,
    supplierId: the(from, 'supplier'),
    branchId: the(from, 'branch'),
    status: 'open',
    currency: from.currency,
    total,
    balance: total,
    items,
    dueAt: at(from, 30 * DAY),
    ...stamps(from),
  }
}

const OF_BILL = [
  'id',
  'number',
  'supplierId',
  'branchId',
  'status',
  'currency',
  'total',
  'balance',
  'items',
  'dueAt',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Bill)[]

/** The last bill that was told of, changed now. */
function billOf(from: SampleSource): Bill {
  const before = last<Bill>(
    from,
    ['bill.created', 'bill.updated', 'bill.received', 'bill.payment_recorded', 'bill.payment_cancelled'],
    OF_BILL,
  )
  return before ? { ...before, updatedAt: at(from) } : newBill(from, updated)
}

const billPayment = (from: SampleSource, amount: number, minutes: number) => ({
  id: id(from, 'payment'),
  method: 'transfer' as const,
  amount,
  recordedAt: at(from, minutes),
})

const halfOf = (from: SampleSource, { total, currency }: Bill): number => {
  const priced = { ...from, currency }
  return money(priced, Math.floor(centsOf(priced, total) / 2))
}

const minus = (priced: Priced, amount: number, less: number): number =>
  money(priced, Math.max(0, centsOf(priced, amount) - centsOf(priced, less)))

export const createdBill = (from: SampleSource): Bill => newBill(from, created)
export const updatedBill = billOf

export const receivedBill = (from: SampleSource): Sample<'ReceivedBill'> => ({
  ...billOf(from),
  status: 'received',
  receivedAt: at(from),
})

/** Half of the bill is paid, or what is left of it. */
export function billWithPayment(from: SampleSource): Sample<'BillWithPayment'> {
  const bill = billOf(from)
  const paid = Math.min(bill.balance, halfOf(from, bill))
  const balance = minus(bill, bill.balance, paid)
  const status = balance === 0 ? 'paid' : 'partially_paid'
  return { ...bill, status, balance, payment: billPayment(from, paid, 0) }
}

/** What was paid last is owed again. */
export function billWithCancelledPayment(from: SampleSource): Sample<'BillWithCancelledPayment'> {
  const bill = billOf(from)
  const before = from.recall?.(['bill.payment_recorded'])
  const payment =
    before?.['id'] === bill.id
      ? (before['payment'] as Sample<'BillWithPayment'>['payment'])
      : billPayment(from, halfOf(from, bill), -20)
  const owed = centsOf(bill, bill.balance) + centsOf(bill, payment.amount)
  const balance = Math.min(bill.total, money(bill, owed))
  const status = balance === bill.total ? 'open' : 'partially_paid'
  return { ...bill, status, balance, payment: { ...payment, cancelledAt: at(from) } }
}

export const deletedBill = (from: SampleSource) => deleted(from, 'bill', id(from, 'bill'))

// ---------------------------------------------------------------- expenses

const EXPENSE_CENTS = 8450

const expense = (from: SampleSource, stamps: Stamps): Sample<'Expense'> => ({
  id: id(from, 'expense'),
  number: nextNumber(from, 'expense', 'G').number,
  category: 'Utilities',
  description: 'Electricity',
  amount: money(from, EXPENSE_CENTS + taxOf(EXPENSE_CENTS)),
  taxAmount: money(from, taxOf(EXPENSE_CENTS)),
  currency: from.currency,
  supplierId: the(from, 'supplier'),
  branchId: the(from, 'branch'),
  method: 'transfer',
  incurredAt: at(from, -DAY),
  ...stamps(from),
})

export const createdExpense = (from: SampleSource) => expense(from, created)
export const updatedExpense = (from: SampleSource) =>
  changed(from, ['expense.created', 'expense.updated'], expense(from, updated))
export const deletedExpense = (from: SampleSource) => deleted(from, 'expense', id(from, 'expense'))

// ---------------------------------------------------------------- cash

/** A drawer that is fifty cents short. */
export const closedCashSession = (from: SampleSource): Sample<'ClosedCashSession'> => ({
  id: id(from, 'cash_session'),
  branchId: the(from, 'branch'),
  userId: the(from, 'user'),
  currency: from.currency,
  openingAmount: money(from, 10_000),
  expectedAmount: money(from, 64_235),
  countedAmount: money(from, 64_185),
  difference: money(from, -50),
  openedAt: at(from, -480),
  closedAt: at(from),
})
