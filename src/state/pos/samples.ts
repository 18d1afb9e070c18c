/**
 * Realistic sample data for the point-of-sale events of one shop. Events that follow a sale, a bill or another record use
 * the last one that was emitted. The data depends only on the ids, the clock and the earlier events of the workspace: the
 * same seed and a frozen clock give the same data.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { iso, LAST_INSTANT } from '@suite-sim/kit/time/instants'
import { cufeOf } from '../shared/cufe.ts'
import type { Ids } from '../storage/database/ids.ts'
import type * as payloads from './payloads.ts'

/** The input of the samples. */
export interface SampleSource {
  readonly ids: Ids
  /** The time of the workspace's clock, in ms since the epoch. */
  readonly now: number
  /** ISO 4217 */
  readonly currency: string
  /** The articles of the catalog, if it has any. */
  readonly articles?: readonly Article[]
  /** Returns the stock of a product after its last event, or undefined. */
  readonly stockOf?: (productId: string, branchId: string) => number | undefined
  /** Returns the data of the last event with one of these names, or undefined. */
  readonly recall?: (names: readonly string[]) => Readonly<Record<string, unknown>> | undefined
}

/** Data that matches the payload with this name. */
type Sample<Name extends keyof typeof payloads> = Static<Extract<(typeof payloads)[Name], TSchema>>

type Line = Static<typeof payloads.CompletedSale>['items'][number]

/** An article of the shop. Prices are in hundredths, or in whole units if the currency has no decimals. */
export interface Article {
  /** The id of the catalog product. Other articles get an id from their SKU. */
  readonly id?: string
  readonly name: string
  readonly sku: string | null
  readonly barcode: string | null
  readonly description: string | null
  readonly cents: number
  readonly costCents: number
}

/** The articles of a shop with an empty catalog. */
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

/** The cached results of `hasNoDecimals`, by currency. */
const withoutDecimals = new Map<string, boolean>()

/** Returns true if the amounts of a currency have no decimals, like yen. */
export function hasNoDecimals(currency: string): boolean {
  let result = withoutDecimals.get(currency)
  if (result === undefined) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions()
    withoutDecimals.set(currency, (result = maximumFractionDigits === 0))
  }
  return result
}

type WithCurrency = Pick<SampleSource, 'currency'>

/** Converts cents to an amount of an event: at most two decimals, none if the currency has none. */
const money = ({ currency }: WithCurrency, cents: number): number =>
  hasNoDecimals(currency) ? cents : cents / 100

/** Converts an amount of an event back to cents. */
const centsOf = ({ currency }: WithCurrency, amount: number): number =>
  Math.round(hasNoDecimals(currency) ? amount : amount * 100)

const articlesOf = ({ articles }: SampleSource): readonly Article[] =>
  articles && articles.length > 0 ? articles : ARTICLES

const FALLBACK_ARTICLE: Article = {
  name: 'Gift card',
  sku: null,
  barcode: null,
  description: null,
  cents: 1000,
  costCents: 1000,
}

const articleAt = (from: SampleSource, position: number): Article => {
  const all = articlesOf(from)
  return all[position % all.length] ?? FALLBACK_ARTICLE
}

export const productIdOf = (from: Pick<SampleSource, 'ids'>, article: Article): string =>
  article.id ?? from.ids.fixed(`pos.product ${article.sku ?? article.name}`)

const taxOf = (cents: number): number => Math.round((cents * TAX_PERCENT) / 100)

/** Returns the instant `minutes` after the time of the sample; before it if negative. */
const at = ({ now }: SampleSource, minutes = 0): string => iso(Math.min(LAST_INSTANT, now + minutes * MINUTE))

/** Creates the id of a new record. */
const newId = ({ ids }: SampleSource, record: string): string => ids.cuid2(`pos.${record}`)

/** Returns the id of a record that the shop has only once, such as its branch or its register. */
const sharedId = ({ ids }: SampleSource, record: string): string => ids.fixed(`pos.${record}`)

/** Returns the given fields of the record in the last of these events. Undefined if the event lacks one of the fields. */
function recallRecord<Record extends { readonly id: string }>(
  { recall }: SampleSource,
  names: readonly string[],
  fields: readonly (keyof Record & string)[],
): Record | undefined {
  const data = recall?.(names)
  if (!data || fields.some((field) => data[field] === undefined)) return undefined
  return Object.fromEntries(fields.map((field) => [field, data[field]])) as unknown as Record
}

/** Returns the next number of a kind of document, also in its printed form: 7 and "V-000007". */
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

/** Creates two lines that vary from one document to the next. The sums are in cents. */
function createBasket(from: SampleSource, count: number, price: (article: Article) => number): Basket {
  const picked = [
    { article: articleAt(from, count), quantity: 1 + (count % 3) },
    { article: articleAt(from, count + 1), quantity: 2 },
  ]
  const items = picked.map(({ article, quantity }) => ({
    productId: productIdOf(from, article),
    name: article.name,
    quantity,
    unitPrice: money(from, price(article)),
    taxRate: TAX_PERCENT,
    total: money(from, price(article) * quantity),
  }))
  const subtotal = picked.reduce((sum, { article, quantity }) => sum + price(article) * quantity, 0)
  return { items, subtotal, tax: taxOf(subtotal) }
}

// ---------------------------------------------------------------- fiscal

/** Creates an invoice of the last sale, or of a new one if no sale was emitted. */
function invoice(from: SampleSource) {
  const lastSale = recallOrCreateSale(from)
  const { count, number } = nextNumber(from, 'invoice', 'F')
  return {
    id: newId(from, 'invoice'),
    number,
    cufe: cufeOf({
      branchId: sharedId(from, 'branch'),
      number: count,
      issuedAt: from.now,
      chance: from.ids.chance('pos.security'),
    }),
    saleId: lastSale.id,
    customerId: lastSale.customerId,
    currency: lastSale.currency,
    total: lastSale.total,
  }
}

type Invoice = ReturnType<typeof invoice>

export const enrolledInvoice = (from: SampleSource): Sample<'EnrolledInvoice'> => ({
  ...invoice(from),
  enrolledAt: at(from),
})

export const cancelledInvoice = (from: SampleSource): Sample<'CancelledInvoice'> => ({
  ...(recallRecord<Invoice>(
    from,
    ['invoice.enrolled'],
    ['id', 'number', 'cufe', 'saleId', 'customerId', 'currency', 'total'],
  ) ?? invoice(from)),
  reason: 'Wrong tax number',
  cancelledAt: at(from),
})

// ---------------------------------------------------------------- inventory

/** The stock of a product before its first event. */
export const INITIAL_STOCK = 40
export const LOW_STOCK = 5

/** Returns the stock of the first article of the last sale. */
function stock(from: SampleSource) {
  const [line] = recallOrCreateSale(from).items
  const productId = line?.productId ?? productIdOf(from, articleAt(from, 0))
  const article = articlesOf(from).find((each) => productIdOf(from, each) === productId)
  const branchId = sharedId(from, 'branch')
  return {
    fields: { productId, variantId: null, branchId, sku: article?.sku ?? null },
    soldQuantity: line?.quantity ?? 1,
    quantity: from.stockOf?.(productId, branchId) ?? INITIAL_STOCK,
  }
}

/** Sells the article, or restocks it if there is not enough left. */
export function updatedStock(from: SampleSource): Sample<'UpdatedStock'> {
  const { fields, soldQuantity, quantity } = stock(from)
  const isEnough = quantity >= soldQuantity
  return {
    ...fields,
    previousQuantity: quantity,
    quantity: isEnough ? quantity - soldQuantity : INITIAL_STOCK,
    reason: isEnough ? 'sale' : 'purchase',
    updatedAt: at(from),
  }
}

export function lowStock(from: SampleSource): Sample<'LowStock'> {
  const { fields, quantity } = stock(from)
  return {
    ...fields,
    quantity: Math.min(quantity, LOW_STOCK - 1),
    threshold: LOW_STOCK,
    detectedAt: at(from),
  }
}

// ---------------------------------------------------------------- catalog

const created = (from: SampleSource) => ({ createdAt: at(from), updatedAt: at(from) })
const updated = (from: SampleSource) => ({ createdAt: at(from, -30 * DAY), updatedAt: at(from) })

/** Returns the timestamps of a new or of a changed record. */
type Stamps = typeof created

const productOf = (from: SampleSource, article: Article, stamps: Stamps): Sample<'Product'> => ({
  id: productIdOf(from, article),
  name: article.name,
  sku: article.sku,
  barcode: article.barcode,
  description: article.description,
  price: money(from, article.cents),
  cost: money(from, article.costCents),
  currency: from.currency,
  taxRate: TAX_PERCENT,
  categoryId: sharedId(from, 'category'),
  brandId: sharedId(from, 'brand'),
  isActive: true,
  ...stamps(from),
})

const category = (from: SampleSource, stamps: Stamps): Sample<'Category'> => ({
  id: sharedId(from, 'category'),
  name: 'Coffee',
  parentId: null,
  isActive: true,
  ...stamps(from),
})

const brand = (from: SampleSource, stamps: Stamps): Sample<'Brand'> => ({
  id: sharedId(from, 'brand'),
  name: 'House roast',
  isActive: true,
  ...stamps(from),
})

interface Stamped {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Returns the last emitted record, changed now, or `fallback` if none was emitted. */
const changed = <Record extends Stamped>(
  from: SampleSource,
  names: readonly string[],
  fallback: Record,
): Record => {
  const fields = Object.keys(fallback) as (keyof Record & string)[]
  const before = recallRecord<Record>(from, names, fields)
  return before ? { ...before, updatedAt: at(from) } : fallback
}

const deleted = (from: SampleSource, record: string, fallbackId: string): Sample<'DeletedProduct'> => ({
  id:
    recallRecord<{ id: string }>(from, [`${record}.created`, `${record}.updated`], ['id'])?.id ?? fallbackId,
  deletedAt: at(from),
})

export const createdProduct = (from: SampleSource) =>
  productOf(from, articleAt(from, from.ids.integer('pos.product.number') - 1), created)
export const updatedProduct = (from: SampleSource) =>
  changed(
    from,
    ['product.created', 'product.updated'],
    productOf(from, articleAt(from, from.ids.integer('pos.product.number') - 1), updated),
  )
export const deletedProduct = (from: SampleSource) =>
  deleted(from, 'product', productIdOf(from, articleAt(from, 0)))
export const createdCategory = (from: SampleSource) => category(from, created)
export const updatedCategory = (from: SampleSource) =>
  changed(from, ['category.created', 'category.updated'], category(from, updated))
export const deletedCategory = (from: SampleSource) => deleted(from, 'category', sharedId(from, 'category'))
export const createdBrand = (from: SampleSource) => brand(from, created)
export const updatedBrand = (from: SampleSource) =>
  changed(from, ['brand.created', 'brand.updated'], brand(from, updated))
export const deletedBrand = (from: SampleSource) => deleted(from, 'brand', sharedId(from, 'brand'))

// ---------------------------------------------------------------- sales

function sale<Status extends Sample<'CompletedSale'>['status']>(from: SampleSource, status: Status) {
  const { count, number } = nextNumber(from, 'sale', 'V')
  const { items, subtotal, tax } = createBasket(from, count, (article) => article.cents)
  const total = money(from, subtotal + tax)
  const paid = {
    id: newId(from, 'payment'),
    method: count % 2 === 0 ? 'cash' : 'card',
    amount: total,
  } as const
  return {
    id: newId(from, 'sale'),
    number,
    total,
    status,
    currency: from.currency,
    subtotal: money(from, subtotal),
    taxTotal: money(from, tax),
    customerId: count % 2 === 0 ? null : sharedId(from, 'customer'),
    branchId: sharedId(from, 'branch'),
    userId: sharedId(from, 'user'),
    items,
    // An expired sale has no payments.
    payments: status === 'expired' ? [] : [paid],
    createdAt: at(from, status === 'expired' ? -DAY : -5),
  }
}

type Sale = Omit<Sample<'CompletedSale'>, 'completedAt'>

const SALE_FIELDS = [
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

/** Returns the last emitted sale, or a new one. */
const recallOrCreateSale = (from: SampleSource): Sale =>
  recallRecord<Sale>(from, ['sale.completed', 'sale.delivered'], SALE_FIELDS) ?? sale(from, 'completed')

export const completedSale = (from: SampleSource): Sample<'CompletedSale'> => ({
  ...sale(from, 'completed'),
  completedAt: at(from),
})

export const deliveredSale = (from: SampleSource): Sample<'DeliveredSale'> => ({
  ...recallOrCreateSale(from),
  status: 'delivered',
  deliveredAt: at(from),
})

export const cancelledSale = (from: SampleSource): Sample<'CancelledSale'> => ({
  ...recallOrCreateSale(from),
  status: 'cancelled',
  reason: 'Customer changed their mind',
  cancelledAt: at(from),
})

export const expiredSale = (from: SampleSource): Sample<'ExpiredSale'> => ({
  ...sale(from, 'expired'),
  expiredAt: at(from),
})

/** Returns the payment of the last sale. */
function payment(from: SampleSource, minutes: number): Sample<'RecordedPayment'> {
  const lastSale = recallOrCreateSale(from)
  const [paid] = lastSale.payments
  const method = paid?.method ?? 'card'
  return {
    id: paid?.id ?? newId(from, 'payment'),
    saleId: lastSale.id,
    saleNumber: lastSale.number,
    method,
    amount: paid?.amount ?? lastSale.total,
    currency: lastSale.currency,
    reference: method === 'card' ? `Terminal 2, ${lastSale.number}` : null,
    recordedAt: at(from, minutes),
  }
}

export const recordedPayment = (from: SampleSource): Sample<'RecordedPayment'> => payment(from, 0)

const PAYMENT_FIELDS = [
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
  ...(recallRecord<Sample<'RecordedPayment'>>(from, ['payment.recorded'], PAYMENT_FIELDS) ??
    payment(from, -20)),
  reason: 'Card reversed',
  cancelledAt: at(from),
})

/** Returns the whole last sale. */
export function completedReturn(from: SampleSource): Sample<'CompletedReturn'> {
  const lastSale = recallOrCreateSale(from)
  return {
    id: newId(from, 'return'),
    number: nextNumber(from, 'return', 'D').number,
    saleId: lastSale.id,
    saleNumber: lastSale.number,
    currency: lastSale.currency,
    total: lastSale.total,
    reason: 'Damaged',
    branchId: lastSale.branchId,
    items: [...lastSale.items],
    completedAt: at(from),
  }
}

// ---------------------------------------------------------------- contacts

const contact = (from: SampleSource, stamps: Stamps): Sample<'Contact'> => ({
  id: sharedId(from, 'customer'),
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
export const deletedContact = (from: SampleSource) => deleted(from, 'contact', sharedId(from, 'customer'))

// ---------------------------------------------------------------- purchases

type Bill = Sample<'Bill'>

function newBill(from: SampleSource, stamps: Stamps): Bill {
  const { count, number } = nextNumber(from, 'bill', 'C')
  const { items, subtotal, tax } = createBasket(from, count, (article) => article.costCents)
  const total = money(from, subtotal + tax)
  return {
    id: newId(from, 'bill'),
    number,
    supplierId: sharedId(from, 'supplier'),
    branchId: sharedId(from, 'branch'),
    status: 'open',
    currency: from.currency,
    total,
    balance: total,
    items,
    dueAt: at(from, 30 * DAY),
    ...stamps(from),
  }
}

const BILL_FIELDS = [
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

/** Returns the last emitted bill, changed now, or a new one. */
function billOf(from: SampleSource): Bill {
  const before = recallRecord<Bill>(
    from,
    ['bill.created', 'bill.updated', 'bill.received', 'bill.payment_recorded', 'bill.payment_cancelled'],
    BILL_FIELDS,
  )
  return before ? { ...before, updatedAt: at(from) } : newBill(from, updated)
}

const billPayment = (from: SampleSource, amount: number, minutes: number) => ({
  id: newId(from, 'payment'),
  method: 'transfer' as const,
  amount,
  recordedAt: at(from, minutes),
})

const halfOf = (from: SampleSource, { total, currency }: Bill): number => {
  const inCurrency = { ...from, currency }
  return money(inCurrency, Math.floor(centsOf(inCurrency, total) / 2))
}

const minus = (bill: WithCurrency, amount: number, subtrahend: number): number =>
  money(bill, Math.max(0, centsOf(bill, amount) - centsOf(bill, subtrahend)))

export const createdBill = (from: SampleSource): Bill => newBill(from, created)
export const updatedBill = billOf

export const receivedBill = (from: SampleSource): Sample<'ReceivedBill'> => ({
  ...billOf(from),
  status: 'received',
  receivedAt: at(from),
})

/** Pays half of the bill, or its balance if that is less. */
export function billWithPayment(from: SampleSource): Sample<'BillWithPayment'> {
  const bill = billOf(from)
  const paid = Math.min(bill.balance, halfOf(from, bill))
  const balance = minus(bill, bill.balance, paid)
  const status = balance === 0 ? 'paid' : 'partially_paid'
  return { ...bill, status, balance, payment: billPayment(from, paid, 0) }
}

/** Cancels the last payment of the bill and adds its amount to the balance. */
export function billWithCancelledPayment(from: SampleSource): Sample<'BillWithCancelledPayment'> {
  const bill = billOf(from)
  const before = from.recall?.(['bill.payment_recorded'])
  const payment =
    before?.['id'] === bill.id
      ? (before['payment'] as Sample<'BillWithPayment'>['payment'])
      : billPayment(from, halfOf(from, bill), -20)
  const balanceCents = centsOf(bill, bill.balance) + centsOf(bill, payment.amount)
  const balance = Math.min(bill.total, money(bill, balanceCents))
  const status = balance === bill.total ? 'open' : 'partially_paid'
  return { ...bill, status, balance, payment: { ...payment, cancelledAt: at(from) } }
}

export const deletedBill = (from: SampleSource) => deleted(from, 'bill', newId(from, 'bill'))

// ---------------------------------------------------------------- expenses

const EXPENSE_CENTS = 8450

const expense = (from: SampleSource, stamps: Stamps): Sample<'Expense'> => ({
  id: newId(from, 'expense'),
  number: nextNumber(from, 'expense', 'G').number,
  category: 'Utilities',
  description: 'Electricity',
  amount: money(from, EXPENSE_CENTS + taxOf(EXPENSE_CENTS)),
  taxAmount: money(from, taxOf(EXPENSE_CENTS)),
  currency: from.currency,
  supplierId: sharedId(from, 'supplier'),
  branchId: sharedId(from, 'branch'),
  method: 'transfer',
  incurredAt: at(from, -DAY),
  ...stamps(from),
})

export const createdExpense = (from: SampleSource) => expense(from, created)
export const updatedExpense = (from: SampleSource) =>
  changed(from, ['expense.created', 'expense.updated'], expense(from, updated))
export const deletedExpense = (from: SampleSource) => deleted(from, 'expense', newId(from, 'expense'))

// ---------------------------------------------------------------- cash

/** Returns a cash session whose drawer is fifty cents short. */
export const closedCashSession = (from: SampleSource): Sample<'ClosedCashSession'> => ({
  id: newId(from, 'cash_session'),
  branchId: sharedId(from, 'branch'),
  userId: sharedId(from, 'user'),
  currency: from.currency,
  openingAmount: money(from, 10_000),
  expectedAmount: money(from, 64_235),
  countedAmount: money(from, 64_185),
  difference: money(from, -50),
  openedAt: at(from, -480),
  closedAt: at(from),
})
