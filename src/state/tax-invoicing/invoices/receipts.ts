/** The records of payment receipts and of their documents. Specification part 2, "Tax invoicing". */
import { and, asc, eq, sql } from 'drizzle-orm'
import { numbered } from '../../storage/queries/listing.ts'
import { isAmong, ofWorkspace, query, queryOfEach } from '../../storage/queries/query.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal } from '../documents/amounts.ts'
import { replacedUuids } from '../documents/relations.ts'
import { invoiceByUuid, invoices, type Invoice } from './invoices.ts'
import { normalRfc } from '../taxpayers/rfc.ts'
import { receiptDocuments as documentTable, receipts as table } from '../tables.ts'

export type Receipt = typeof table.$inferSelect
export type ReceiptDocument = typeof documentTable.$inferSelect

/** The records of receipts, with the sort orders and filters of GET /payment-receipts. */
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
  snapshot: { section: 'tax-invoicing', name: 'receipts' },
})

export const receiptDocuments = record(documentTable, {
  noun: 'document of a payment receipt',
  snapshot: {
    section: 'tax-invoicing',
    name: 'receiptDocuments',
    check({ invoiceId }, workspace) {
      invoices.get(workspace, invoiceId)
    },
  },
})

/** The documents of receipts, in the order of the request. */
export const documentsOf = queryOfEach<ReceiptDocument>('receiptId', (orm) =>
  orm
    .select()
    .from(documentTable)
    .where(and(ofWorkspace(documentTable), isAmong(documentTable.receiptId)))
    .orderBy(asc(documentTable.position)),
)

/** Reverses the payments of a cancelled or replaced receipt that still count. Call it inside a `write`. */
export function undoReceipt(workspace: Workspace, receiptId: string): void {
  for (const document of documentsOf.of(workspace, receiptId)) {
    if (!document.live) continue
    receiptDocuments.update(workspace, document, { live: false })
    const invoice = invoices.get(workspace, document.invoiceId)
    invoices.update(workspace, invoice, {
      paid: decimal(invoice.paid).minus(document.importePagado).toFixed(),
    })
  }
}

/** Returns the active receipts that a receipt replaces. */
export const replacedReceipts = (workspace: Workspace, receipt: Pick<Invoice, 'relaciones'>): Invoice[] =>
  replacedUuids(receipt).flatMap((uuid) => {
    const replaced = invoiceByUuid.find(workspace, uuid)
    return replaced?.type === 'P' && replaced.status === 'active' ? [replaced] : []
  })

/**
 * Makes the payments of active receipts count again, because the receipt that replaced them was cancelled before them. Refuses
 * with conflict if other payments have taken their place. Call it inside a `write`, after the substitute is undone.
 */
export function restoreReplacedReceipts(workspace: Workspace, substitute: Invoice): void {
  for (const replaced of replacedReceipts(workspace, substitute)) {
    for (const document of documentsOf.of(workspace, replaced.id)) {
      if (document.live) continue
      const invoice = invoices.get(workspace, document.invoiceId)
      const paid = decimal(invoice.paid).plus(document.importePagado)
      const parts = livePayments.all(workspace, { uuid: document.uuid })
      const isTaken = parts.some(({ part }) => part === document.numParcialidad)
      if (isTaken || paid.gt(invoice.total) || invoice.status === 'cancelled') {
        refuse(
          'conflict',
          `The payment receipt ${substitute.id} can not be cancelled while the receipt ${replaced.id} that it replaces is active. Cancel that receipt first.`,
          { facts: { receipt_id: replaced.id } },
        )
      }
      receiptDocuments.update(workspace, document, { live: true })
      invoices.update(workspace, invoice, { paid: paid.toFixed() })
    }
  }
}

/** The documents of receipts in force that pay an invoice, by installment number. */
const livePayments = query((orm) =>
  orm
    .select({ part: documentTable.numParcialidad, receiptId: documentTable.receiptId })
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

/** Returns the id of the first receipt in force that pays an invoice; undefined without one. */
export const payingReceiptOf = (workspace: Workspace, uuid: string): string | undefined =>
  livePayments.first(workspace, { uuid })?.receiptId

/** Returns the lowest free installment number of an invoice. A cancelled receipt frees its number. */
export function nextPart(workspace: Workspace, uuid: string): number {
  let next = 1
  for (const { part } of livePayments.all(workspace, { uuid })) {
    if (part > next) break
    if (part === next) next++
  }
  return next
}
