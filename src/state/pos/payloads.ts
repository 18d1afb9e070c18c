/**
 * What the point-of-sale events carry. Specification part 2, "Point-of-sale webhook": "The sale event data shape has
 * id, number, total. Fields of data for each of the other 32 event types: not shown." Everything that is not among
 * those three is assumed, and says so in the schema (`x-fidelity`, `x-fidelity-why`).
 *
 * Ids have the form of cuid2, as the subscription's id has; money is a number with at most two decimals; instants
 * are ISO 8601 in UTC.
 */
import {
  Type,
  type SchemaOptions,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'

/** Marks what the specification does not show; `why` says what was chosen and on what grounds. */
const assumed = <Schema extends TSchema>(why: string, schema: Schema): Schema => ({
  ...schema,
  'x-fidelity': 'assumed',
  'x-fidelity-why': why,
})

const OneOf = <const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> =>
  Type.Unsafe({ type: 'string', enum: [...values] })

const OrNull = <Value extends string | number>(
  type: Value extends string ? 'string' : 'number',
  options: SchemaOptions = {},
): TUnsafe<Value | null> => Type.Unsafe({ ...options, type: [type, 'null'] })

const Id = (of: string) =>
  Type.String({ description: `Of the ${of}.`, examples: ['tz4a98xxat96iws9zmbrgj3a'] })
const OptionalId = (of: string) =>
  OrNull<string>('string', {
    description: `Of the ${of}; null without one.`,
    examples: ['pfh0haxfpzowht3oi213cqos'],
  })
const Instant = () => Type.String({ format: 'date-time', examples: ['2026-11-21T15:04:05.000Z'] })
const Money = () =>
  Type.Number({
    minimum: 0,
    description: 'At most two decimals; none in a currency that has none.',
    examples: [149.9],
  })
const Currency = () => Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['USD'] })
const Rate = () => Type.Number({ minimum: 0, description: 'In percent: 7 means 7%.', examples: [7] })
const Quantity = () => Type.Number({ description: 'Units.', examples: [2] })
const Text = (example: string) => Type.String({ minLength: 1, examples: [example] })
const OptionalText = (example: string) => OrNull<string>('string', { examples: [example] })

/** A payload of which nothing is shown. */
const Guessed = <Properties extends TProperties>(why: string, properties: Properties): TObject<Properties> =>
  assumed(why, Type.Object(properties))

/** What is left to tell of a record that is gone. */
const Deleted = (record: string) =>
  Guessed(`Its data is not shown; a ${record} that is gone is told by its id and when it went.`, {
    id: Id(record),
    deletedAt: Instant(),
  })

const PAYMENT_METHODS = ['cash', 'card', 'transfer', 'check', 'credit'] as const

const Line = Type.Object({
  productId: Id('product'),
  name: Text('Espresso beans 1 kg'),
  quantity: Quantity(),
  unitPrice: Money(),
  taxRate: Rate(),
  total: Money(),
})

// ---------------------------------------------------------------- fiscal

const invoice = {
  id: Id('invoice'),
  number: Text('F-000001'),
  cufe: Type.String({
    pattern: '^FE[0-9-]{64}$',
    description: 'The code under which the tax authority knows the invoice.',
    examples: ['FE0120000155000000-2-2020-5920261121000000000000000000000000000001'],
  }),
  saleId: Id('sale'),
  customerId: OptionalId('customer'),
  currency: Currency(),
  total: Money(),
}

export const EnrolledInvoice = Guessed(
  'Its data is not shown; the invoice with the code the tax authority gave it, which nothing else tells.',
  { ...invoice, enrolledAt: Instant() },
)
export const CancelledInvoice = Guessed(
  'Its data is not shown; the invoice as it was enrolled, with the reason and time of its cancellation.',
  { ...invoice, reason: Text('Wrong tax number'), cancelledAt: Instant() },
)

// ---------------------------------------------------------------- inventory

const stock = {
  productId: Id('product'),
  variantId: OptionalId('variant'),
  branchId: Id('branch'),
  sku: OptionalText('COF-001'),
  quantity: Quantity(),
}

const STOCK_REASONS = ['sale', 'return', 'purchase', 'adjustment', 'transfer'] as const

export const UpdatedStock = Guessed(
  'Its data is not shown; the quantity before and after, so that a receiver need not have seen the last event.',
  { ...stock, previousQuantity: Quantity(), reason: OneOf(STOCK_REASONS), updatedAt: Instant() },
)
export const LowStock = Guessed(
  'Its data is not shown; the quantity that is left beside the threshold it fell to.',
  {
    ...stock,
    threshold: Quantity(),
    detectedAt: Instant(),
  },
)

// ---------------------------------------------------------------- catalog

const stamps = { createdAt: Instant(), updatedAt: Instant() }

export const Product = Guessed(
  'Its data is not shown; the whole product, as a receiver that mirrors it needs.',
  {
    id: Id('product'),
    name: Text('Espresso beans 1 kg'),
    sku: OptionalText('COF-001'),
    barcode: OptionalText('7500000000019'),
    description: OptionalText('Medium roast'),
    price: Money(),
    cost: OrNull<number>('number', { minimum: 0, examples: [9.2] }),
    currency: Currency(),
    taxRate: Rate(),
    categoryId: OptionalId('category'),
    brandId: OptionalId('brand'),
    isActive: Type.Boolean(),
    ...stamps,
  },
)
export const DeletedProduct = Deleted('product')

export const Category = Guessed('Its data is not shown; the whole category, with the one it lies in.', {
  id: Id('category'),
  name: Text('Coffee'),
  parentId: OptionalId('category it lies in'),
  isActive: Type.Boolean(),
  ...stamps,
})
export const DeletedCategory = Deleted('category')

export const Brand = Guessed('Its data is not shown; the whole brand.', {
  id: Id('brand'),
  name: Text('House roast'),
  isActive: Type.Boolean(),
  ...stamps,
})
export const DeletedBrand = Deleted('brand')

// ---------------------------------------------------------------- sales

const documentedOfSale = {
  id: Id('sale'),
  number: Text('V-000001'),
  total: Money(),
}

const Payment = Type.Object({ id: Id('payment'), method: OneOf(PAYMENT_METHODS), amount: Money() })

const restOfSale = {
  status: OneOf(['completed', 'delivered', 'cancelled', 'expired']),
  currency: Currency(),
  subtotal: Money(),
  taxTotal: Money(),
  customerId: OptionalId('customer'),
  branchId: Id('branch'),
  userId: Id('user who sold'),
  items: Type.Array(Line),
  payments: Type.Array(Payment),
  createdAt: Instant(),
}

const whyRestOfSale: Readonly<Record<keyof typeof restOfSale | 'completedAt', string>> = {
  status: 'Not shown; the sales events name these four states.',
  currency: 'Not shown; a total says little without its currency.',
  subtotal: 'Not shown; the total before tax.',
  taxTotal: 'Not shown; the tax in the total.',
  customerId: 'Not shown; contact.* events tell of contacts, and a sale at the counter may have none.',
  branchId: 'Not shown; stock and cash sessions belong to a branch, and so does a sale.',
  userId: 'Not shown; who sold.',
  items: 'Not shown; no call of this interface would tell a receiver what was sold.',
  payments: 'Not shown; no call of this interface would tell a receiver how it was paid.',
  createdAt: 'Not shown; when the sale was opened.',
  completedAt: 'Not shown; when the sale was completed.',
}

/** The same fields, each with its own reason, for the event of which three fields are documented. */
const assumedEach = <Properties extends TProperties>(
  properties: Properties,
  why: Readonly<Record<keyof Properties, string>>,
): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, assumed(why[name] ?? '', schema)]),
  ) as Properties

export const CompletedSale = Type.Object({
  ...documentedOfSale,
  ...assumedEach({ ...restOfSale, completedAt: Instant() }, whyRestOfSale),
})

const sale = { ...documentedOfSale, ...restOfSale }

export const DeliveredSale = Guessed(
  'Its data is not shown; the sale as sale.completed tells it, with the time of its delivery.',
  { ...sale, deliveredAt: Instant() },
)
export const CancelledSale = Guessed(
  'Its data is not shown; the sale as sale.completed tells it, with the reason and time of its cancellation.',
  { ...sale, reason: OptionalText('Customer changed their mind'), cancelledAt: Instant() },
)
export const ExpiredSale = Guessed(
  'Its data is not shown; the sale as sale.completed tells it, unpaid, with the time it expired.',
  { ...sale, expiredAt: Instant() },
)

const salePayment = {
  id: Id('payment'),
  saleId: Id('sale'),
  saleNumber: Text('V-000001'),
  method: OneOf(PAYMENT_METHODS),
  amount: Money(),
  currency: Currency(),
  reference: OptionalText('Terminal 2, 004512'),
  recordedAt: Instant(),
}

export const RecordedPayment = Guessed(
  'Its data is not shown; the payment, with the sale it pays.',
  salePayment,
)
export const CancelledPayment = Guessed(
  'Its data is not shown; the payment as it was recorded, with the reason and time of its cancellation.',
  { ...salePayment, reason: OptionalText('Card reversed'), cancelledAt: Instant() },
)

export const CompletedReturn = Guessed(
  'Its data is not shown; what came back, and the sale it came back from.',
  {
    id: Id('return'),
    number: Text('D-000001'),
    saleId: Id('sale'),
    saleNumber: Text('V-000001'),
    currency: Currency(),
    total: Money(),
    reason: OptionalText('Damaged'),
    branchId: Id('branch'),
    items: Type.Array(Line),
    completedAt: Instant(),
  },
)

// ---------------------------------------------------------------- contacts

export const Contact = Guessed('Its data is not shown; the whole contact, customer or supplier.', {
  id: Id('contact'),
  type: OneOf(['customer', 'supplier']),
  name: Text('North Street Bakery'),
  email: OptionalText('orders@example.com'),
  phone: OptionalText('+507 200-0000'),
  taxId: OptionalText('155000000-2-2020'),
  address: OptionalText('12 North Street'),
  ...stamps,
})
export const DeletedContact = Deleted('contact')

// ---------------------------------------------------------------- purchases

const bill = {
  id: Id('bill'),
  number: Text('C-000001'),
  supplierId: Id('supplier'),
  branchId: Id('branch'),
  status: OneOf(['open', 'received', 'partially_paid', 'paid']),
  currency: Currency(),
  total: Money(),
  balance: Type.Number({ minimum: 0, description: 'What is still to be paid.', examples: [86.4] }),
  items: Type.Array(Line),
  dueAt: Instant(),
  ...stamps,
}

const BillPayment = {
  id: Id('payment'),
  method: OneOf(PAYMENT_METHODS),
  amount: Money(),
  recordedAt: Instant(),
}

export const Bill = Guessed('Its data is not shown; the whole bill, with what is still to be paid.', bill)
export const ReceivedBill = Guessed('Its data is not shown; the bill, with the time its goods came in.', {
  ...bill,
  receivedAt: Instant(),
})
export const BillWithPayment = Guessed(
  'Its data is not shown; the bill after the payment, and the payment.',
  {
    ...bill,
    payment: Type.Object(BillPayment),
  },
)
export const BillWithCancelledPayment = Guessed(
  'Its data is not shown; the bill after the cancellation, and the payment that was cancelled.',
  { ...bill, payment: Type.Object({ ...BillPayment, cancelledAt: Instant() }) },
)
export const DeletedBill = Deleted('bill')

// ---------------------------------------------------------------- expenses

export const Expense = Guessed('Its data is not shown; the whole expense.', {
  id: Id('expense'),
  number: Text('G-000001'),
  category: Text('Utilities'),
  description: OptionalText('Electricity'),
  amount: Money(),
  taxAmount: Money(),
  currency: Currency(),
  supplierId: OptionalId('supplier'),
  branchId: Id('branch'),
  method: OneOf(PAYMENT_METHODS),
  incurredAt: Instant(),
  ...stamps,
})
export const DeletedExpense = Deleted('expense')

// ---------------------------------------------------------------- cash

export const ClosedCashSession = Guessed(
  'Its data is not shown; what the drawer held, should have held, and the difference, which closing is about.',
  {
    id: Id('cash session'),
    branchId: Id('branch'),
    userId: Id('user who closed it'),
    currency: Currency(),
    openingAmount: Money(),
    expectedAmount: Money(),
    countedAmount: Money(),
    difference: Type.Number({
      description: 'Counted less expected; below zero when money is missing.',
      examples: [-0.5],
    }),
    openedAt: Instant(),
    closedAt: Instant(),
  },
)
