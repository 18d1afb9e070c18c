/** Invoices of all types as they are kept, with what was stamped of them. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { fold } from '../collation.ts'
import { numbered, type Lookup } from '../listing.ts'
import { record } from '../record.ts'
import { filled, whole } from '../shapes.ts'
import { normalRfc } from './rfc.ts'
import { amount, concepts, issuer, recipient, relations, serie, taxes, uuid } from './shapes.ts'
import { invoices as table, stampedXml as xmlTable } from './tables.ts'

export type Invoice = typeof table.$inferSelect

/** A text that may be a part of a uuid: short ones are parts of nearly all. */
const uuidPart = (sought: string): string | null =>
  /^[0-9a-f-]{8,36}$/i.test(sought) ? sought.toUpperCase() : null

/** As SQLite's upper() does it, which knows the letters of ASCII alone. */
const inCapitals = (sought: string): string =>
  sought.trim().replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())

/** A uuid or a part of it, a folio with or without its series (A1, A-1, "A 1"), a part of the name of the recipient. */
const searched: Lookup = {
  forms: [fold, uuidPart, inCapitals],
  where: (name, uuid, folio) =>
    sql`(instr(${table.receptorKey}, ${name}) > 0 or instr(${table.uuid}, ${uuid}) > 0 or cast(${table.folio} as text) = ${folio} or ${folio} in (upper(${table.serie}) || ${table.folio}, upper(${table.serie}) || '-' || ${table.folio}, upper(${table.serie}) || ' ' || ${table.folio}))`,
}

/** Each of 200 lines may have 20 taxes of either kind, no two at the same rate. */
const MAX_DOCUMENT_TAXES = 4000

/** Invoices in the order and with the filters of GET /invoices. */
export const invoices = record(table, {
  noun: 'invoice',
  indexes: { type: [table.type, table.date] },
  derived: {
    receptorRfc: ({ receptor }: Pick<Invoice, 'receptor'>) => receptor.rfc,
    receptorKey: Object.assign(({ receptor }: Pick<Invoice, 'receptor'>) => fold(receptor.nombre), {
      isFolded: true as const,
    }),
    // Only the order of lists is made of it.
    totalKey: ({ total }: Pick<Invoice, 'total'>) => Number(total),
  },
  list: numbered({
    sorts: { date: table.date, total: table.totalKey, folio: table.folio, receptor: table.receptorKey },
    filters: {
      type: (value) => sql`${table.type} = ${value}`,
      status: (value) => sql`${table.status} = ${value}`,
      receptor_rfc: { forms: [normalRfc], where: (rfc) => sql`${table.receptorRfc} = ${rfc}` },
      from: (value) => sql`${table.date} >= ${value}`,
      to: (value) => sql`${table.date} <= ${value}`,
      series: (value) => sql`${table.serie} = ${value}`,
      search: searched,
    },
    indexes: {
      type: [table.type, table.date],
      status: [table.status, table.date],
      total: [table.totalKey],
      folio: [table.folio],
      receptor: [table.receptorKey],
    },
  }),
  snapshot: {
    section: 'tax-invoicing',
    name: 'invoices',
    instants: ['date', 'cancelledAt', 'stampedAt', 'createdAt'],
    shapes: () => ({
      uuid: uuid(),
      serie: serie(),
      folio: whole(1),
      emisor: issuer(),
      receptor: recipient(),
      conceptos: concepts(),
      impuestos: taxes(MAX_DOCUMENT_TAXES),
      relaciones: relations(),
      subtotal: amount(),
      descuento: Type.Union([amount(), Type.Null()]),
      totalTrasladados: amount(),
      totalRetenidos: amount(),
      total: amount(),
      moneda: Type.String({ pattern: '^[A-Z]{3}$' }),
      tipoCambio: Type.Union([amount(), Type.Null()]),
      paid: amount(),
      substitutedBy: Type.Union([uuid(), Type.Null()]),
      lugarExpedicion: filled(),
      exportacion: filled(),
      mxnCents: whole(0),
    }),
  },
})

export const invoiceByUuid = invoices.by('uuid')

/** Whether a tax id has invoices, and which came first. */
export const invoiceByRecipient = invoices.by('receptorRfc')

/**
 * Characters of an XML, which is more than any may have that is asked for: of 200 lines each has texts of 1,120 characters,
 * of which an escaped one takes six, and 40 taxes of some 150; the taxes of the document are as many lines once more.
 */
const LONGEST_XML = 4_194_304

export const stampedXml = record(xmlTable, {
  noun: 'stamped XML',
  snapshot: {
    section: 'tax-invoicing',
    name: 'stampedXml',
    shapes: () => ({ xml: Type.String({ minLength: 1, maxLength: LONGEST_XML }) }),
  },
})
