/** The tables of integration payments as they stand in snapshots. Amounts are integer cents. */
import { Type } from '@sinclair/typebox'
import { renewed, type RecordSet } from '../records.ts'
import { deriveLink, type Link } from './links.ts'
import { charges, customers, LINK_METHODS, links, products } from './tables.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })
const email = Type.String({ format: 'email' })
const currency = Type.String({ format: 'iso-4217' })
const cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const stamps = ['createdAt', 'updatedAt']

/** The display data of a card; a snapshot takes no more digits of one than these. */
const card = {
  cardLast4: Type.String({ pattern: '^\\d{4}$' }),
  cardBrand: text(40),
  cardBin: Type.String({ pattern: '^\\d{6,8}$' }),
  cardExp: Type.String({ pattern: '^(0[1-9]|1[0-2])\\d{2}$' }),
}

const set = (name: string, of: Omit<RecordSet, 'section' | 'name'>): RecordSet => ({
  section: 'integration-payments',
  name,
  ...of,
})

export const integrationPaymentRecords: readonly RecordSet[] = [
  set('products', {
    table: products,
    instants: stamps,
    shapes: {
      productCode: text(100),
      name: text(200),
      price: cents,
      currency,
      billingInterval: Type.Integer({ minimum: 1, maximum: 1000 }),
    },
    ...renewed,
  }),
  set('customers', {
    table: customers,
    instants: stamps,
    shapes: { name: text(120), email, phone: Type.String({ maxLength: 40 }), ...card },
    ...renewed,
  }),
  set('links', {
    table: links,
    instants: [...stamps, 'expiresAt', 'completedAt', 'cancelledAt'],
    derived: ['nameKey', 'revision'],
    shapes: {
      hashUrl: Type.String({ pattern: '^[\\w-]{1,100}$' }),
      customerName: text(120),
      customerEmail: email,
      concept: text(250),
      amount: cents,
      currency,
      paymentMethods: Type.Array(Type.Unsafe({ type: 'string', enum: [...LINK_METHODS] }), { minItems: 1 }),
      redirectUrl: Type.String({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:', maxLength: 2048 }),
      metadata: Type.Record(Type.String(), Type.Unknown()),
      ...card,
    },
    complete: (workspace, row) => deriveLink(workspace, row as Link),
  }),
  set('charges', {
    table: charges,
    instants: ['createdAt'],
    derived: [],
    shapes: { amount: cents, currency, cardBrand: card.cardBrand, cardLast4: card.cardLast4 },
  }),
]
