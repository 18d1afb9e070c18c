/**
 * The amounts that credit notes take off their related invoices. The specification shows relations, but not their effect
 * (assumed): a note lowers its invoices in the order of its relations, each by at most its balance.
 */
import { IN_FORCE } from '../machines.ts'
import type { Big } from 'big.js'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount, ZERO } from '../documents/amounts.ts'
import { decimalsIn, inPesos } from '../documents/documents.ts'
import { invoiceByUuid, invoices, type Invoice } from '../invoices/invoices.ts'
import { ALL_TIME, activeCreditNotes } from './reportedInvoices.ts'

/** c_TipoRelacion 04: the note replaces another document and credits nothing to it. */
export const SUBSTITUTES = '04'

/** Credited amounts by the UUID of the invoice, in its currency. */
export type Credits = ReadonlyMap<string, Big>

/** Computes how much active credit notes take off each invoice. */
export async function creditsOfInvoices(workspace: Workspace): Promise<Credits> {
  const credits = new Map<string, Big>()
  // The index finds a few notes among many invoices without a full scan.
  invoices.index(workspace, ['type'])
  for await (const note of activeCreditNotes(workspace, ALL_TIME)) {
    let left = decimal(note.total)
    for (const uuid of creditedUuids(note)) {
      if (left.lte(0)) break
      const invoice = invoiceByUuid.find(workspace, uuid)
      if (invoice?.type !== 'I' || !IN_FORCE.includes(invoice.status)) continue
      const before = credits.get(uuid) ?? ZERO
      const balance = decimal(invoice.total).minus(invoice.paid).minus(before)
      const available = exchange(left, note, invoice)
      if (balance.lte(0) || available.lte(0)) continue
      if (available.lte(balance)) {
        credits.set(uuid, before.plus(available))
        left = ZERO
      } else {
        credits.set(uuid, before.plus(balance))
        left = left.minus(exchange(balance, invoice, note))
      }
    }
  }
  return credits
}

const creditedUuids = ({ relaciones }: Invoice): Set<string> =>
  new Set(relaciones.flatMap(({ tipoRelacion, uuids }) => (tipoRelacion === SUBSTITUTES ? [] : uuids)))

/** Converts an amount from the currency of one invoice to that of another, via pesos at their exchange rates. */
function exchange(amount: Big, from: Invoice, to: Invoice): Big {
  if (from.moneda === to.moneda) return amount
  const rate = inPesos(decimal('1'), to.moneda, to.tipoCambio)
  if (rate.lte(0)) return ZERO
  return roundAmount(inPesos(amount, from.moneda, from.tipoCambio).div(rate), decimalsIn(to.moneda))
}
