/** A fresh app with helpers for invoices and a clock frozen at NOON. */
import type { Static } from '@sinclair/typebox'
import type { CreatedInvoice, Invoice } from '../../src/interfaces/tax-invoicing/shapes/invoices.ts'
import type { Attachment } from '../../src/state/storage/tables.ts'
import { freshApp, type Answer, type Call, type FreshApp, type FreshOptions, type Method } from './app.ts'
import { eventNamesOf } from './events.ts'

/** A Saturday; 6 a.m. in Mexico City. */
export const NOON = '2026-11-21T12:00:00.000Z'

export type InvoiceBody = Static<typeof Invoice.item>
export type CreatedBody = Static<typeof CreatedInvoice.item>

type Fields = Readonly<Record<string, unknown>>

/** A company in the registry of the tax authority. */
export const COMPANY = {
  rfc: 'URE180429TM6',
  nombre: 'UNIVERSIDAD ROBOTICA ESPAÑOLA',
  regimen_fiscal: '601',
  domicilio_fiscal: '86991',
  uso_cfdi: 'G03',
}

/** The generic recipient without a tax id. */
export const PUBLIC = {
  rfc: 'XAXX010101000',
  nombre: 'PUBLICO EN GENERAL',
  regimen_fiscal: '616',
  domicilio_fiscal: '42501',
  uso_cfdi: 'S01',
}

export const IVA_16 = { impuesto: '002', tipo_factor: 'Tasa', tasa: 0.16 }

export const line = (fields: Fields = {}): Fields => ({
  clave_prod_serv: '56101500',
  descripcion: 'Silla de oficina',
  cantidad: 1,
  clave_unidad: 'H87',
  valor_unitario: 1000,
  objeto_imp: '02',
  impuestos: { traslados: [IVA_16], retenciones: [] },
  ...fields,
})

/** An invoice of 1,160.00. */
export const invoiceBody = (fields: Fields = {}): Fields => ({
  type: 'I',
  receptor: COMPANY,
  conceptos: [line()],
  metodo_pago: 'PUE',
  forma_pago: '03',
  ...fields,
})

export interface Invoicing {
  readonly fresh: FreshApp
  readonly call: Call
  /** Returns the body of a response that must be a 2xx. */
  readonly ask: <Body>(method: Method, path: string, body?: Fields) => Promise<Body>
  /** POST /invoices. */
  readonly send: (fields?: Fields) => Promise<Answer>
  /** Sends the same, which must be stamped. */
  readonly issue: (fields?: Fields) => Promise<CreatedBody>
  readonly getInvoice: (id: string) => Promise<InvoiceBody>
  readonly xmlOf: (id: string) => Promise<string>
  readonly trigger: (name: string, body: Fields) => Promise<Answer>
  /** Every sent message with its attachments, oldest first. */
  readonly emails: () => readonly SentMessage[]
  /** The names of the events so far, oldest first. */
  readonly events: () => string[]
}

export interface SentMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

export async function freshInvoicing(options?: FreshOptions): Promise<Invoicing> {
  const fresh = await freshApp(options)
  const call = fresh.at('tax-invoicing')
  fresh.setClock(NOON)

  const ask = async <Body>(method: Method, path: string, body?: Fields): Promise<Body> => {
    const answer = await call(method, path, body && { body })
    if (answer.status >= 300) throw new Error(`answered ${String(answer.status)}: ${answer.text}`)
    return answer.body as Body
  }
  return {
    fresh,
    call,
    ask,
    send: (fields) => call('POST', '/invoices', { body: invoiceBody(fields) }),
    issue: (fields) => ask('POST', '/invoices', invoiceBody(fields)),
    getInvoice: (id) => ask('GET', `/invoices/${id}`),
    async xmlOf(id) {
      const { status, text } = await call('GET', `/invoices/${id}/xml`)
      if (status !== 200) throw new Error(text)
      return text
    },
    trigger: (name, body) =>
      fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/tax-invoicing.${name}`, { body }),
    emails: () => emailsOf(fresh),
    events: () => eventNamesOf(fresh.workspace, 'tax-invoicing'),
  }
}

function emailsOf({ app, workspace }: FreshApp): SentMessage[] {
  const rows = app.workspaces.database.sqlite
    .prepare('SELECT "to", subject, text, attachments FROM emails WHERE workspace = ? ORDER BY rowid')
    .all(workspace.rowScope) as (Omit<SentMessage, 'attachments'> & { attachments: string })[]
  return rows.map((row) => ({ ...row, attachments: JSON.parse(row.attachments) as Attachment[] }))
}

interface ErrorBody {
  readonly error: { readonly code: string; readonly details?: readonly { field: string; code: string }[] }
}

/** The status and the code of an error, and its first invalid field. */
export function refusalOf({
  status,
  body,
}: Answer): [status: number, code: string, field: string | undefined] {
  const { error } = body as ErrorBody
  return [status, error.code, error.details?.[0]?.field]
}
