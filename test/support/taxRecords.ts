/**
 * A fresh app with a frozen clock, invoices loaded as from a snapshot, and helpers for clients, products and reports.
 */
import type { Issuer, Recipient, TaxLine } from '../../src/state/tax-invoicing/jsonColumns.ts'
import { freshApp, type Answer, type Call, type FreshApp, type Method } from './app.ts'
import { loadRecords } from './records.ts'

export const NOON = '2026-11-21T18:00:00.000Z'

type Fields = Readonly<Record<string, unknown>>

export const ISSUER: Issuer = { rfc: 'EKU9003173C9', nombre: 'ESCUELA KEMPER URGATE', regimenFiscal: '601' }

export const recipient = (rfc: string, nombre: string): Recipient => ({
  rfc,
  nombre,
  regimenFiscal: '601',
  domicilioFiscal: '86991',
  usoCfdi: 'G03',
  residenciaFiscal: null,
  numRegIdTrib: null,
})

export const ROBOTICA = recipient('URE180429TM6', 'UNIVERSIDAD ROBOTICA ESPAÑOLA')
export const XENON = recipient('XIA190128J61', 'XENON INDUSTRIAL ARTICLES')

/** A tax of 16% on this base. */
export const iva = (base: string, importe: string, tasa = '0.160000'): TaxLine => ({
  impuesto: '002',
  tipoFactor: 'Tasa',
  tasa,
  base,
  importe,
})

/** An invoice record; by default 1,000.00 plus 16% for the Universidad Robótica. */
export function invoiceRecord(folio: number, fields: Fields = {}): Fields {
  const date = (fields['date'] as string | undefined) ?? '2026-11-10T18:00:00.000Z'
  const type = (fields['type'] as string | undefined) ?? 'I'
  return {
    id: `inv_${String(folio).padStart(20, '0')}`,
    uuid: `00000000-0000-4000-8000-${String(folio).padStart(12, '0')}`,
    serie: 'A',
    folio,
    type,
    status: 'active',
    date,
    emisor: ISSUER,
    receptor: ROBOTICA,
    conceptos: [
      {
        claveProdServ: '56101500',
        noIdentificacion: null,
        descripcion: 'Silla de oficina',
        cantidad: '1',
        claveUnidad: 'H87',
        unidad: null,
        valorUnitario: '1000',
        importe: '1000.00',
        descuento: null,
        objetoImp: '02',
        impuestos: { traslados: [iva('1000.00', '160.00')], retenciones: [] },
      },
    ],
    impuestos: { traslados: [iva('1000.00', '160.00')], retenciones: [] },
    relaciones: [],
    subtotal: '1000.00',
    totalTrasladados: '160.00',
    totalRetenidos: '0.00',
    total: '1160.00',
    moneda: 'MXN',
    tipoCambio: '1',
    metodoPago: 'PUE',
    formaPago: '03',
    lugarExpedicion: '06600',
    exportacion: '01',
    paid: '0',
    stampedAt: date,
    createdAt: date,
    mxnCents: 116_000,
    ...fields,
  }
}

export interface TaxRecords {
  readonly fresh: FreshApp
  readonly call: Call
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** Replaces the records of tax invoicing. */
  readonly put: (section: Readonly<Record<string, readonly Fields[]>>) => Promise<void>
  /** Fires a trigger of tax invoicing and returns the response. */
  readonly pull: (name: string, body: Fields) => Promise<Answer>
}

export async function freshTaxRecords(): Promise<TaxRecords> {
  const fresh = await freshApp()
  fresh.setClock(NOON)
  const call = fresh.at('tax-invoicing')
  const { app, workspace } = fresh
  return {
    fresh,
    call,
    async ask<Body>(method: Method, path: string, body?: Fields) {
      const answer = await call(method, path, body && { body })
      if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
      return answer.body as Body
    },
    put: (section) => loadRecords(app, workspace, { 'tax-invoicing': section }),
    pull: (name, body) =>
      fresh.call('POST', `/_sim/workspaces/${workspace.id}/triggers/tax-invoicing.${name}`, { body }),
  }
}

/** An error for `toMatchObject`. */
export const refusal = (status: number, code: string, field?: string) => ({
  status,
  body: { error: { code, ...(field !== undefined && { details: [{ field }] }) } },
})
