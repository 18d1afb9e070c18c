/** What columns of several interfaces hold in a snapshot. Made when a snapshot is first looked at. */
import { Type, type TSchema } from '@sinclair/typebox'

/** For the lists of a snapshot, which is limited as a whole, and record by record. */
export const LIMITED_ELSEWHERE = { 'x-limited-elsewhere': true }

/** Not blank. */
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

/** Far longer than the ids that are drawn. */
export const LONGEST_ID = 100

export const id = () => text(LONGEST_ID)

/** Any text up to this length, also none. */
export const upTo = (maxLength: number) => Type.String({ maxLength })

export const orNone = (schema: TSchema) => Type.Union([schema, Type.Null()])

/** An address of at most so many characters. */
export const urlUpTo = (maxLength: number) => Type.String({ format: 'uri', maxLength })

/** One line without a comma, because filters separate words by commas. */
export const WORD_PATTERN = '^[^\\S\\n]*[^\\s,][^\\n,]*$'

export const words = (maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength, pattern: WORD_PATTERN }), { maxItems })

/** A date-time whose offset is in whole minutes in every time zone. */
export const recentInstant = () => Type.String({ format: 'date-time', pattern: '^(19[7-9]\\d|[2-9]\\d{3})' })

/** Not empty. */
export const filled = () => Type.String({ minLength: 1 })

/** Up to 15 digits before the point and 6 behind it. */
export const decimal = () => Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })

/** Exact as a number. */
export const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({ minimum, maximum })

export const currency = () => Type.String({ format: 'iso-4217' })
export const url = () => Type.String({ format: 'uri' })
export const email = () => Type.String({ format: 'email' })
/** What an event tells of whole records, each with free objects of its own: more than a caller may send in one. */
export const told = () => Type.Record(Type.String(), Type.Unknown(), { 'x-max-size': 1_048_576 })

export const freeObject = () => Type.Record(Type.String(), Type.Unknown())
export const oneOf = (values: readonly string[]) => Type.Unsafe({ type: 'string', enum: values })
/** ISO 3166-1 alpha-2. */
export const countryCode = () => Type.String({ format: 'iso-3166' })
export const texts = (maxItems: number, maxLength: number) => Type.Array(text(maxLength), { maxItems })
export const decimalNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Number({ minimum, maximum })
