/** The shapes of the columns of tax invoicing in a snapshot. */
import { Type } from '@sinclair/typebox'
import { decimal, filled, oneOf } from '../storage/shapes.ts'

const nullable = <Schema extends object>(schema: Schema) =>
  Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })

const closed = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false })

/** An amount with up to 24 integer digits and 12 decimals, more than any sum needs. */
export const amount = () => Type.String({ pattern: '^\\d{1,24}(\\.\\d{1,12})?$' })

export const uuid = () =>
  Type.String({ pattern: '^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$' })

export const LONGEST_SERIE = 25

const SERIE_WORD = '[^|\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\ufffe\\uffff]+'

/** The pattern of the authority's schema, with normalized spaces, so that each series has only one spelling. */
export const SERIE = `^${SERIE_WORD}(?: ${SERIE_WORD})*$`

export const serie = () => Type.String({ maxLength: LONGEST_SERIE, pattern: SERIE })

/** The form of a tax id, without its check digit. */
export const rfc = () => Type.String({ pattern: '^[A-Z&Ñ]{3,4}[0-9]{6}[A-Z0-9]{3}$' })

const tax = {
  impuesto: oneOf(['001', '002', '003']),
  tipoFactor: oneOf(['Tasa', 'Cuota', 'Exento']),
  tasa: nullable(decimal()),
}

const taxesOf = (line: Parameters<typeof Type.Object>[0], maxItems: number) =>
  closed({
    traslados: Type.Array(closed(line), { maxItems }),
    retenciones: Type.Array(closed(line), { maxItems }),
  })

/** The maximum number of taxes of each kind in a line. */
const MAX_TAXES = 20

/** Taxes of products, without amounts. */
export const rates = () => taxesOf(tax, MAX_TAXES)

export const taxes = (maxItems = MAX_TAXES) =>
  taxesOf({ ...tax, base: amount(), importe: nullable(amount()) }, maxItems)

export const issuer = () => closed({ rfc: rfc(), nombre: filled(), regimenFiscal: filled() })

export const recipient = () =>
  closed({
    rfc: rfc(),
    nombre: filled(),
    regimenFiscal: filled(),
    domicilioFiscal: filled(),
    usoCfdi: filled(),
    residenciaFiscal: nullable(filled()),
    numRegIdTrib: nullable(filled()),
  })

export const concepts = () =>
  Type.Array(
    closed({
      claveProdServ: filled(),
      noIdentificacion: nullable(filled()),
      descripcion: filled(),
      cantidad: amount(),
      claveUnidad: filled(),
      unidad: nullable(filled()),
      valorUnitario: amount(),
      importe: amount(),
      descuento: nullable(amount()),
      objetoImp: filled(),
      impuestos: taxes(),
    }),
  )

export const relations = () => Type.Array(closed({ tipoRelacion: filled(), uuids: Type.Array(uuid()) }))
