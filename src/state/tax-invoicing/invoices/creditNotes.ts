/**
 * The amounts that credit notes take off their related invoices. The specification shows relations, but not their effect
 * (assumed): a note lowers its invoices in the order of its relations, each to a balance of 0. The rest lowers the first
 * one further, to a balance in favor of the recipient.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Big } from 'big.js'
import { isOneOf } from '../../storage/columns.ts'
import { ofWorkspace, query } from '../../storage/queries/query.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount, ZERO } from '../documents/amounts.ts'
import { decimalsIn, inPesos } from '../documents/documents.ts'
import { creditedUuids } from '../documents/relations.ts'
import { invoiceByUuid, invoices, type Invoice } from './invoices.ts'
import { IN_FORCE } from '../machines.ts'
import { invoices as table } from '../tables.ts'

/** Credited amounts by the UUID of the invoice, in its currency. */
export type Credits = Map<string, Big>

type Money = Pick<Invoice, 'moneda' | 'tipoCambio'>

/** The fields of a note that count. */
type CreditNote = Money & Pick<Invoice, 'total' | 'relaciones'>

/** Adds the amounts that a note in force takes off its invoices. */
export function addCredits(workspace: Workspace, note: CreditNote, credits: Credits): void {
  const creditable = [...creditedUuids(note)].flatMap((uuid) => {
    const invoice = invoiceByUuid.find(workspace, uuid)
    return invoice && isCreditable(invoice) ? [invoice] : []
  })
  let left = decimal(note.total)
  for (const invoice of creditable) {
    const before = credits.get(invoice.uuid) ?? ZERO
    const balance = decimal(invoice.total).minus(invoice.paid).minus(before)
    const available = exchange(left, note, invoice)
    if (balance.lte(0) || available.lte(0)) continue
    if (available.lte(balance)) {
      credits.set(invoice.uuid, before.plus(available))
      return
    }
    credits.set(invoice.uuid, before.plus(balance))
    left = left.minus(exchange(balance, invoice, note))
  }
  const [first] = creditable
  if (!first) return
  credits.set(first.uuid, (credits.get(first.uuid) ?? ZERO).plus(exchange(left, note, first)))
}

/** True if a credit note can take off an amount: of income invoices in force. */
export const isCreditable = ({ type, status }: Invoice): boolean => type === 'I' && IN_FORCE.includes(status)

/** Converts an amount from one currency to another, via pesos at their exchange rates. */
export function exchange(amount: Big, from: Money, to: Money): Big {
  if (from.moneda === to.moneda) return amount
  const rate = inPesos(decimal('1'), to.moneda, to.tipoCambio)
  if (rate.lte(0)) return ZERO
  return roundAmount(inPesos(amount, from.moneda, from.tipoCambio).div(rate), decimalsIn(to.moneda))
}

const related = query((orm) =>
  orm
    .select({
      id: table.id,
      status: table.status,
      total: table.total,
      moneda: table.moneda,
      tipoCambio: table.tipoCambio,
      relaciones: table.relaciones,
    })
    .from(table)
    .where(
      and(
        ofWorkspace(table),
        eq(table.type, 'E'),
        sql`+${isOneOf(table.status, IN_FORCE)}`,
        // A substring search skips most notes without parsing their JSON.
        sql`exists (select 1 from json_each(${sql.placeholder('uuids')}) as wanted where instr(${table.relaciones}, wanted.value) > 0)`,
      ),
    )
    .orderBy(asc(table.date), asc(sql`rowid`)),
)

/**
 * Creates the index that finds a few notes among many invoices without a full scan, if the workspace is large. Call it
 * outside of a `write`, which can't create an index.
 */
export function indexNotes(workspace: Workspace): void {
  invoices.index(workspace, ['type'])
}

/** Returns the notes in force that credit one of these invoices, oldest first. */
export function notesOf(workspace: Workspace, uuids: readonly string[]) {
  if (uuids.length === 0) return []
  return related.all(workspace, { uuids: JSON.stringify(uuids) }).filter((note) => {
    const credited = creditedUuids(note)
    return uuids.some((uuid) => credited.has(uuid))
  })
}

/**
 * Computes how much the notes in force take off these invoices. Other invoices of these notes may have more notes, which
 * only a report counts.
 */
export function creditsOf(workspace: Workspace, uuids: readonly string[]): Credits {
  const credits: Credits = new Map()
  for (const note of notesOf(workspace, uuids)) addCredits(workspace, note, credits)
  return credits
}
