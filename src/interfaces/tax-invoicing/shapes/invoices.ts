/** Invoices on the wire. Specification part 2, "Tax invoicing", "Tax invoice cancellation". */
import { Type } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../../http/schemas/schemas.ts'
import { demoId, Id } from '../../../http/schemas/wireShapes.ts'
import { lookupBy } from '../../../http/shapes/fields.ts'
import { made, madeFrom, shape } from '../../../http/shapes/shape.ts'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { lastCancellations } from '../../../state/tax-invoicing/invoices/cancellations.ts'
import { invoices as invoiceRecords } from '../../../state/tax-invoicing/invoices/invoices.ts'
import type {
  Concept as StoredConcept,
  Relation as StoredRelation,
} from '../../../state/tax-invoicing/jsonColumns.ts'
import { cancellations, invoices } from '../../../state/tax-invoicing/tables.ts'
import { decisionAddress, fileAddress } from '../addresses.ts'
import { amount, Decimal, numberOrNull } from './common.ts'
import { TaxLines, taxLinesView } from './taxes.ts'

export const Uuid = (options: object = {}) =>
  Type.String({
    maxLength: 36,
    description: 'In upper case, as the authority writes it.',
    examples: ['5F6B7C8D-2A3B-4C4D-8E5F-000000000001'],
    ...options,
  })

const Concept = named(
  'Concept',
  Type.Object({
    clave_prod_serv: Type.String({ examples: ['56101500'] }),
    no_identificacion: Assumed(
      'The XML has this field. The specification does not show it.',
      Nullable(Type.String()),
    ),
    descripcion: Type.String({ examples: ['Office chair'] }),
    cantidad: Decimal(1),
    clave_unidad: Type.String({ examples: ['H87'] }),
    unidad: Assumed('The XML has this field. The specification does not show it.', Nullable(Type.String())),
    valor_unitario: Decimal(1000),
    importe: Decimal(1000),
    descuento: Nullable(Decimal(0)),
    objeto_imp: Type.String({ examples: ['02'] }),
    impuestos: TaxLines,
  }),
)

const conceptView = (concept: StoredConcept) => ({
  clave_prod_serv: concept.claveProdServ,
  no_identificacion: concept.noIdentificacion,
  descripcion: concept.descripcion,
  cantidad: Number(concept.cantidad),
  clave_unidad: concept.claveUnidad,
  unidad: concept.unidad,
  valor_unitario: Number(concept.valorUnitario),
  importe: Number(concept.importe),
  descuento: numberOrNull(concept.descuento),
  objeto_imp: concept.objetoImp,
  impuestos: taxLinesView(concept.impuestos),
})

const REQUEST_ONLY = 'Shown only in the request.'

const Cancellation = shape({ item: 'Cancellation' }, cancellations, {
  fields: () => ({
    motivo: { assumed: REQUEST_ONLY },
    uuid_sustitucion: { schema: Uuid(), assumed: REQUEST_ONLY },
    status: {},
    requested_at: {},
    resolved_at: { assumed: 'Not shown: the time of the decision.' },
    expires_at: made(
      Assumed(
        'Not shown: the deadline. If the recipient has not responded by then, the invoice is cancelled.',
        Nullable(Instant()),
      ),
      [cancellations.dueAt],
      ([dueAt]) => isoOrNull(dueAt),
    ),
    resolved_by: { assumed: 'Not shown: who decided.' },
    decision_url: made(
      Assumed(
        'Not shown: the page where a person acts as the recipient. null after the decision.',
        Nullable(Type.String({ format: 'uri' })),
      ),
      [cancellations.status, cancellations.invoiceId],
      ([status, invoiceId], workspace) =>
        status === 'pending_acceptance'
          ? decisionAddress(workspace, invoiceRecords.get(workspace, invoiceId))
          : null,
    ),
  }),
})

const Relation = named(
  'Relation',
  Type.Object({ tipo_relacion: Type.String({ examples: ['01'] }), uuids: Type.Array(Uuid()) }),
)

export const Relations = (why: string) => Assumed(why, Type.Array(Relation))

export const relationsView = (relations: readonly StoredRelation[]) =>
  relations.map(({ tipoRelacion, uuids }) => ({ tipo_relacion: tipoRelacion, uuids: [...uuids] }))

export const CREATE_ONLY = 'Shown only in the response to a create.'

export const FileLink = (kind: 'xml' | 'pdf') =>
  Type.String({
    format: 'uri',
    description: `The URL of the ${kind.toUpperCase()}. Reading it requires a key.`,
  })

const fileLink = (kind: 'xml' | 'pdf', schema = FileLink(kind)) =>
  made(schema, [invoices.id], ([id], workspace) => fileAddress(workspace, `/invoices/${id}`, kind))

const assumedLink = (kind: 'xml' | 'pdf') => fileLink(kind, Assumed(CREATE_ONLY, FileLink(kind)))

/** The first fields of every stamped document. */
const stampedFields = () => ({
  id: { schema: Id('inv_') },
  uuid: { schema: Uuid() },
  serie: { words: { examples: ['A'] } },
  folio: { schema: Type.Integer({ minimum: 1 }) },
  type: {},
  status: {},
})

const timbradoAt = () => made(Instant(), [invoices.stampedAt], ([stampedAt]) => iso(stampedAt))

export const Invoice = shape({ item: 'Invoice' }, invoices, {
  fields: () => ({
    ...stampedFields(),
    date: {},
    emisor: made(
      Type.Object({ rfc: Type.String(), nombre: Type.String(), regimen_fiscal: Type.String() }),
      [invoices.emisor],
      ([{ rfc, nombre, regimenFiscal }]) => ({ rfc, nombre, regimen_fiscal: regimenFiscal }),
    ),
    receptor: made(
      Type.Object({
        rfc: Type.String(),
        nombre: Type.String(),
        regimen_fiscal: Type.String(),
        domicilio_fiscal: Type.String(),
        uso_cfdi: Type.String(),
      }),
      [invoices.receptor],
      ([{ rfc, nombre, regimenFiscal, domicilioFiscal, usoCfdi }]) => ({
        rfc,
        nombre,
        regimen_fiscal: regimenFiscal,
        domicilio_fiscal: domicilioFiscal,
        uso_cfdi: usoCfdi,
      }),
    ),
    conceptos: made(Type.Array(Concept), [invoices.conceptos], ([concepts]) => concepts.map(conceptView)),
    cfdi_relacionados: made(
      Relations('Not shown: the invoices that a credit note or a substitute relates to.'),
      [invoices.relaciones],
      ([relations]) => relationsView(relations),
    ),
    subtotal: amount(invoices.subtotal, 1000),
    descuento: made(
      Assumed(
        'Not shown for the whole invoice: the sum of the discounts of the lines.',
        Nullable(Decimal(0)),
      ),
      [invoices.descuento],
      ([text]) => numberOrNull(text),
    ),
    total_impuestos_trasladados: amount(invoices.totalTrasladados, 160),
    total_impuestos_retenidos: amount(invoices.totalRetenidos, 0),
    total: amount(invoices.total, 1160),
    moneda: { words: { examples: ['MXN'] } },
    tipo_cambio: made(
      Nullable(Decimal(1, { description: 'Pesos for one unit of the currency.' })),
      [invoices.tipoCambio],
      ([text]) => numberOrNull(text),
    ),
    metodo_pago: { words: { examples: ['PUE'] } },
    forma_pago: { words: { examples: ['03'] } },
    lugar_expedicion: { words: { examples: ['42501'] } },
    exportacion: { words: { examples: ['01'] } },
    cancellation: madeFrom(
      {
        ...Nullable(Cancellation.item),
        description: 'The last request; null if no cancellation was requested (assumed).',
      },
      lookupBy(invoices.id, lastCancellations),
      (last, workspace) => (last ? Cancellation.view(last, workspace) : null),
    ),
    created_at: {},
    timbrado_at: timbradoAt(),
    xml_url: assumedLink('xml'),
    pdf_url: assumedLink('pdf'),
  }),
})

export const CreatedInvoice = shape({ item: 'CreatedInvoice' }, invoices, {
  fields: () => ({
    ...stampedFields(),
    subtotal: amount(invoices.subtotal, 1000),
    total: amount(invoices.total, 1160),
    timbrado_at: timbradoAt(),
    xml_url: fileLink('xml'),
    pdf_url: fileLink('pdf'),
  }),
})

/** The example is a small invoice of the demo workspace without related documents, so it can be cancelled immediately. */
export const InvoiceId = Type.Object({ invoice_id: Id('inv_', { examples: [demoId('inv_', 8)] }) })
