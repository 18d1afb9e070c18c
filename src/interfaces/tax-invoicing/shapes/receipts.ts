/**
 * Payment receipts on the wire. Specification part 2, "Tax invoicing". Written by hand, because a receipt has the fields of two
 * records and of their documents, with decimals as texts.
 */
import { Type, type TProperties } from '@sinclair/typebox'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { EQUIVALENCE_DECIMALS } from '../../../state/tax-invoicing/documents/amounts.ts'
import { LONGEST_SERIE, MAX_TAXES } from '../../../state/tax-invoicing/jsonColumns.ts'
import { invoices, receipts } from '../../../state/tax-invoicing/tables.ts'
import { ISSUER_TIMEZONE } from '../../../state/tax-invoicing/taxpayers/issuer.ts'
import { daysQuery, Decimal, ISSUER_ZONE, pageQuery, recipientQuery, SentDecimal, xmlText } from './common.ts'
import { SentRelations, SentSerie, SentUuid } from './invoiceBodies.ts'
import { CREATE_ONLY, FileLink, Relations, Uuid } from './invoices.ts'
import { Factor, PAID_RETENTIONS, PAID_TAX, PaidTaxLines } from './taxes.ts'

/** The number of the first receipt of the demo workspace. */
const DEMO_RECEIPT = 7

const id = Id('inv_', { examples: [demoId('inv_', DEMO_RECEIPT)] })

/** The first fields, which are those of the invoice. */
const stamped = {
  id,
  uuid: Uuid(),
  serie: Type.String({ examples: ['A'] }),
  folio: Type.Integer({ minimum: 1 }),
  type: valueOf(invoices.type),
  status: valueOf(invoices.status),
}

/** Labels fields that the specification shows only in the response to a create. */
const createOnly = <Fields extends TProperties>(fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, Assumed(CREATE_ONLY, field)]),
  ) as Fields

const links = { xml_url: FileLink('xml'), pdf_url: FileLink('pdf') }

const RelatedDocument = named(
  'RelatedDocument',
  Type.Object({
    uuid_factura: Uuid(),
    serie: Type.String({ examples: ['A'] }),
    folio: Type.Integer({ minimum: 1 }),
    moneda_dr: Type.String({ examples: ['MXN'] }),
    equivalencia_dr: Assumed('The XML has this field. The specification does not show it.', Decimal(1)),
    num_parcialidad: Type.Integer({ minimum: 1 }),
    saldo_anterior: Decimal(1160),
    importe_pagado: Decimal(580),
    saldo_insoluto: Decimal(580),
    objeto_imp_dr: Type.String({ examples: ['02'] }),
    impuestos_dr: PaidTaxLines,
  }),
)

/** A partially paid invoice of the demo workspace. */
const PAYABLE = '5F6B7C8D-2A3B-4C4D-8E5F-000000000002'

const REPLACED = 'Not shown: the documents that the receipt relates to.'

const bank = () => Nullable(Type.String())

export const PaymentReceipt = named(
  'PaymentReceipt',
  Type.Object({
    ...createOnly(stamped),
    receptor: Assumed(
      'Not shown: the recipient of the paid invoices.',
      Type.Object({ rfc: Type.String(), nombre: Type.String() }),
    ),
    fecha_pago: Instant(),
    forma_pago: Type.String({ examples: ['03'] }),
    moneda: Type.String({ examples: ['MXN'] }),
    tipo_cambio: Assumed('The XML has this field. The specification does not show it.', Decimal(1)),
    monto: Decimal(580),
    numero_operacion: bank(),
    rfc_banco_ordenante: bank(),
    cuenta_ordenante: bank(),
    rfc_banco_beneficiario: bank(),
    cuenta_beneficiaria: bank(),
    documentos_relacionados: Type.Array(RelatedDocument),
    cfdi_relacionados: Relations(REPLACED),
    created_at: Assumed('Not shown. Invoices have the same field.', Instant()),
    ...createOnly({ timbrado_at: Instant(), ...links }),
  }),
)

export const CreatedReceipt = named(
  'CreatedPaymentReceipt',
  Type.Object({ ...stamped, monto: Decimal(580), timbrado_at: Instant(), ...links }),
)

// ---------------------------------------------------------------- request bodies

const COMPUTED = 'The server computes missing fields. Given fields must match the computed values (assumed).'

const SentTaxLine = named(
  'SentTaxLine',
  Type.Object({
    base: SentDecimal(500, { minimum: 0.000001 }),
    impuesto: Type.String({ maxLength: 3, examples: ['002'] }),
    tipo_factor: Factor({ examples: ['Tasa'] }),
    tasa: Type.Optional(Nullable(SentDecimal(0.16))),
    importe: Type.Optional(Nullable(SentDecimal(80))),
  }),
)

const SentTaxLines = Type.Object({
  traslados: Type.Optional(Type.Array(Assumed(PAID_TAX, SentTaxLine), { maxItems: MAX_TAXES })),
  retenciones: Type.Optional(
    Assumed(PAID_RETENTIONS, Type.Array(SentTaxLine, { maxItems: MAX_TAXES, examples: [[]] })),
  ),
})

const SentDocument = named(
  'SentRelatedDocument',
  Type.Object(
    {
      uuid_factura: SentUuid({ examples: [PAYABLE] }),
      serie: Type.Optional(Nullable(Type.String({ maxLength: LONGEST_SERIE, examples: ['A'] }))),
      folio: Type.Optional(
        Nullable(
          Type.Unsafe<number | string>({
            type: ['integer', 'string'],
            maxLength: 40,
          }),
        ),
      ),
      moneda_dr: Type.Optional(Nullable(Type.String({ maxLength: 3, examples: ['MXN'] }))),
      equivalencia_dr: Type.Optional(
        Nullable(
          Assumed(
            'The XML has this field. The specification does not show it. Units of the currency of the invoice for one unit of the currency of the payment.',
            SentDecimal(1, { minimum: 1e-10, digits: 6, decimals: EQUIVALENCE_DECIMALS }),
          ),
        ),
      ),
      num_parcialidad: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 999, examples: [2] }))),
      saldo_anterior: Type.Optional(Nullable(SentDecimal(580))),
      importe_pagado: SentDecimal(100, { minimum: 0.000001 }),
      saldo_insoluto: Type.Optional(Nullable(SentDecimal(480))),
      objeto_imp_dr: Type.Optional(Nullable(Type.String({ maxLength: 2, examples: ['02'] }))),
      impuestos_dr: Type.Optional(
        Nullable({
          ...SentTaxLines,
          description: 'Default is the share of the taxes of the invoice (assumed).',
        }),
      ),
    },
    { description: COMPUTED, examples: [{ uuid_factura: PAYABLE, importe_pagado: 100 }] },
  ),
)

const bankField = <Of extends SQLiteColumn>(column: Of) =>
  Type.Optional(Nullable(valueOf(column, { examples: [null] })))

export const ReceiptCreate = named(
  'PaymentReceiptCreate',
  Type.Object({
    fecha_pago: Type.String({
      format: 'instant',
      'x-zone': ISSUER_TIMEZONE,
      description: `From 2010 to 2099. A date alone is noon of its day. Without an offset, the time is in the time zone of ${ISSUER_ZONE} (assumed).`,
      examples: ['2026-11-19'],
    }),
    forma_pago: Type.String({
      minLength: 1,
      maxLength: 2,
      description: 'A key of the catalog c_FormaPago, except 99.',
      examples: ['03'],
    }),
    moneda: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 3,
        description: 'Default is MXN (assumed).',
        examples: ['MXN'],
      }),
    ),
    tipo_cambio: Type.Optional(
      Nullable(
        Assumed(
          'The XML has this field. The specification does not show it.',
          SentDecimal(1, {
            minimum: 0.000001,
            digits: 6,
            description: 'Pesos for one unit of the currency.',
          }),
        ),
      ),
    ),
    monto: SentDecimal(100, { minimum: 0.000001 }),
    numero_operacion: Type.Optional(Nullable(valueOf(receipts.numeroOperacion, xmlText('0001')))),
    rfc_banco_ordenante: bankField(receipts.rfcBancoOrdenante),
    cuenta_ordenante: bankField(receipts.cuentaOrdenante),
    rfc_banco_beneficiario: bankField(receipts.rfcBancoBeneficiario),
    cuenta_beneficiaria: bankField(receipts.cuentaBeneficiaria),
    documentos_relacionados: Type.Array(SentDocument, { minItems: 1, maxItems: 100 }),
    cfdi_relacionados: SentRelations(
      'Not shown: the documents that the receipt relates to. With 04, it takes the place of an active receipt, with its installments and balances.',
    ),
    serie: Type.Optional(Assumed('The specification does not show this field.', SentSerie('Default is P.'))),
  }),
)

export const ReceiptId = Type.Object({ payment_receipt_id: id })

export const ReceiptQuery = Type.Object({
  ...pageQuery,
  // Dates, as in the list of invoices (assumed).
  ...daysQuery('Stamped'),
  ...recipientQuery,
  invoice_uuid: Type.Optional(
    Uuid({ description: 'Only receipts that pay this invoice.', examples: [PAYABLE] }),
  ),
})
