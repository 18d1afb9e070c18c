/** Wire shapes that several records of tax invoicing share. Specification part 2, "Tax invoicing". */
import { Type, type StringOptions } from '@sinclair/typebox'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Assumed, CalendarDate, OneOf } from '../../../http/schemas/schemas.ts'
import { pageQueryOf } from '../../../http/schemas/wireShapes.ts'
import { made, valueOf } from '../../../http/shapes/shape.ts'
import {
  countDecimals,
  decimal,
  LINE_DECIMALS,
  roundAmount,
} from '../../../state/tax-invoicing/documents/amounts.ts'
import { LARGEST_AMOUNT } from '../../../state/tax-invoicing/documents/concepts.ts'
import { clients } from '../../../state/tax-invoicing/tables.ts'
import { ISSUER_TIMEZONE } from '../../../state/tax-invoicing/taxpayers/issuer.ts'
import { MAX_EMAIL_LENGTH } from '../../../state/text/emailAddresses.ts'

/** The time zone of dates, as descriptions name it. */
export const ISSUER_ZONE = `the issuer, ${ISSUER_TIMEZONE}`

/** The pages of a list. */
export const pageQuery = pageQueryOf(25, { sizes: ['maximum'], first: true })

/** The direction of a sorted list. */
export const SortOrder = (defaultOrder: 'asc' | 'desc') =>
  Assumed(
    'The specification shows sort_by, but no direction.',
    OneOf(['asc', 'desc'], { default: defaultOrder, description: `Default is ${defaultOrder}.` }),
  )

export const Email = (example: string, options: StringOptions = {}) =>
  Type.String({ format: 'email', maxLength: MAX_EMAIL_LENGTH, examples: [example], ...options })

/** A tax id in a request: longer than a tax id, because spaces and dashes are ignored. */
export const SentRfc = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: LONGEST_SENT_RFC, description, examples: [example] })

const LONGEST_SENT_RFC = 20

/** The span of a list in days of the issuer: "YYYY-MM-DD", both included. `verb` is what happened on these days. */
export const daysQuery = (verb: string) => ({
  from: Type.Optional(
    CalendarDate({
      description: `${verb} on this day or later, in the time zone of ${ISSUER_ZONE} (assumed).`,
      examples: ['2026-01-01'],
    }),
  ),
  to: Type.Optional(
    CalendarDate({ description: `${verb} on this day or earlier.`, examples: ['2036-12-31'] }),
  ),
})

/** The filter of lists by the tax id of the recipient. */
export const recipientQuery = {
  receptor_rfc: Type.Optional(
    Type.String({
      maxLength: LONGEST_SENT_RFC,
      description: 'Case-insensitive. Spaces and dashes are ignored (assumed).',
      examples: ['URE180429TM6'],
    }),
  ),
}

export const postalCode = (description: string, example: string) =>
  valueOf(clients.domicilioFiscal, {
    'x-wording': 'must be a postal code of five digits',
    description,
    examples: [example],
  })

/** The words of a text with a visible character. */
export const notBlank = (example: string, options: StringOptions = {}) => ({
  'x-wording': 'must not be blank',
  examples: [example],
  ...options,
})

/** The words of a text of the XML. It can't contain "|", the separator of the sealed text, and can't be blank. */
export const xmlText = (example: string, options: StringOptions = {}) => ({
  pattern: '^[\\s\\u0000-\\u001f\\ufffe\\uffff]*[^|\\s\\u0000-\\u001f\\ufffe\\uffff][^|]*$',
  'x-wording': 'must contain at least one non-blank character and no |',
  examples: [example],
  ...options,
})

/** The maximum by the number of integer digits. */
const LARGEST = { 6: 999_999.999999, 12: Number(LARGEST_AMOUNT) } as const

interface SentDecimalOptions {
  /** The minimum of a number. JSON Schema has no minimum for strings: if this is more than 0, a string must not be 0. */
  readonly minimum?: number
  /** The maximum of integer digits: 12, or 6 for exchange rates. */
  readonly digits?: 6 | 12
  /** The maximum of decimals of a string. The state checks those of a number. */
  readonly decimals?: number
  readonly description?: string
}

/** A decimal in a request: a number, or a string such as "0.160000" that keeps its digits. */
export function SentDecimal(
  example: number,
  { minimum = 0, digits = 12, decimals = LINE_DECIMALS, ...options }: SentDecimalOptions = {},
) {
  const [maxDigits, maxDecimals] = [String(digits), String(decimals)]
  const isPositive = minimum > 0
  return Type.Unsafe<number | string>({
    type: ['number', 'string'],
    minimum,
    maximum: LARGEST[digits],
    pattern: `^${isPositive ? `(?!0{1,${maxDigits}}(\\.0{1,${maxDecimals}})?$)` : ''}\\d{1,${maxDigits}}(\\.\\d{1,${maxDecimals}})?$`,
    'x-digits': [digits, decimals],
    'x-wording': `must be a decimal number${isPositive ? ' greater than 0' : ''}, such as 149.9 or "149.90"`,
    examples: [example],
    ...options,
  })
}

/**
 * Returns the digits of a decimal in a request. The shortest text of a double is the number as the client wrote it. A number
 * with more decimals than allowed is rounded if the client computed it (assumed): 0.1 + 0.2, or 100 / 3. Any other one keeps
 * its digits and is refused later.
 */
export function decimalText(sent: number | string, decimals = LINE_DECIMALS): string {
  if (typeof sent === 'string') return sent
  const text = plainDigits(sent)
  if (countDecimals(text) <= decimals) return text
  // A double has 15 exact digits. Those after them come from computing with it.
  const exact = plainDigits(Number(sent.toPrecision(15)))
  if (countDecimals(exact) <= decimals) return exact
  const isComputed = decimals === LINE_DECIMALS && significantDigits(text) > 15
  return isComputed ? roundAmount(decimal(text), decimals).toFixed() : text
}

/** Formats a number without an exponent, which JavaScript uses below 1e-6. */
const plainDigits = (sent: number): string => {
  const text = String(sent)
  return text.includes('e') ? decimal(text).toFixed() : text
}

const significantDigits = (text: string): number => text.replace('.', '').replace(/^0+/, '').length

/** An amount, quantity or rate in a response. */
export const Decimal = (example: number, options: object = {}) =>
  Type.Number({ minimum: 0, examples: [example], ...options })

/** A column with a decimal text. */
type AmountColumn = SQLiteColumn & { readonly _: { readonly data: string; readonly notNull: true } }

/** Returns the field of an amount, which is a decimal text in its column. */
export const amount = (column: AmountColumn, example: number) =>
  made(Decimal(example), [column], ([text]) => Number(text))

export const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))
