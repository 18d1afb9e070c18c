/**
 * Request bodies and queries of invoices. Specification part 2, "Tax invoicing", "Tax invoice cancellation". Written by
 * hand, because decimals are numbers or texts, and most fields are parts of JSON columns.
 */
import { Type } from '@sinclair/typebox'
import { Assumed, assumedDefault, named, Nullable, OneOf, SearchText } from '../../../http/schemas/schemas.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { LONGEST_SERIE, MAX_CONCEPTS, uuidPattern } from '../../../state/tax-invoicing/jsonColumns.ts'
import { invoiceMachine } from '../../../state/tax-invoicing/machines.ts'
import {
  cancellations,
  INVOICE_TYPES,
  products,
  series,
  taxpayers,
} from '../../../state/tax-invoicing/tables.ts'
import {
  daysQuery,
  pageQuery,
  postalCode,
  recipientQuery,
  SentDecimal,
  SentRfc,
  SortOrder,
  xmlText,
} from './common.ts'
import { SentTaxes } from './taxes.ts'

/** A text of the XML that has no column. */
const SentText = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, ...xmlText(example) })

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
    pattern: uuidPattern('[0-9A-Fa-f]'),
    'x-wording': 'must be a UUID',
    ...options,
  })

export const SentSerie = (description: string) =>
  valueOf(series.serie, {
    minLength: 1,
    'x-wording': 'must contain no | and no line breaks, and only single spaces between words',
    description,
    examples: ['A'],
  })

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
      rfc: SentRfc(
        'The stamped tax id is in upper case, without spaces and dashes (assumed).',
        'URE180429TM6',
      ),
      nombre: valueOf(
        taxpayers.nombre,
        xmlText('UNIVERSIDAD ROBOTICA ESPAÑOLA', {
          description: 'The exact name in the registry of the authority.',
        }),
      ),
      regimen_fiscal: Key('c_RegimenFiscal', '601'),
      domicilio_fiscal: postalCode(
        'For XAXX010101000 and XEXX010101000, use the postal code of the issuer.',
        '86991',
      ),
      uso_cfdi: Key('c_UsoCFDI', 'G03'),
      residencia_fiscal: Type.Optional(
        Nullable(
          Assumed(foreign, Type.String({ maxLength: 3, description: 'A key of the catalog c_Pais.' })),
        ),
      ),
      num_reg_id_trib: Type.Optional(Nullable(Assumed(foreign, SentText(40, '121585958')))),
    },
    { examples: [RECIPIENT] },
  ),
)

const SentConcept = named(
  'SentConcept',
  Type.Object({
    clave_prod_serv: Key('c_ClaveProdServ', '56101500'),
    no_identificacion: Type.Optional(
      Nullable(
        Assumed('The XML has this field. The specification does not show it.', SentText(100, 'CHAIR-01')),
      ),
    ),
    descripcion: valueOf(products.descripcion, xmlText('Office chair')),
    cantidad: SentDecimal(1, { minimum: 0.000001 }),
    clave_unidad: Key('c_ClaveUnidad', 'H87'),
    unidad: Type.Optional(
      Nullable(Assumed('The XML has this field. The specification does not show it.', SentText(20, 'Pieza'))),
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

export const SentRelations = (why: string) =>
  Type.Optional(Assumed(why, Type.Array(SentRelation, { maxItems: 10, examples: [[]] })))

export const InvoiceCreate = named(
  'InvoiceCreate',
  Type.Object({
    type: OneOf(['I', 'E', 'T'], {
      description: 'To stamp a payment receipt (type P), use POST /payment-receipts (assumed).',
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
    cfdi_relacionados: SentRelations(
      'Not shown: the invoices that a credit note or a substitute relates to.',
    ),
    enviar_email: Type.Optional(
      Type.Boolean({
        description: 'Sends the XML and the PDF to the client with this tax id if it has an e-mail address.',
      }),
    ),
  }),
)

export const InvoiceQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(OneOf(INVOICE_TYPES)),
  status: Type.Optional(OneOf(invoiceMachine.states)),
  ...recipientQuery,
  ...daysQuery('Issued'),
  series: Type.Optional(Type.String({ maxLength: LONGEST_SERIE, examples: ['A'] })),
  search: Type.Optional(
    SearchText({
      maxLength: 300,
      description:
        'A UUID or at least eight characters of it, with or without dashes, a folio with or without its series (1, A1, A-1), or a part of the name of the recipient. Ignores case and accents.',
    }),
  ),
  sort_by: OneOf(['date', 'total', 'folio', 'receptor'], {
    ...assumedDefault('date'),
    description: 'Default is date. Totals are compared in MXN (assumed).',
  }),
  sort_order: Type.Optional(SortOrder('desc')),
})

export const CancelBody = named(
  'InvoiceCancel',
  Type.Object(
    {
      motivo: valueOf(cancellations.motivo, {
        description:
          '01: errors, with a substitute. 02: errors, without a substitute. 03: the operation did not take place. 04: an operation of this invoice to the public got an invoice of its own.',
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
