/** Wire shapes of payment receipts. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas.ts'
import { Decimal, Id } from './common.ts'
import { links, stampedFields, TaxLines, Uuid } from './invoices.ts'

const stamped = { ...stampedFields, id: Id('inv_', { examples: ['inv_demo0000000000000009'] }) }

const RelatedDocument = named(
  'RelatedDocument',
  Type.Object({
    uuid_factura: Uuid(),
    serie: Type.String({ examples: ['A'] }),
    folio: Type.Integer({ minimum: 1 }),
    moneda_dr: Type.String({ examples: ['MXN'] }),
    equivalencia_dr: Assumed('Of the XML; not among the fields shown.', Decimal(1)),
    num_parcialidad: Type.Integer({ minimum: 1 }),
    saldo_anterior: Decimal(1160),
    importe_pagado: Decimal(580),
    saldo_insoluto: Decimal(580),
    objeto_imp_dr: Type.String({ examples: ['02'] }),
    impuestos_dr: TaxLines,
  }),
)

const bank = () => Nullable(Type.String())

export const PaymentReceipt = named(
  'PaymentReceipt',
  Type.Object({
    ...stamped,
    receptor: Assumed(
      'Not among the fields shown: whose invoices are paid.',
      Type.Object({ rfc: Type.String(), nombre: Type.String() }),
    ),
    fecha_pago: Instant(),
    forma_pago: Type.String({ examples: ['03'] }),
    moneda: Type.String({ examples: ['MXN'] }),
    tipo_cambio: Assumed('Of the XML; not among the fields shown.', Decimal(1)),
    monto: Decimal(580),
    numero_operacion: bank(),
    rfc_banco_ordenante: bank(),
    cuenta_ordenante: bank(),
    rfc_banco_beneficiario: bank(),
    cuenta_beneficiaria: bank(),
    documentos_relacionados: Type.Array(RelatedDocument),
    created_at: Assumed('As invoices have it.', Instant()),
    timbrado_at: Instant(),
    ...links,
  }),
)

export const CreatedReceipt = named(
  'CreatedPaymentReceipt',
  Type.Object({ ...stamped, monto: Decimal(580), timbrado_at: Instant(), ...links }),
)
