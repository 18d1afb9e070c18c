/** What columns of several interfaces hold in a snapshot. Made when a snapshot is first looked at. */
import { Type } from '@sinclair/typebox'

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
export const email = () => Type.String({ format: 'email' })
export const freeObject = () => Type.Record(Type.String(), Type.Unknown())
export const oneOf = (values: readonly string[]) => Type.Unsafe({ type: 'string', enum: values })
