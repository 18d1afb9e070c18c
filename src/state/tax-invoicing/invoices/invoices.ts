/** The records of invoices of all types and of their stamped XML. Specification part 2, "Tax invoicing". */
import { sql } from 'drizzle-orm'
import { fold } from '@suite-sim/kit/text/collation'
import { numbered, type LookupFilter } from '../../storage/queries/listing.ts'
import { record } from '../../storage/records/record.ts'
import { decimal } from '../documents/amounts.ts'
import { inPesos } from '../documents/documents.ts'
import { normalRfc } from '../taxpayers/rfc.ts'
import { invoices as table, stampedXml as xmlTable } from '../tables.ts'

export type Invoice = typeof table.$inferSelect

/** Returns a part of a UUID in upper case, or null. Texts of less than eight characters would match too many invoices. */
const uuidPart = (text: string): string | null =>
  /^[0-9a-f-]{8,36}$/i.test(text) ? text.toUpperCase() : null

/** Returns a UUID in upper case and with dashes, and any other text in upper case. */
export const normalUuid = (text: string): string =>
  text
    .toUpperCase()
    .replace(/^([0-9A-F]{8})-?([0-9A-F]{4})-?([0-9A-F]{4})-?([0-9A-F]{4})-?([0-9A-F]{12})$/, '$1-$2-$3-$4-$5')

/** Converts ASCII letters to upper case, like SQLite's upper(). */
const asciiUpperCase = (text: string): string =>
  text.trim().replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())

/** Searches a part of the UUID or of the recipient's name, or a folio with or without its series (A1, A-1, "A 1"). */
const searchLookup: LookupFilter = {
  forms: [fold, uuidPart, asciiUpperCase],
  where: (name, uuid, folio) =>
    sql`(instr(${table.receptorKey}, ${name}) > 0 or instr(${table.uuid}, ${uuid}) > 0 or instr(replace(${table.uuid}, '-', ''), ${uuid}) > 0 or cast(${table.folio} as text) = ${folio} or ${folio} in (upper(${table.serie}) || ${table.folio}, upper(${table.serie}) || '-' || ${table.folio}, upper(${table.serie}) || ' ' || ${table.folio}))`,
}

/** The records of invoices, with the sort orders and filters of GET /invoices. */
export const invoices = record(table, {
  noun: 'invoice',
  indexes: { type: [table.type, table.date] },
  derived: {
    receptorRfc: ({ receptor }: Pick<Invoice, 'receptor'>) => receptor.rfc,
    receptorKey: ({ receptor }: Pick<Invoice, 'receptor'>) => fold(receptor.nombre),
    // Only used to sort lists, which compare invoices in several currencies.
    totalKey: ({ total, moneda, tipoCambio }: Pick<Invoice, 'total' | 'moneda' | 'tipoCambio'>) =>
      Number(inPesos(decimal(total), moneda, tipoCambio)),
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
      search: searchLookup,
    },
    indexes: {
      type: [table.type, table.date],
      status: [table.status, table.date],
      total: [table.totalKey],
      folio: [table.folio],
      receptor: [table.receptorKey],
    },
  }),
  snapshot: { section: 'tax-invoicing', name: 'invoices', generated: ['uuid'] },
})

export const invoiceByUuid = invoices.by('uuid')

export const stampedXml = record(xmlTable, {
  noun: 'stamped XML',
  snapshot: { section: 'tax-invoicing', name: 'stampedXml', isInternal: true },
})
