/** The body that issues an invoice. Specification part 2, "Lite invoicing". */
import { Type, type IntegerOptions, type SchemaOptions, type TSchema } from '@sinclair/typebox'
import { Assumed, assumedValues, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import {
  invoices,
  ITBMS_RATES,
  LONGEST_DESCRIPTION,
  LONGEST_FOREIGN_ID,
  PAYMENT_TYPES,
  RECEIVER_TYPES,
  taxpayers,
  type PaymentType,
  type TaxCode,
} from '../../../state/lite-invoicing/tables.ts'
import { Ruc, SPELLINGS, WHICH_TYPE } from './taxpayers.ts'

/** A decimal in a request: a JSON number, or a string of its digits. */
const SentDecimal = (
  maximum: number,
  decimals: number,
  description: string,
  example: number,
  options: SchemaOptions = { minimum: 0 },
) =>
  Type.Unsafe<number | string>({
    // minimum and maximum apply to numbers, pattern applies to strings.
    type: ['number', 'string'],
    maximum,
    pattern: `^\\d{1,${String(String(maximum).split('.')[0]?.length ?? 1)}}(\\.\\d{1,${String(decimals)}})?$`,
    'x-wording': `must be a number, or its digits as a string, with at most ${String(decimals)} decimals`,
    description: `${description} A number, or its digits as a string, with at most ${String(decimals)} decimals.`,
    examples: [example],
    ...options,
  })

/** A whole number of a column in a request: a JSON number, a string of its digits, or null. */
const SentWhole = (
  column: typeof taxpayers.dv | typeof taxpayers.type,
  pattern: string,
  description: string,
) => {
  const value: IntegerOptions = valueOf(column)
  return Type.Unsafe<number | string | null>({
    ...value,
    type: ['integer', 'string', 'null'],
    pattern,
    'x-wording': `must be a whole number from ${String(value.minimum)} to ${String(value.maximum)}`,
    description,
  })
}

const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', 'x-wording': 'must not be blank', description })

const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema))

const codes = <Code extends string>(of: Readonly<Record<Code, unknown>>) => Object.keys(of) as Code[]

const authorityCodes =
  'The specification shows no values. These are the codes of the electronic invoices of Panama.'

const Client = Type.Object(
  {
    taxReceiverType: OneOf(RECEIVER_TYPES, {
      description: '01 taxpayer, 02 final consumer, 03 government entity, 04 foreigner.',
    }),
    taxName: optional(
      valueOf(taxpayers.name, {
        'x-wording': 'must not be blank',
        description: 'Required except for a final consumer, whose default is Consumidor final (assumed).',
      }),
    ),
    taxId: optional(
      Ruc({
        description: `The RUC. ${SPELLINGS} Required for 01 and 03. Optional for 02, which also accepts CIP-000-000-0000. Not allowed for 04 (assumed).`,
      }),
    ),
    taxDv: Type.Optional(
      SentWhole(
        taxpayers.dv,
        '^\\d{1,2}$',
        'The check digit of taxId. Required for 01 and 03. It must match taxId. 8 and "08" are equal (assumed).',
      ),
    ),
    taxIdType: Type.Optional(
      SentWhole(
        taxpayers.type,
        '^0?[12]$',
        `The type of the taxpayer. ${WHICH_TYPE} It must match taxId. Without it, taxDv decides whose number taxId is (assumed).`,
      ),
    ),
    email: optional(
      Type.String({ format: 'email', description: 'The address that receives the invoice (assumed).' }),
    ),
    foreignTaxId: optional(
      Assumed(
        'The specification shows that it identifies a foreigner, but not its place in the body.',
        Text(LONGEST_FOREIGN_ID, 'Only for 04, which requires foreignTaxId or passport.'),
      ),
    ),
    passport: optional(
      Assumed(
        'The specification shows that it identifies a foreigner, but not its place in the body.',
        Text(LONGEST_FOREIGN_ID, 'Only for 04, which requires foreignTaxId or passport.'),
      ),
    ),
    country: optional(
      Assumed(
        'The specification shows that only passport requires it, but not its form. The simulator uses ISO 3166-1 alpha-2.',
        Type.String({ format: 'iso-3166', description: 'Required with passport.' }),
      ),
    ),
  },
  { examples: [{ taxReceiverType: '02' }] },
)

const Tax = Type.Object({
  code: OneOf(codes<TaxCode>(ITBMS_RATES), {
    ...assumedValues(authorityCodes, ...codes<TaxCode>(ITBMS_RATES)),
    description: 'The ITBMS rate. 00: exempt. 01: 7 %. 02: 10 %. 03: 15 %.',
    examples: ['01'],
  }),
})

const SentItem = Type.Object({
  description: Text(LONGEST_DESCRIPTION, 'The name of the item.'),
  qty: SentDecimal(99_999_999, 6, 'More than 0.', 2, {
    exclusiveMinimum: 0,
    pattern: '^(?!0{1,8}(\\.0{1,6})?$)\\d{1,8}(\\.\\d{1,6})?$',
    'x-wording': 'must be more than 0: a number, or its digits as a string, with at most 6 decimals',
  }),
  price: SentDecimal(9_999_999_999, 6, 'The unit price without tax, in balboas.', 149.9),
  taxes: Type.Optional(
    Type.Array(Tax, {
      maxItems: 1,
      description: 'At most one ITBMS code. Without a code, the item is exempt (assumed).',
    }),
  ),
})

const SentPayment = Type.Object({
  type: OneOf(codes<PaymentType>(PAYMENT_TYPES), {
    ...assumedValues(authorityCodes, ...codes<PaymentType>(PAYMENT_TYPES)),
    description: Object.entries(PAYMENT_TYPES)
      .map(([code, title]) => `${code} ${title.toLowerCase()}`)
      .join(', '),
    examples: ['02'],
  }),
  amount: SentDecimal(9_999_999_999.99, 2, 'In balboas.', 320.79),
})

export const InvoiceCreate = named(
  'InvoiceCreate',
  Type.Object(
    {
      branchId: Type.Unsafe<number | string>({
        ...valueOf(invoices.branchId),
        type: ['integer', 'string'],
        minimum: 0,
        maximum: 999_999_999,
        'x-wording': 'must not be blank',
        description:
          'The branch that issues the invoice, as a number or a string. Its last four digits are part of the CUFE (assumed).',
      }),
      client: Client,
      items: Type.Array(SentItem, { minItems: 1, maxItems: 1000, description: '1 to 1,000 (assumed).' }),
      payments: Type.Array(SentPayment, {
        minItems: 1,
        maxItems: 20,
        description: '1 to 20 (assumed). They must add up to the total.',
      }),
    },
    {
      examples: [
        {
          branchId: '0001',
          client: {
            taxReceiverType: '01',
            taxName: 'Canal Logistics',
            taxId: '155712345-2-2022',
            taxDv: 12,
            taxIdType: 2,
            email: 'compras@example.com',
          },
          items: [{ description: 'Office chair', qty: 2, price: 149.9, taxes: [{ code: '01' }] }],
          payments: [{ type: '02', amount: 320.79 }],
        },
      ],
    },
  ),
)
