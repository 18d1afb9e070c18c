/** Schemas of columns in snapshots, for several interfaces. Created on first use. */
import { Type, type TSchema } from '@sinclair/typebox'

/** For the lists of a snapshot, whose limits apply to the snapshot as a whole and to each record. */
export const LIMITED_AS_A_WHOLE = { 'x-limited-elsewhere': true }

/** A text with a non-blank character. */
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** Much longer than generated ids. */
export const MAX_ID_LENGTH = 100

export const id = () => text(MAX_ID_LENGTH)

/** A text up to this length, possibly empty. */
export const upTo = (maxLength: number) => Type.String({ maxLength })

export const orNone = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A URL of at most `maxLength` characters. */
export const urlUpTo = (maxLength: number) => Type.String({ format: 'uri', maxLength })

/** One line without a comma, because filters separate words by commas. */
export const WORD_PATTERN = '^[^\\S\\n]*[^\\s,][^\\n,]*$'

export const words = (maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength, pattern: WORD_PATTERN }), { maxItems })

/** A date-time since 1970, when all time zones have offsets in whole minutes. */
export const recentInstant = () => Type.String({ format: 'date-time', pattern: '^(19[7-9]\\d|[2-9]\\d{3})' })

/** A non-empty text. */
export const filled = () => Type.String({ minLength: 1 })

/** A decimal with up to 15 digits before and 6 after the point. */
export const decimal = () => Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })

/** An integer that is exact as a JavaScript number. */
export const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ minimum, maximum })

export const currency = () => Type.String({ format: 'iso-4217' })
export const url = () => Type.String({ format: 'uri' })
export const email = () => Type.String({ format: 'email' })
/** The data of an event, with whole records and their free objects: larger than one request can send. */
export const eventData = () => Type.Record(Type.String(), Type.Unknown(), { 'x-max-size': 1_048_576 })

export const freeObject = () => Type.Record(Type.String(), Type.Unknown())
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values })
/** An ISO 3166-1 alpha-2 country code. */
export const countryCode = () => Type.String({ format: 'iso-3166' })
export const texts = (maxItems: number, maxLength: number) => Type.Array(text(maxLength), { maxItems })
export const decimalNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Number({ minimum, maximum })
