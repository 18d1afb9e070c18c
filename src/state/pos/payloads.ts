/**
 * The payloads of the point-of-sale events. Specification part 2, "Point-of-sale webhook", shows only id, number and total
 * of the sale; `x-fidelity` marks the assumed fields. Ids are cuid2, money is a number with at most two decimals, and
 * instants are ISO 8601 in UTC.
 */
import {
  Type,
  type SchemaOptions,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'
import { CUFE_PATTERN } from '../shared/cufe.ts'

/** Marks a schema that the specification does not show. `why` says what the simulator does, and why. */
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
  Type.String({ description: `The id of the ${of}.`, examples: ['tz4a98xxat96iws9zmbrgj3a'] })
const OptionalId = (of: string) =>
  OrNull<string>('string', {
    description: `The id of the ${of}, or null.`,
    examples: ['pfh0haxfpzowht3oi213cqos'],
  })
const Instant = () => Type.String({ format: 'date-time', examples: ['2026-11-21T15:04:05.000Z'] })
const Money = () =>
  Type.Number({
    minimum: 0,
    description: 'At most two decimals; none if the currency has none.',
    examples: [149.9],
  })
const Currency = () => Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['USD'] })
const Rate = () => Type.Number({ minimum: 0, description: 'In percent: 7 means 7 %.', examples: [7] })
const Quantity = () => Type.Number({ description: 'Units.', examples: [2] })
const Text = (example: string) => Type.String({ minLength: 1, examples: [example] })
const OptionalText = (example: string) => OrNull<string>('string', { examples: [example] })

/** A payload that the specification does not show. */
const AssumedObject = <Properties extends TProperties>(
  why: string,
  properties: Properties,
): TObject<Properties> => assumed(why, Type.Object(properties))

/** The payload of the event of a deleted record. */
const Deleted = (record: string) =>
  AssumedObject(
    `The specification does not show this data. The simulator sends the id of the deleted ${record} and the time of the deletion.`,
    {
      id: Id(record),
      deletedAt: Instant(),
    },
  )

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
    pattern: CUFE_PATTERN,
    description: 'The code of the invoice at the tax authority, as lite invoicing builds it.',
    examples: ['FE0120000155700001-2-2021-4300012026100600000000010010121566749042'],
  }),
  saleId: Id('sale'),
  customerId: OptionalId('customer'),
  currency: Currency(),
  total: Money(),
}

export const EnrolledInvoice = AssumedObject(
  'The specification does not show this data. The simulator sends the invoice with the code of the tax authority, because a receiver has no other source for the code.',
  { ...invoice, enrolledAt: Instant() },
)
export const CancelledInvoice = AssumedObject(
  'The specification does not show this data. The simulator sends the enrolled invoice, with the reason and the time of the cancellation.',
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

export const UpdatedStock = AssumedObject(
  'The specification does not show this data. The simulator sends the quantity before and after, so that a receiver does not need the previous event.',
  { ...stock, previousQuantity: Quantity(), reason: OneOf(STOCK_REASONS), updatedAt: Instant() },
)
export const LowStock = AssumedObject(
  'The specification does not show this data. The simulator sends the remaining quantity and the threshold.',
  {
    ...stock,
    threshold: Quantity(),
    detectedAt: Instant(),
  },
)

// ---------------------------------------------------------------- catalog

const stamps = { createdAt: Instant(), updatedAt: Instant() }

export const Product = AssumedObject(
  'The specification does not show this data. The simulator sends the whole product, so that a receiver can mirror it.',
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

export const Category = AssumedObject(
  'The specification does not show this data. The simulator sends the whole category with the id of its parent.',
  {
    id: Id('category'),
    name: Text('Coffee'),
    parentId: OptionalId('parent category'),
    isActive: Type.Boolean(),
    ...stamps,
  },
)
export const DeletedCategory = Deleted('category')

export const Brand = AssumedObject(
  'The specification does not show this data. The simulator sends the whole brand.',
  {
    id: Id('brand'),
    name: Text('House roast'),
    isActive: Type.Boolean(),
    ...stamps,
  },
)
export const DeletedBrand = Deleted('brand')

// ---------------------------------------------------------------- sales

const documentedSaleFields = {
  id: Id('sale'),
  number: Text('V-000001'),
  total: Money(),
}

const Payment = Type.Object({ id: Id('payment'), method: OneOf(PAYMENT_METHODS), amount: Money() })

const assumedSaleFields = {
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

const whySaleFields: Readonly<Record<keyof typeof assumedSaleFields | 'completedAt', string>> = {
  status: 'Not shown: the names of the sales events give these four states.',
  currency: 'Not shown: the currency of the amounts.',
  subtotal: 'Not shown: the total before tax.',
  taxTotal: 'Not shown: the tax in the total.',
  customerId: 'Not shown: a contact of the contact.* events. A sale at the counter may have none.',
  branchId: 'Not shown: the branch. Stock and cash sessions have a branch too.',
  userId: 'Not shown: the user who made the sale.',
  items: 'Not shown: the items, because no operation of this interface returns them.',
  payments: 'Not shown: the payments, because no operation of this interface returns them.',
  createdAt: 'Not shown: the time when the sale was opened.',
  completedAt: 'Not shown: the time when the sale was completed.',
}

/** Marks each field as assumed with its own reason, for the event with three documented fields. */
const assumedEach = <Properties extends TProperties>(
  properties: Properties,
  why: Readonly<Record<keyof Properties, string>>,
): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, assumed(why[name] ?? '', schema)]),
  ) as Properties

export const CompletedSale = Type.Object({
  ...documentedSaleFields,
  ...assumedEach({ ...assumedSaleFields, completedAt: Instant() }, whySaleFields),
})

const sale = { ...documentedSaleFields, ...assumedSaleFields }

export const DeliveredSale = AssumedObject(
  'The specification does not show this data. The simulator sends the sale as in sale.completed, with the time of the delivery.',
  { ...sale, deliveredAt: Instant() },
)
export const CancelledSale = AssumedObject(
  'The specification does not show this data. The simulator sends the sale as in sale.completed, with the reason and the time of the cancellation.',
  { ...sale, reason: OptionalText('Customer changed their mind'), cancelledAt: Instant() },
)
export const ExpiredSale = AssumedObject(
  'The specification does not show this data. The simulator sends the unpaid sale as in sale.completed, with the time when it expired.',
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

export const RecordedPayment = AssumedObject(
  'The specification does not show this data. The simulator sends the payment and the sale that it pays.',
  salePayment,
)
export const CancelledPayment = AssumedObject(
  'The specification does not show this data. The simulator sends the recorded payment, with the reason and the time of the cancellation.',
  { ...salePayment, reason: OptionalText('Card reversed'), cancelledAt: Instant() },
)

export const CompletedReturn = AssumedObject(
  'The specification does not show this data. The simulator sends the returned items and their sale.',
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

export const Contact = AssumedObject(
  'The specification does not show this data. The simulator sends the whole contact, which is a customer or a supplier.',
  {
    id: Id('contact'),
    type: OneOf(['customer', 'supplier']),
    name: Text('North Street Bakery'),
    email: OptionalText('orders@example.com'),
    phone: OptionalText('+507 200-0000'),
    taxId: OptionalText('155000000-2-2020'),
    address: OptionalText('12 North Street'),
    ...stamps,
  },
)
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
  balance: Type.Number({ minimum: 0, description: 'The unpaid amount.', examples: [86.4] }),
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

export const Bill = AssumedObject(
  'The specification does not show this data. The simulator sends the whole bill with its unpaid amount.',
  bill,
)
export const ReceivedBill = AssumedObject(
  'The specification does not show this data. The simulator sends the bill, with the time when the goods were received.',
  {
    ...bill,
    receivedAt: Instant(),
  },
)
export const BillWithPayment = AssumedObject(
  'The specification does not show this data. The simulator sends the bill after the payment, and the payment.',
  {
    ...bill,
    payment: Type.Object(BillPayment),
  },
)
export const BillWithCancelledPayment = AssumedObject(
  'The specification does not show this data. The simulator sends the bill after the cancellation, and the cancelled payment.',
  { ...bill, payment: Type.Object({ ...BillPayment, cancelledAt: Instant() }) },
)
export const DeletedBill = Deleted('bill')

// ---------------------------------------------------------------- expenses

export const Expense = AssumedObject(
  'The specification does not show this data. The simulator sends the whole expense.',
  {
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
  },
)
export const DeletedExpense = Deleted('expense')

// ---------------------------------------------------------------- cash

export const ClosedCashSession = AssumedObject(
  'The specification does not show this data. The simulator sends the counted amount, the expected amount and their difference.',
  {
    id: Id('cash session'),
    branchId: Id('branch'),
    userId: Id('user who closed it'),
    currency: Currency(),
    openingAmount: Money(),
    expectedAmount: Money(),
    countedAmount: Money(),
    difference: Type.Number({
      description: 'The counted amount less the expected amount. Negative if money is missing.',
      examples: [-0.5],
    }),
    openedAt: Instant(),
    closedAt: Instant(),
  },
)
