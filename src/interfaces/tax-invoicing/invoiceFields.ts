/** Maps request bodies of invoices to the types of the state. */
import type { Static } from '@sinclair/typebox'
import type { NewInvoice } from '../../state/tax-invoicing/documents/documents.ts'
import { normalRfc } from '../../state/tax-invoicing/taxpayers/rfc.ts'
import type { Relation, Tax, Taxes } from '../../state/tax-invoicing/jsonColumns.ts'
import { normalizeText } from '../../state/tax-invoicing/xml/xml.ts'
import { decimalText } from './shapes/common.ts'
import type { InvoiceCreate } from './shapes/invoiceBodies.ts'
import type { SentTax, SentTaxes } from './shapes/taxes.ts'

/** Normalizes a text as the XML requires. Returns null if it is missing. */
export const textOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : normalizeText(text)

export const decimalOrNull = (sent: number | string | null | undefined, decimals?: number): string | null =>
  sent === null || sent === undefined ? null : decimalText(sent, decimals)

const taxOf = ({ impuesto, tipo_factor: tipoFactor, tasa }: Static<typeof SentTax>): Tax => ({
  impuesto,
  tipoFactor,
  tasa: decimalOrNull(tasa),
})

/** Maps the taxes of a line. A missing list becomes an empty one. */
export const taxesOf = (sent: Static<typeof SentTaxes> | null | undefined): Taxes<Tax> => ({
  traslados: (sent?.traslados ?? []).map(taxOf),
  retenciones: (sent?.retenciones ?? []).map(taxOf),
})

export const relationsOf = (sent: Static<typeof InvoiceCreate>['cfdi_relacionados'] = []): Relation[] =>
  sent.map(({ tipo_relacion: tipoRelacion, uuids }) => ({
    tipoRelacion,
    uuids: uuids.map((uuid) => uuid.toUpperCase()),
  }))

/** The default series of each type (assumed). */
const DEFAULT_SERIES = { I: 'A', E: 'NC', T: 'T' } as const

export const newInvoiceOf = (body: Static<typeof InvoiceCreate>): NewInvoice => ({
  type: body.type,
  serie: body.serie ?? DEFAULT_SERIES[body.type],
  receptor: {
    rfc: normalRfc(body.receptor.rfc),
    nombre: normalizeText(body.receptor.nombre),
    regimenFiscal: body.receptor.regimen_fiscal,
    domicilioFiscal: body.receptor.domicilio_fiscal,
    usoCfdi: body.receptor.uso_cfdi,
    residenciaFiscal: body.receptor.residencia_fiscal ?? null,
    numRegIdTrib: textOrNull(body.receptor.num_reg_id_trib),
  },
  conceptos: body.conceptos.map((line) => ({
    claveProdServ: line.clave_prod_serv,
    noIdentificacion: textOrNull(line.no_identificacion),
    descripcion: normalizeText(line.descripcion),
    cantidad: decimalText(line.cantidad),
    claveUnidad: line.clave_unidad,
    unidad: textOrNull(line.unidad),
    valorUnitario: decimalText(line.valor_unitario),
    importe: decimalOrNull(line.importe),
    descuento: decimalOrNull(line.descuento),
    objetoImp: line.objeto_imp,
    impuestos: taxesOf(line.impuestos),
  })),
  relaciones: relationsOf(body.cfdi_relacionados),
  moneda: body.moneda ?? (body.type === 'T' ? 'XXX' : 'MXN'),
  tipoCambio: decimalOrNull(body.tipo_cambio),
  metodoPago: body.metodo_pago ?? null,
  formaPago: body.forma_pago ?? null,
  exportacion: body.exportacion ?? '01',
})
