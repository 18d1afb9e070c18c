/** Serializes the records of lite invoicing, and defines the path of their pages. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/model/clock.ts'
import type { Invoice } from '../../state/lite-invoicing/invoices.ts'
import type { Taxpayer as TaxpayerRow } from '../../state/lite-invoicing/taxpayers.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { CanceledInvoice, IssuedInvoice, Taxpayer } from './schemas.ts'

/** The path of the printable invoices. */
export const PAGES_PATH = '/einvoice-external/invoices'

export const taxpayerView = ({ ruc, dv, name, type }: TaxpayerRow): Static<typeof Taxpayer> => ({
  ruc,
  dv,
  name,
  type,
})

/** Formats the number of an invoice with ten digits: "0000000003". */
export const printedNumber = ({ number }: Invoice): string => String(number).padStart(10, '0')

export const issuedView = (invoice: Invoice, { publicUrl, id }: Workspace): Static<typeof IssuedInvoice> => ({
  id: invoice.number,
  number: printedNumber(invoice),
  cufe: invoice.cufe,
  status: invoice.status,
  branchId: invoice.branchId,
  subTotal: Number(invoice.subTotal),
  taxTotal: Number(invoice.taxTotal),
  total: Number(invoice.total),
  issuedAt: iso(invoice.createdAt),
  documentUrl: `${publicUrl}${PAGES_PATH}/${id}/${invoice.cufe}`,
})

export const canceledView = ({ number, canceledAt, createdAt }: Invoice): Static<typeof CanceledInvoice> => ({
  id: number,
  canceled: true,
  canceledAt: iso(canceledAt ?? createdAt),
})
