/** Wire shapes that several records of tax invoicing share. Specification part 2, "Tax invoicing". */
import { Type, type StringOptions } from '@sinclair/typebox'
import { named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { decimal, LINE_DECIMALS } from '../../../state/tax-invoicing/documents/amounts.ts'
import { ISSUER_TIMEZONE } from '../../../state/tax-invoicing/taxpayers/issuer.ts'

/** The time zone of dates, as descriptions name it. */
export const ISSUER_ZONE = `the issuer, ${ISSUER_TIMEZONE}`

/** The sort order of a list. The specification shows the keys, but no default direction. */
export const SortOrder = (defaultOrder: 'asc' | 'desc') =>
  OneOf(['asc', 'desc'], { default: defaultOrder, description: `Default is ${defaultOrder} (assumed).` })

export const Email = (example: string, options: StringOptions = {}) =>
  Type.String({ format: 'email', maxLength: 254, examples: [example], ...options })

/** The largest accepted amount. Above it, a double can't represent every hundredth. */
export const LARGEST_AMOUNT = 999_999_999_999.99

/** The maximum by the number of integer digits. */
const LARGEST = { 6: 999_999.999999, 12: LARGEST_AMOUNT } as const

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
    'x-wording': `must be a decimal number${isPositive ? ' greater than 0' : ''}, such as 149.9 or "149.90"`,
    examples: [example],
    ...options,
  })
}

/** Returns the digits of a decimal in a request. The shortest text of a double is the number as the client wrote it. */
export const decimalText = (sent: number | string): string =>
  typeof sent === 'string' ? sent : plainDigits(sent)

/** Formats a number without an exponent, which JavaScript uses below 1e-6. */
const plainDigits = (sent: number): string => {
  const text = String(sent)
  return text.includes('e') ? decimal(text).toFixed() : text
}

/** An amount, quantity or rate in a response. */
export const Decimal = (example: number, options: object = {}) =>
  Type.Number({ minimum: 0, examples: [example], ...options })

export const FACTORS = ['Tasa', 'Cuota', 'Exento'] as const

/** A tax of a line or product in a request. */
const sentTax = {
  impuesto: Type.String({
    maxLength: 3,
    description: '001 ISR, 002 IVA, 003 IEPS.',
    examples: ['002'],
  }),
  tipo_factor: OneOf(FACTORS, { examples: ['Tasa'] }),
  tasa: Type.Optional(
    Nullable(
      SentDecimal(0.16, { description: 'At most six decimals. Leave it out if tipo_factor is Exento.' }),
    ),
  ),
}

export const SentTax = named('SentTax', Type.Object(sentTax))

/** The maximum number of taxes of each kind in a line. */
const MAX_TAXES = 20

export const SentTaxes = named(
  'SentTaxes',
  Type.Object({
    traslados: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES })),
    retenciones: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES, examples: [[]] })),
  }),
)

/** A tax of a product in a response. */
export const Tax = named(
  'Tax',
  Type.Object({
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: OneOf(FACTORS),
    tasa: Nullable(Decimal(0.16)),
  }),
)

export const Taxes = named('Taxes', Type.Object({ traslados: Type.Array(Tax), retenciones: Type.Array(Tax) }))
