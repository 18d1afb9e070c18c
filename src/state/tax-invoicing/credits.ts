/**
 * What credit notes take off the invoices that they name. The specification shows relations and not what they do (assumed): a
 * note lowers its invoices in the order in which it names them, each by no more than is left of it.
 */
import type { Big } from 'big.js'
import type { Workspace } from '../workspace.ts'
import { decimal, rounded, ZERO } from './amounts.ts'
import { decimalsIn, inPesos } from './documents.ts'
import { invoiceByUuid, invoices, type Invoice } from './invoices.ts'
import { ALL_TIME, liveCreditNotes } from './reportedInvoices.ts'

/** c_TipoRelacion 04: the note takes the place of another document and is about nothing of it. */
export const SUBSTITUTES = '04'

/** By the uuid of the invoice, in its currency. */
export type Credits = ReadonlyMap<string, Big>

/** What live credit notes take off each invoice. */
export async function creditsOfInvoices(workspace: Workspace): Promise<Credits> {
  const credits = new Map<string, Big>()
  // Few notes among very many invoices are found without reading them all.
  invoices.index(workspace, ['type'])
  for await (const note of liveCreditNotes(workspace, ALL_TIME)) {
    let left = decimal(note.total)
    for (const uuid of creditedBy(note)) {
      if (left.lte(0)) break
      const invoice = invoiceByUuid.find(workspace, uuid)
      if (invoice?.type !== 'I' || invoice.status === 'cancelled') continue
      const before = credits.get(uuid) ?? ZERO
      const owed = decimal(invoice.total).minus(invoice.paid).minus(before)
      const offered = exchanged(left, note, invoice)
      if (owed.lte(0) || offered.lte(0)) continue
      if (offered.lte(owed)) {
        credits.set(uuid, before.plus(offered))
        left = ZERO
      } else {
        credits.set(uuid, before.plus(owed))
        left = left.minus(exchanged(owed, invoice, note))
      }
    }
  }
  return credits
}

const creditedBy = ({ relaciones }: Invoice): Set<string> =>
  new Set(relaciones.flatMap(({ tipoRelacion, uuids }) => (tipoRelacion === SUBSTITUTES ? [] : uuids)))

/** An amount of one invoice in the currency of another, by way of pesos at the exchange rate of each. */
function exchanged(amount: Big, from: Invoice, to: Invoice): Big {
  if (from.moneda === to.moneda) return amount
  const rate = inPesos(decimal('1'), to.moneda, to.tipoCambio)
  if (rate.lte(0)) return ZERO
  return rounded(inPesos(amount, from.moneda, from.tipoCambio).div(rate), decimalsIn(to.moneda))
}
