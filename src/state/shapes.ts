/** What columns of several interfaces hold in a snapshot. Made when a snapshot is first looked at. */
import { Type } from '@sinclair/typebox'

/** For the lists of a snapshot, which is limited as a whole, and record by record. */
export const LIMITED_ELSEWHERE = { 'x-limited-elsewhere': true }

/** Not blank. */
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

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
export const texts = () => Type.Array(Type.String())
export const decimalNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Number({ minimum, maximum })
