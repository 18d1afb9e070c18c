/** The values of JSON columns of tax invoicing: their schemas and types. Also the forms of texts in several columns. */
import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox'
import { decimal, filled, oneOf, orNone, text } from '../storage/shapes.ts'

const closed = <Of extends TProperties>(properties: Of) =>
  Type.Object(properties, { additionalProperties: false })

/** An amount with up to 24 integer digits and 12 decimals, more than any sum needs. */
export const amount = () => Type.String({ pattern: '^\\d{1,24}(\\.\\d{1,12})?$' })

/** Returns the pattern of a UUID with these hexadecimal digits. */
export const uuidPattern = (digit: string): string =>
  `^${[8, 4, 4, 4, 12].map((length) => `${digit}{${String(length)}}`).join('-')}$`

export const uuid = () => Type.String({ pattern: uuidPattern('[0-9A-F]') })

export const LONGEST_SERIE = 25

const SERIE_WORD = '[^|\\s\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\ufffe\\uffff]+'

/** The pattern of the authority's schema, with normalized spaces, so that each series has only one spelling. */
export const serie = () =>
  Type.String({ maxLength: LONGEST_SERIE, pattern: `^${SERIE_WORD}(?: ${SERIE_WORD})*$` })

/** The form of a tax id, without its check digit. */
export const rfc = () => Type.String({ pattern: '^[A-Z&Ñ]{3,4}[0-9]{6}[A-Z0-9]{3}$' })

// ---------------------------------------------------------------- keys

/** The forms of keys in catalogs of the authority. */
const digits = (count: number) => Type.String({ pattern: `^\\d{${String(count)}}$` })

export const regime = () => digits(3)
export const postalCode = () => digits(5)
export const paymentForm = () => digits(2)
export const exportCode = () => digits(2)
export const objectCode = () => digits(2)
export const paymentMethod = () => Type.String({ pattern: '^(PUE|PPD)$' })
export const useCode = () => Type.String({ pattern: '^[A-Z]{1,2}\\d{2}$' })
export const catalogKey = (maxLength: number) =>
  Type.String({ pattern: `^[0-9A-Za-z]{1,${String(maxLength)}}$` })

// ---------------------------------------------------------------- taxes

export const FACTORS = ['Tasa', 'Cuota', 'Exento'] as const

const taxFields = () => ({
  /** 001 income tax (ISR), 002 value-added tax (IVA), 003 excise (IEPS). Actions check other values of requests. */
  impuesto: Type.Unsafe<string>(oneOf(['001', '002', '003'])),
  tipoFactor: oneOf(FACTORS),
  /** With six decimals; null if the tax is exempt. */
  tasa: orNone(decimal()),
})

const tax = () => closed(taxFields())

/** A tax of a line or of a product. */
export type Tax = Readonly<Static<ReturnType<typeof tax>>>

const taxLine = () =>
  closed({
    ...taxFields(),
    base: amount(),
    /** null if the tax is exempt. */
    importe: orNone(amount()),
  })

export type TaxLine = Readonly<Static<ReturnType<typeof taxLine>>>

/** The charged taxes (traslados) and the taxes that the recipient withholds (retenciones). */
export interface Taxes<Line extends Tax = TaxLine> {
  readonly traslados: readonly Line[]
  readonly retenciones: readonly Line[]
}

/** The maximum number of taxes of each kind in a line. */
export const MAX_TAXES = 20

/** The maximum number of lines of an invoice. */
export const MAX_CONCEPTS = 200

const taxesOf = (line: TObject, maxItems: number) =>
  closed({ traslados: Type.Array(line, { maxItems }), retenciones: Type.Array(line, { maxItems }) })

/** Taxes of products, without amounts. */
export const rates = () => taxesOf(tax(), MAX_TAXES)

/** Taxes of a line. */
export const taxes = () => taxesOf(taxLine(), MAX_TAXES)

/** The taxes of all lines, which may all have different rates. */
export const documentTaxes = () => taxesOf(taxLine(), MAX_CONCEPTS * MAX_TAXES)

// ---------------------------------------------------------------- invoices

export const issuer = () => closed({ rfc: rfc(), nombre: text(300), regimenFiscal: regime() })

export type Issuer = Readonly<Static<ReturnType<typeof issuer>>>

export const recipient = () =>
  closed({
    rfc: rfc(),
    nombre: text(300),
    regimenFiscal: regime(),
    /** The postal code of the tax domicile. */
    domicilioFiscal: postalCode(),
    usoCfdi: useCode(),
    /** ISO 3166-1 alpha-3, for foreigners. */
    residenciaFiscal: orNone(Type.String({ pattern: '^[A-Z]{3}$' })),
    numRegIdTrib: orNone(text(40)),
  })

export type Recipient = Readonly<Static<ReturnType<typeof recipient>>>

export const concept = () =>
  closed({
    claveProdServ: catalogKey(8),
    noIdentificacion: orNone(filled()),
    descripcion: text(1000),
    cantidad: amount(),
    claveUnidad: catalogKey(3),
    unidad: orNone(filled()),
    valorUnitario: amount(),
    importe: amount(),
    descuento: orNone(amount()),
    objetoImp: objectCode(),
    impuestos: Type.Unsafe<Taxes>(taxes()),
  })

/** A line of an invoice. */
export type Concept = Readonly<Static<ReturnType<typeof concept>>>

export const relation = () => closed({ tipoRelacion: digits(2), uuids: Type.Array(uuid(), { minItems: 1 }) })

/** The related invoices: those that a credit note credits, or those that a substitute replaces. */
export type Relation = Readonly<Static<ReturnType<typeof relation>>>
