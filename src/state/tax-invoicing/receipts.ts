/** Payment receipts, and what each pays of its invoices. Specification part 2, "Tax invoicing". */
import { Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { ofWorkspace, query } from '../query.ts'
import { record } from '../record.ts'
import { filled, whole } from '../shapes.ts'
import type { Workspace } from '../workspace.ts'
import { decimal } from './amounts.ts'
import { invoices } from './invoices.ts'
import { normalRfc } from './rfc.ts'
import { amount, rfc, taxes, uuid } from './shapes.ts'
import { receiptDocuments as documentTable, receipts as table } from './tables.ts'

export type Receipt = typeof table.$inferSelect
export type ReceiptDocument = typeof documentTable.$inferSelect

/** Receipts in the order and with the filters of GET /payment-receipts. */
export const receipts = record(table, {
  noun: 'payment receipt',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      receptor_rfc: { forms: [normalRfc], where: (rfc) => sql`${table.receptorRfc} = ${rfc}` },
      from: (value) => sql`${table.createdAt} >= ${value}`,
      to: (value) => sql`${table.createdAt} <= ${value}`,
      invoice_uuid: (value) =>
        sql`${table.id} in (select ${documentTable.receiptId} from ${documentTable} where ${ofWorkspace(documentTable)} and ${documentTable.uuid} = ${value})`,
    },
  }),
  snapshot: {
    section: 'tax-invoicing',
    name: 'receipts',
    instants: ['fechaPago', 'createdAt'],
    shapes: () => ({
      moneda: Type.String({ pattern: '^[A-Z]{3}$' }),
      tipoCambio: amount(),
      monto: amount(),
      formaPago: filled(),
      receptorRfc: rfc(),
    }),
  },
})

export const receiptDocuments = record(documentTable, {
  noun: 'document of a payment receipt',
  snapshot: {
    section: 'tax-invoicing',
    name: 'receiptDocuments',
    shapes: () => ({
      uuid: uuid(),
      position: whole(0),
      monedaDr: Type.String({ pattern: '^[A-Z]{3}$' }),
      equivalencia: amount(),
      numParcialidad: whole(1),
      saldoAnterior: amount(),
      importePagado: amount(),
      saldoInsoluto: amount(),
      impuestosDr: taxes(),
    }),
    check({ invoiceId }, workspace) {
      invoices.get(workspace, invoiceId)
    },
  },
})

const ofReceipt = query((orm) =>
  orm
    .select()
    .from(documentTable)
    .where(and(ofWorkspace(documentTable), eq(documentTable.receiptId, sql.placeholder('receiptId'))))
    .orderBy(asc(documentTable.position)),
)

/** What a receipt pays, in the order in which it was sent. */
export const documentsOf = (workspace: Workspace, receiptId: string): ReceiptDocument[] =>
  ofReceipt.all(workspace, { receiptId })

/** Gives back what a receipt has paid, because it was cancelled. Only inside a `write`. */
export function undoReceipt(workspace: Workspace, receiptId: string): void {
  for (const document of documentsOf(workspace, receiptId)) {
    receiptDocuments.update(workspace, document, { live: false })
    const invoice = invoices.get(workspace, document.invoiceId)
    invoices.update(workspace, invoice, {
      paid: decimal(invoice.paid).minus(document.importePagado).toFixed(),
    })
  }
}

const partsOfLive = query((orm) =>
  orm
    .select({ part: documentTable.numParcialidad })
    .from(documentTable)
    .where(
      and(
        ofWorkspace(documentTable),
        eq(documentTable.uuid, sql.placeholder('uuid')),
        eq(documentTable.live, true),
      ),
    )
    .orderBy(asc(documentTable.numParcialidad)),
)

/** Returns the lowest installment number of an invoice that no live receipt has: a cancelled receipt frees its number. */
export function nextPart(workspace: Workspace, uuid: string): number {
  let next = 1
  for (const { part } of partsOfLive.all(workspace, { uuid })) {
    if (part > next) break
    if (part === next) next++
  }
  return next
}
