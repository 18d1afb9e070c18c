/** What columns of tax invoicing hold in a snapshot. */
import { Type } from '@sinclair/typebox'
import { decimal, filled, oneOf } from '../shapes.ts'

const nullable = <Schema extends object>(schema: Schema) =>
  Type.Unsafe<unknown>({ anyOf: [schema, { type: 'null' }] })

const closed = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false })

/** Up to 24 digits before the point and 12 behind it: larger than any sum that is made here. */
export const amount = () => Type.String({ pattern: '^\\d{1,24}(\\.\\d{1,12})?$' })

export const uuid = () =>
  Type.String({ pattern: '^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$' })

export const LONGEST_SERIE = 25

const OF_SERIE = '[^|\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\ufffe\\uffff]+'

/** What the authority's schema takes, in the one form to which it brings spaces, so that no two are written alike. */
export const SERIE = `^${OF_SERIE}(?: ${OF_SERIE})*$`

export const serie = () => Type.String({ maxLength: LONGEST_SERIE, pattern: SERIE })

/** A tax id, its check digit aside. */
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

/** As many as a line is sent with, of each kind. */
const MAX_TAXES = 20

/** Taxes without amounts, of products. */
export const rates = () => taxesOf(tax, MAX_TAXES)

export const taxes = (most = MAX_TAXES) =>
  taxesOf({ ...tax, base: amount(), importe: nullable(amount()) }, most)

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
