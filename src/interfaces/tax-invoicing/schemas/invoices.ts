/** Wire shapes of invoices. Specification part 2, "Tax invoicing", "Tax invoice cancellation". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable, OneOf } from '../../../http/schemas.ts'
import { cancellationMachine, invoiceMachine } from '../../../state/tax-invoicing/machines.ts'
import { CANCELLATION_REASONS, INVOICE_TYPES } from '../../../state/tax-invoicing/tables.ts'
import { Decimal, FACTORS, Id } from './common.ts'

export const Uuid = (options: object = {}) =>
  Type.String({
    maxLength: 36,
    description: 'As the authority writes it, in upper case.',
    examples: ['5F6B7C8D-2A3B-4C4D-8E5F-000000000001'],
    ...options,
  })

const TaxLine = named(
  'TaxLine',
  Type.Object({
    base: Decimal(1000),
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: OneOf(FACTORS),
    tasa: Nullable(Decimal(0.16, { description: 'null where it is exempt.' })),
    importe: Nullable(Decimal(160, { description: 'null where it is exempt.' })),
  }),
)

export const TaxLines = named(
  'TaxLines',
  Type.Object({ traslados: Type.Array(TaxLine), retenciones: Type.Array(TaxLine) }),
)

const Concept = named(
  'Concept',
  Type.Object({
    clave_prod_serv: Type.String({ examples: ['56101500'] }),
    no_identificacion: Assumed('Of the XML; not among the fields shown.', Nullable(Type.String())),
    descripcion: Type.String({ examples: ['Office chair'] }),
    cantidad: Decimal(1),
    clave_unidad: Type.String({ examples: ['H87'] }),
    unidad: Assumed('Of the XML; not among the fields shown.', Nullable(Type.String())),
    valor_unitario: Decimal(1000),
    importe: Decimal(1000),
    descuento: Nullable(Decimal(0)),
    objeto_imp: Type.String({ examples: ['02'] }),
    impuestos: TaxLines,
  }),
)

export const Cancellation = named(
  'Cancellation',
  Type.Object({
    motivo: OneOf(CANCELLATION_REASONS),
    uuid_sustitucion: Nullable(Uuid()),
    status: Assumed(
      'pending_acceptance and rejected are shown; cancelled is the state that the invoice comes to.',
      OneOf(cancellationMachine.states),
    ),
    requested_at: Instant(),
    resolved_at: Assumed('Not shown: when it was decided.', Nullable(Instant())),
    expires_at: Assumed('Not shown: when silence counts as consent.', Nullable(Instant())),
    resolved_by: Assumed('Not shown: who decided.', Nullable(OneOf(['none_needed', 'recipient', 'clock']))),
  }),
)

const Relation = named(
  'Relation',
  Type.Object({ tipo_relacion: Type.String({ examples: ['01'] }), uuids: Type.Array(Uuid()) }),
)

const Link = (kind: string) =>
  Type.String({ format: 'uri', description: `Where its ${kind} is read, with a key.` })

/** What an invoice is told with when it was made. */
export const stampedFields = {
  id: Id('inv_'),
  uuid: Uuid(),
  serie: Type.String({ examples: ['A'] }),
  folio: Type.Integer({ minimum: 1 }),
  type: OneOf(INVOICE_TYPES),
  status: OneOf(invoiceMachine.states),
}

export const links = { xml_url: Link('XML'), pdf_url: Link('PDF') }

export const Invoice = named(
  'Invoice',
  Type.Object({
    ...stampedFields,
    date: Instant(),
    emisor: Type.Object({ rfc: Type.String(), nombre: Type.String(), regimen_fiscal: Type.String() }),
    receptor: Type.Object({
      rfc: Type.String(),
      nombre: Type.String(),
      regimen_fiscal: Type.String(),
      domicilio_fiscal: Type.String(),
      uso_cfdi: Type.String(),
    }),
    conceptos: Type.Array(Concept),
    cfdi_relacionados: Assumed(
      'Not shown: what credit notes and substitutes refer to.',
      Type.Array(Relation),
    ),
    subtotal: Decimal(1000),
    descuento: Assumed('Not shown as a total: the sum of those of the lines.', Nullable(Decimal(0))),
    total_impuestos_trasladados: Decimal(160),
    total_impuestos_retenidos: Decimal(0),
    total: Decimal(1160),
    moneda: Type.String({ examples: ['MXN'] }),
    tipo_cambio: Nullable(Decimal(1, { description: 'Pesos for one of the currency.' })),
    metodo_pago: Nullable(Type.String({ examples: ['PUE'] })),
    forma_pago: Nullable(Type.String({ examples: ['03'] })),
    lugar_expedicion: Type.String({ examples: ['42501'] }),
    exportacion: Type.String({ examples: ['01'] }),
    cancellation: Assumed(
      'cancellation.status and requested_at are shown, not the whole: the last request; null where there was none.',
      Nullable(Cancellation),
    ),
    created_at: Instant(),
    timbrado_at: Instant(),
    xml_url: Assumed('Shown of the answer to a create.', links.xml_url),
    pdf_url: Assumed('Shown of the answer to a create.', links.pdf_url),
  }),
)

export const CreatedInvoice = named(
  'CreatedInvoice',
  Type.Object({
    ...stampedFields,
    subtotal: Decimal(1000),
    total: Decimal(1160),
    timbrado_at: Instant(),
    ...links,
  }),
)

export const InvoiceId = Type.Object({ invoice_id: Id('inv_') })
