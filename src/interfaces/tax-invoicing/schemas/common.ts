/** Pieces of wire shapes that the records of tax invoicing share. Specification part 2, "Tax invoicing". */
import { Type, type StringOptions } from '@sinclair/typebox'
import { named, Nullable, OneOf } from '../../../http/schemas.ts'
import { decimal, LINE_DECIMALS } from '../../../state/tax-invoicing/amounts.ts'
import { ISSUER_TIMEZONE } from '../../../state/tax-invoicing/issuer.ts'

/** How descriptions of dates name the time zone in which they are read. */
export const ISSUER_ZONE = `the issuer, ${ISSUER_TIMEZONE}`

/** The order of a list; the specification names the keys and no direction. */
export const SortOrder = (usual: 'asc' | 'desc') =>
  OneOf(['asc', 'desc'], { default: usual, description: `Default is ${usual} (assumed).` })

export const Email = (example: string, options: StringOptions = {}) =>
  Type.String({ format: 'email', maxLength: 254, examples: [example], ...options })

/** The largest amount that is taken: beyond it a double can't tell hundredths apart any more. */
export const LARGEST_AMOUNT = 999_999_999_999.99

/** By the digits before the point. */
const LARGEST = { 6: 999_999.999999, 12: LARGEST_AMOUNT } as const

interface SentDecimalOptions {
  /** Of a number; a text, of which JSON Schema knows no least, is not 0 where this is more than 0. */
  readonly minimum?: number
  /** Most digits before the point: 12, or 6 of what one currency is worth in another. */
  readonly digits?: 6 | 12
  /** Most decimals of a text; those of a number are counted by the state. */
  readonly decimals?: number
  readonly description?: string
}

/** A decimal number as it is sent: a number, or a text such as "0.160000" where its digits are to stay. */
export function SentDecimal(
  example: number,
  { minimum = 0, digits = 12, decimals = LINE_DECIMALS, ...options }: SentDecimalOptions = {},
) {
  const [whole, most] = [String(digits), String(decimals)]
  const isPositive = minimum > 0
  return Type.Unsafe<number | string>({
    type: ['number', 'string'],
    minimum,
    maximum: LARGEST[digits],
    pattern: `^${isPositive ? `(?!0{1,${whole}}(\\.0{1,${most}})?$)` : ''}\\d{1,${whole}}(\\.\\d{1,${most}})?$`,
    'x-wording': `must be a decimal number${isPositive ? ' greater than 0' : ''}, such as 149.9 or "149.90"`,
    examples: [example],
    ...options,
  })
}

/** The text of a decimal number that was sent: its digits, for the shortest text of a double is what was written. */
export const decimalText = (sent: number | string): string =>
  typeof sent === 'string' ? sent : plainDigits(sent)

/** Without an exponent, which JavaScript writes below 1e-6. */
const plainDigits = (sent: number): string => {
  const text = String(sent)
  return text.includes('e') ? decimal(text).toFixed() : text
}

/** An amount, quantity or rate as it is answered. */
export const Decimal = (example: number, options: object = {}) =>
  Type.Number({ minimum: 0, examples: [example], ...options })

export const FACTORS = ['Tasa', 'Cuota', 'Exento'] as const

/** A tax as lines and products are sent with it. */
const sentTax = {
  impuesto: Type.String({
    maxLength: 3,
    description: '001 ISR, 002 IVA, 003 IEPS.',
    examples: ['002'],
  }),
  tipo_factor: OneOf(FACTORS, { examples: ['Tasa'] }),
  tasa: Type.Optional(
    Nullable(SentDecimal(0.16, { description: 'Of six decimals at most; left out where it is exempt.' })),
  ),
}

export const SentTax = named('SentTax', Type.Object(sentTax))

/** The most taxes that a line may have of each kind. */
const MAX_TAXES = 20

export const SentTaxes = named(
  'SentTaxes',
  Type.Object({
    traslados: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES })),
    retenciones: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES, examples: [[]] })),
  }),
)

/** A tax as products are shown with it. */
export const Tax = named(
  'Tax',
  Type.Object({
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: OneOf(FACTORS),
    tasa: Nullable(Decimal(0.16)),
  }),
)

export const Taxes = named('Taxes', Type.Object({ traslados: Type.Array(Tax), retenciones: Type.Array(Tax) }))
