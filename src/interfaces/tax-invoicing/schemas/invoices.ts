/** Wire shapes of invoices. Specification part 2, "Tax invoicing", "Tax invoice cancellation". */
import { Type } from '@sinclair/typebox'
import {
  Assumed,
  Instant,
  named,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { demoId, Id, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { cancellationMachine, invoiceMachine } from '../../../state/tax-invoicing/machines.ts'
import { LONGEST_SERIE, SERIE } from '../../../state/tax-invoicing/shapes.ts'
import { CANCELLATION_REASONS, INVOICE_TYPES } from '../../../state/tax-invoicing/tables.ts'
import { Decimal, FACTORS, ISSUER_ZONE, SentDecimal, SentTaxes, SortOrder } from './common.ts'

export const Uuid = (options: object = {}) =>
  Type.String({
    maxLength: 36,
    description: 'In upper case, as the authority writes it.',
    examples: ['5F6B7C8D-2A3B-4C4D-8E5F-000000000001'],
    ...options,
  })

const TaxLine = named(
  'TaxLine',
  Type.Object({
    base: Decimal(1000),
    impuesto: Type.String({ examples: ['002'] }),
    tipo_factor: OneOf(FACTORS),
    tasa: Nullable(Decimal(0.16, { description: 'null if the tax is exempt.' })),
    importe: Nullable(Decimal(160, { description: 'null if the tax is exempt.' })),
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

export const Cancellation = named(
  'Cancellation',
  Type.Object({
    motivo: OneOf(CANCELLATION_REASONS),
    uuid_sustitucion: Nullable(Uuid()),
    status: Assumed(
      'The specification shows pending_acceptance and rejected. cancelled is the resulting state of the invoice.',
      OneOf(cancellationMachine.states),
    ),
    requested_at: Instant(),
    resolved_at: Assumed('Not shown: the time of the decision.', Nullable(Instant())),
    expires_at: Assumed(
      'Not shown: the deadline. If the recipient has not responded by then, the invoice is cancelled.',
      Nullable(Instant()),
    ),
    resolved_by: Assumed('Not shown: who decided.', Nullable(OneOf(['none_needed', 'recipient', 'clock']))),
    decision_url: Assumed(
      'Not shown: the page where a person acts as the recipient. null after the decision.',
      Nullable(Type.String({ format: 'uri' })),
    ),
  }),
)

const Relation = named(
  'Relation',
  Type.Object({ tipo_relacion: Type.String({ examples: ['01'] }), uuids: Type.Array(Uuid()) }),
)

const Link = (kind: string) =>
  Type.String({ format: 'uri', description: `The URL of the ${kind}. Reading it requires a key.` })

/** The first fields of every stamped document. */
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
      'Not shown: the invoices that a credit note or a substitute relates to.',
      Type.Array(Relation),
    ),
    subtotal: Decimal(1000),
    descuento: Assumed(
      'Not shown for the whole invoice: the sum of the discounts of the lines.',
      Nullable(Decimal(0)),
    ),
    total_impuestos_trasladados: Decimal(160),
    total_impuestos_retenidos: Decimal(0),
    total: Decimal(1160),
    moneda: Type.String({ examples: ['MXN'] }),
    tipo_cambio: Nullable(Decimal(1, { description: 'Pesos for one unit of the currency.' })),
    metodo_pago: Nullable(Type.String({ examples: ['PUE'] })),
    forma_pago: Nullable(Type.String({ examples: ['03'] })),
    lugar_expedicion: Type.String({ examples: ['42501'] }),
    exportacion: Type.String({ examples: ['01'] }),
    cancellation: Assumed(
      'The specification shows cancellation.status and requested_at, not the whole object. It describes the last request; null if no cancellation was requested.',
      Nullable(Cancellation),
    ),
    created_at: Instant(),
    timbrado_at: Instant(),
    xml_url: Assumed('Shown only in the response to a create.', links.xml_url),
    pdf_url: Assumed('Shown only in the response to a create.', links.pdf_url),
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

/** The example is a small invoice of the demo workspace without related documents, so it can be cancelled immediately. */
export const InvoiceId = Type.Object({ invoice_id: Id('inv_', { examples: [demoId('inv_', 8)] }) })

// ---------------------------------------------------------------- request bodies

/** A text of the XML. It can't contain "|", the separator of the sealed text, and can't be blank. */
export const XmlText = (maxLength: number, example: string, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\s\\u0000-\\u001f\\ufffe\\uffff]*[^|\\s\\u0000-\\u001f\\ufffe\\uffff][^|]*$',
    'x-wording': 'must contain at least one non-blank character and no |',
    examples: [example],
    ...options,
  })

/** A key of a catalog. Unknown keys pass the schema; the state refuses them with the authority's code. */
const Key = (catalog: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 20,
    description: `A key of the catalog ${catalog}.`,
    examples: [example],
  })

export const SentUuid = (options: object = {}) =>
  Type.String({
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
    'x-wording': 'must be a UUID',
    ...options,
  })

export const SentSerie = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: LONGEST_SERIE,
    pattern: SERIE,
    'x-wording': 'must contain no | and no line breaks, and only single spaces between words',
    description,
    examples: ['A'],
  })

const lengths = 'The specification shows no maximum length. The simulator uses the maximum length of the XML.'

const foreign = 'The XML has this field for foreign recipients. The specification does not show it.'

/** A taxpayer of the registry that is also a client of the demo workspace. */
const RECIPIENT = {
  rfc: 'URE180429TM6',
  nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
  regimen_fiscal: '601',
  domicilio_fiscal: '86991',
  uso_cfdi: 'G03',
}

const SentRecipient = named(
  'SentRecipient',
  Type.Object(
    {
      rfc: Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'The stamped tax id is in upper case, without spaces and dashes (assumed).',
        examples: ['URE180429TM6'],
      }),
      nombre: Assumed(
        lengths,
        XmlText(300, 'UNIVERSIDAD ROBOTICA ESPAÑOLA', {
          description: 'The exact name in the registry of the authority.',
        }),
      ),
      regimen_fiscal: Key('c_RegimenFiscal', '601'),
      domicilio_fiscal: Type.String({
        pattern: '^\\d{5}$',
        'x-wording': 'must be a postal code of five digits',
        description: 'For XAXX010101000 and XEXX010101000, use the postal code of the issuer.',
        examples: ['86991'],
      }),
      uso_cfdi: Key('c_UsoCFDI', 'G03'),
      residencia_fiscal: Type.Optional(
        Nullable(
          Assumed(foreign, Type.String({ maxLength: 3, description: 'A key of the catalog c_Pais.' })),
        ),
      ),
      num_reg_id_trib: Type.Optional(Nullable(Assumed(foreign, XmlText(40, '121585958')))),
    },
    { examples: [RECIPIENT] },
  ),
)

/** The maximum number of lines of an invoice. */
export const MAX_CONCEPTS = 200

const SentConcept = named(
  'SentConcept',
  Type.Object({
    clave_prod_serv: Key('c_ClaveProdServ', '56101500'),
    no_identificacion: Type.Optional(
      Nullable(
        Assumed('The XML has this field. The specification does not show it.', XmlText(100, 'CHAIR-01')),
      ),
    ),
    descripcion: Assumed(lengths, XmlText(1000, 'Office chair')),
    cantidad: SentDecimal(1, { minimum: 0.000001 }),
    clave_unidad: Key('c_ClaveUnidad', 'H87'),
    unidad: Type.Optional(
      Nullable(Assumed('The XML has this field. The specification does not show it.', XmlText(20, 'Pieza'))),
    ),
    valor_unitario: SentDecimal(1500),
    importe: Type.Optional(
      Nullable(
        SentDecimal(1500, {
          description: 'Default is cantidad times valor_unitario. Any other value is refused (assumed).',
        }),
      ),
    ),
    descuento: Type.Optional(Nullable(SentDecimal(0))),
    objeto_imp: Key('c_ObjetoImp', '02'),
    impuestos: Type.Optional(Nullable(SentTaxes)),
  }),
)

const SentRelation = named(
  'SentRelation',
  Type.Object({
    tipo_relacion: Key('c_TipoRelacion', '01'),
    uuids: Type.Array(SentUuid(), { minItems: 1, maxItems: 100 }),
  }),
)

export const InvoiceCreate = named(
  'InvoiceCreate',
  Type.Object({
    type: OneOf(['I', 'E', 'T'], {
      description: 'To stamp a payment receipt (type P), use POST /payment-receipts.',
      examples: ['I'],
    }),
    receptor: SentRecipient,
    conceptos: Type.Array(SentConcept, {
      minItems: 1,
      maxItems: MAX_CONCEPTS,
      description: `At most ${String(MAX_CONCEPTS)} (assumed).`,
    }),
    metodo_pago: Type.Optional(Nullable(Key('c_MetodoPago', 'PUE'))),
    forma_pago: Type.Optional(Nullable(Key('c_FormaPago', '03'))),
    moneda: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 3,
        description: 'A key of the catalog c_Moneda. Default is MXN, or XXX for transfers (assumed).',
        examples: ['MXN'],
      }),
    ),
    tipo_cambio: Type.Optional(Nullable(SentDecimal(1, { minimum: 0.000001, digits: 6 }))),
    exportacion: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2,
        description: 'A key of the catalog c_Exportacion. Default is 01 (assumed).',
        examples: ['01'],
      }),
    ),
    serie: Type.Optional(SentSerie('Default is A, NC for credit notes, or T for transfers (assumed).')),
    cfdi_relacionados: Type.Optional(
      Assumed(
        'Not shown: the invoices that a credit note or a substitute relates to.',
        Type.Array(SentRelation, { maxItems: 10, examples: [[]] }),
      ),
    ),
    enviar_email: Type.Optional(
      Type.Boolean({
        description: 'Sends the XML and the PDF to the client with this tax id if it has an e-mail address.',
      }),
    ),
  }),
)

export const SORTS = ['date', 'total', 'folio', 'receptor'] as const

export const InvoiceQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(OneOf(INVOICE_TYPES)),
  status: Type.Optional(OneOf(invoiceMachine.states)),
  receptor_rfc: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'Case-insensitive. Spaces and dashes are ignored (assumed).',
      examples: ['URE180429TM6'],
    }),
  ),
  from: Type.Optional(
    SentInstant({ description: 'Issued on this day or later.', examples: ['2026-01-01'] }, ISSUER_ZONE),
  ),
  to: Type.Optional(
    SentEnd({ description: 'Issued on this day or earlier.', examples: ['2036-12-31'] }, ISSUER_ZONE),
  ),
  series: Type.Optional(Type.String({ maxLength: LONGEST_SERIE, examples: ['A'] })),
  search: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'A UUID or at least eight characters of it, a folio with or without its series (1, A1, A-1), or a part of the name of the recipient. Ignores case and accents.',
    }),
  ),
  sort_by: OneOf(SORTS, { default: 'date', description: 'Default is date (assumed).' }),
  sort_order: Type.Optional(SortOrder('desc')),
})

export const CancelBody = named(
  'InvoiceCancel',
  Type.Object(
    {
      motivo: OneOf(CANCELLATION_REASONS, {
        description:
          '01: errors, with a substitute. 02: errors, without a substitute. 03: the operation did not take place. 04: the operation is part of an invoice to the public.',
        examples: ['02'],
      }),
      uuid_sustitucion: Type.Optional(
        Nullable(
          SentUuid({
            description: 'The UUID of the active invoice that replaces this one. Required if motivo is 01.',
          }),
        ),
      ),
    },
    { examples: [{ motivo: '02' }] },
  ),
)
