/** What the JSON columns of an invoice hold in a snapshot. */
import { Type, type TSchema } from '@sinclair/typebox'
import { countryCode, decimal, email, oneOf, text, whole } from '../shapes.ts'
import { ITBMS_RATES, PAYMENT_TYPES, RECEIVER_TYPES } from './tables.ts'

const exactly = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false })

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])

export const keptRecipient = () =>
  exactly({
    receiverType: oneOf(RECEIVER_TYPES),
    name: text(255),
    taxId: orNull(text(30)),
    taxDv: orNull(whole(0, 99)),
    taxIdType: orNull(whole(1, 2)),
    foreignTaxId: orNull(text(50)),
    passport: orNull(text(50)),
    country: orNull(countryCode()),
    email: orNull(email()),
  })

export const keptItem = () =>
  exactly({
    description: text(500),
    qty: decimal(),
    price: decimal(),
    taxCode: oneOf(Object.keys(ITBMS_RATES)),
    amount: decimal(),
    tax: decimal(),
  })

export const keptPayment = () => exactly({ type: oneOf(Object.keys(PAYMENT_TYPES)), amount: decimal() })
