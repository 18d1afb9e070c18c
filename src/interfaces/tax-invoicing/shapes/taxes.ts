/** Taxes on the wire. They are JSON in their columns, with decimals as texts, so their views are written by hand. */
import { Type, type StringOptions } from '@sinclair/typebox'
import { Assumed, assumedValues, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import {
  FACTORS,
  MAX_TAXES,
  type Tax as StoredTax,
  type TaxLine as StoredLine,
  type Taxes as StoredTaxes,
} from '../../../state/tax-invoicing/jsonColumns.ts'
import { Decimal, numberOrNull, SentDecimal } from './common.ts'

/** How a tax is computed. */
export const Factor = (options: StringOptions = {}) =>
  OneOf(FACTORS, {
    ...assumedValues('The specification shows no values. These are those of the XML.', ...FACTORS),
    ...options,
  })

/** A tax of a line or product in a request. */
const sentTax = {
  impuesto: Type.String({
    maxLength: 3,
    description: '001 ISR, 002 IVA, 003 IEPS.',
    examples: ['002'],
  }),
  tipo_factor: Factor({ examples: ['Tasa'] }),
  tasa: Type.Optional(
    Nullable(
      SentDecimal(0.16, { description: 'At most six decimals. Leave it out if tipo_factor is Exento.' }),
    ),
  ),
}

export const SentTax = named('SentTax', Type.Object(sentTax))

export const SentTaxes = named(
  'SentTaxes',
  Type.Object({
    traslados: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES })),
    retenciones: Type.Optional(Type.Array(SentTax, { maxItems: MAX_TAXES, examples: [[]] })),
  }),
)

const ofProduct =
  'The specification does not show the fields of the taxes of a product. They are those of the lines of a new invoice.'

export const SentProductTaxes = named(
  'SentProductTaxes',
  Type.Object({
    traslados: Type.Optional(Type.Array(Assumed(ofProduct, SentTax), { maxItems: MAX_TAXES })),
    retenciones: Type.Optional(
      Type.Array(Assumed(ofProduct, SentTax), { maxItems: MAX_TAXES, examples: [[]] }),
    ),
  }),
)

/** A tax of a product in a response. */
export const Tax = named(
  'Tax',
  Type.Object({
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: Factor(),
    tasa: Nullable(Decimal(0.16)),
  }),
)

export const Taxes = named(
  'Taxes',
  Type.Object({
    traslados: Type.Array(Assumed(ofProduct, Tax)),
    retenciones: Type.Array(Assumed(ofProduct, Tax)),
  }),
)

/** A tax of an invoice in a response. */
const TaxLine = named(
  'TaxLine',
  Type.Object({
    base: Decimal(1000),
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: Factor(),
    tasa: Nullable(Decimal(0.16, { description: 'null if the tax is exempt.' })),
    importe: Nullable(Decimal(160, { description: 'null if the tax is exempt.' })),
  }),
)

export const TaxLines = named(
  'TaxLines',
  Type.Object({ traslados: Type.Array(TaxLine), retenciones: Type.Array(TaxLine) }),
)

/** Why the taxes of a paid invoice have their fields. */
export const PAID_TAX =
  'The specification does not show the fields of the taxes of a receipt. They are those of invoice lines.'

/** Why a paid invoice has withheld taxes. */
export const PAID_RETENTIONS = 'The XML has this field. The specification shows only traslados.'

/** The taxes of a paid invoice in a payment receipt. */
export const PaidTaxLines = named(
  'PaidTaxLines',
  Type.Object({
    traslados: Type.Array(Assumed(PAID_TAX, TaxLine)),
    retenciones: Assumed(PAID_RETENTIONS, Type.Array(TaxLine)),
  }),
)

/** Serializes a tax without amounts, as products have it. */
export const taxView = ({ impuesto, tipoFactor, tasa }: StoredTax) => ({
  impuesto,
  tipo_factor: tipoFactor,
  tasa: numberOrNull(tasa),
})

const taxLineView = (line: StoredLine) => ({
  base: Number(line.base),
  ...taxView(line),
  importe: numberOrNull(line.importe),
})

export const taxLinesView = ({ traslados, retenciones }: StoredTaxes) => ({
  traslados: traslados.map(taxLineView),
  retenciones: retenciones.map(taxLineView),
})
