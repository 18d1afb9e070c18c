/** The shapes of the JSON columns of an invoice in a snapshot. */
import { Type, type TSchema } from '@sinclair/typebox'
import { countryCode, decimal, email, oneOf, text, whole } from '../storage/shapes.ts'
import { ITBMS_RATES, PAYMENT_TYPES, RECEIVER_TYPES } from './tables.ts'

const closed = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false })

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

export const recipientShape = () =>
  closed({
    receiverType: oneOf(RECEIVER_TYPES),
    name: text(255),
    taxId: nullable(text(30)),
    taxDv: nullable(whole(0, 99)),
    taxIdType: nullable(whole(1, 2)),
    foreignTaxId: nullable(text(50)),
    passport: nullable(text(50)),
    country: nullable(countryCode()),
    email: nullable(email()),
  })

export const itemShape = () =>
  closed({
    description: text(500),
    qty: decimal(),
    price: decimal(),
    taxCode: oneOf(Object.keys(ITBMS_RATES)),
    amount: decimal(),
    tax: decimal(),
  })

export const paymentShape = () => closed({ type: oneOf(Object.keys(PAYMENT_TYPES)), amount: decimal() })
