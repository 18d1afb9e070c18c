/**
 * Reports on income and taxes. Specification part 2, "Tax invoicing": it shows their fields, but not the rules for the sums.
 * All amounts are in pesos at the exchange rate of each invoice, and the sums are exact.
 */
import type { Big } from 'big.js'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount, sumOf, ZERO } from '../documents/amounts.ts'
import { inPesos } from '../documents/documents.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { invoicesAndCreditNotes } from './reportedInvoices.ts'
import { monthOf, type Period } from './reportPeriods.ts'
import type { Concept, TaxLine } from '../jsonColumns.ts'

export const GROUPINGS = ['client', 'product', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Rounds pesos to two decimals for the response. */
export const roundToCents = (amount: Big): number => Number(roundAmount(amount, 2).toFixed(2))

const pesos = ({ moneda, tipoCambio }: Invoice, amount: string): Big =>
  inPesos(decimal(amount), moneda, tipoCambio)

// ---------------------------------------------------------------- income

/** The income of one client, product or month. */
export interface Share {
  /** With `name`: tax id and name, key and description, or month and ''. */
  readonly key: string
  readonly name: string
  invoiceCount: number
  total: Big
}

export interface Income {
  readonly income: Big
  readonly creditNotes: Big
  readonly invoiceCount: number
  /** Largest first; months in chronological order. */
  readonly shares: readonly Share[]
}

/** Adds up income invoices and credit notes by their totals. The shares cover only the income. */
export async function incomeReport(workspace: Workspace, period: Period, by: Grouping): Promise<Income> {
  let income = ZERO
  let creditNotes = ZERO
  let invoiceCount = 0
  const shares = new Map<string, Share>()
  for await (const invoice of invoicesAndCreditNotes(workspace, period)) {
    const total = pesos(invoice, invoice.total)
    if (invoice.type === 'E') {
      creditNotes = creditNotes.plus(total)
      continue
    }
    income = income.plus(total)
    invoiceCount += 1
    for (const { key, name, amount } of partsOf(invoice, total, by)) {
      const id = JSON.stringify([key, name])
      const share = shares.get(id) ?? { key, name, invoiceCount: 0, total: ZERO }
      share.invoiceCount += 1
      share.total = share.total.plus(amount)
      shares.set(id, share)
    }
  }
  return { income, creditNotes, invoiceCount, shares: ordered([...shares.values()], by) }
}

const ordered = (shares: Share[], by: Grouping): Share[] =>
  shares.sort((one, other) =>
    by === 'month'
      ? one.key < other.key
        ? -1
        : 1
      : other.total.cmp(one.total) || (one.key < other.key ? -1 : 1),
  )

interface PartOfInvoice {
  readonly key: string
  readonly name: string
  readonly amount: Big
}

function partsOf(invoice: Invoice, total: Big, by: Grouping): PartOfInvoice[] {
  const { receptor, conceptos, date } = invoice
  switch (by) {
    case 'client':
      return [{ key: receptor.rfc, name: receptor.nombre, amount: total }]
    case 'month':
      return [{ key: monthOf(date), name: '', amount: total }]
    case 'product': {
      const parts = new Map<string, PartOfInvoice>()
      for (const line of conceptos) {
        const { claveProdServ: key, descripcion: name } = line
        const id = JSON.stringify([key, name])
        const amount = (parts.get(id)?.amount ?? ZERO).plus(pesos(invoice, totalOf(line).toFixed()))
        parts.set(id, { key, name, amount })
      }
      return [...parts.values()]
    }
  }
}

const importes = (lines: readonly TaxLine[]): Big =>
  sumOf(lines.map(({ importe }) => decimal(importe ?? '0')))

/** Computes the total of a line including taxes. */
const totalOf = ({ importe, descuento, impuestos }: Concept): Big =>
  decimal(importe)
    .minus(descuento ?? '0')
    .plus(importes(impuestos.traslados))
    .minus(importes(impuestos.retenciones))

// ---------------------------------------------------------------- taxes

export interface TaxReport {
  /** The charged IVA by rate: "0.160000", or "exento". */
  readonly charged: ReadonlyMap<string, { readonly base: Big; readonly importe: Big }>
  readonly withheldIsr: Big
  readonly withheldIva: Big
  readonly invoiceCount: number
  readonly creditNoteCount: number
}

const IVA = '002'
const ISR = '001'

/** Adds up the taxes of income invoices less those of credit notes. */
export async function taxReport(workspace: Workspace, period: Period): Promise<TaxReport> {
  const charged = new Map<string, { base: Big; importe: Big }>()
  const withheld: Record<string, Big> = { [ISR]: ZERO, [IVA]: ZERO }
  const count = { I: 0, E: 0 }
  for await (const invoice of invoicesAndCreditNotes(workspace, period)) {
    const sign = invoice.type === 'E' ? -1 : 1
    count[sign === 1 ? 'I' : 'E'] += 1
    const amount = (text: string | null): Big => pesos(invoice, text ?? '0').times(sign)
    for (const { impuesto, tasa, base, importe } of invoice.impuestos.traslados) {
      if (impuesto !== IVA) continue
      const rate = tasa ?? 'exento'
      const before = charged.get(rate) ?? { base: ZERO, importe: ZERO }
      charged.set(rate, {
        base: before.base.plus(amount(base)),
        importe: before.importe.plus(amount(importe)),
      })
    }
    for (const { impuesto, importe } of invoice.impuestos.retenciones) {
      const before = withheld[impuesto]
      if (before) withheld[impuesto] = before.plus(amount(importe))
    }
  }
  return {
    charged,
    withheldIsr: withheld[ISR] ?? ZERO,
    withheldIva: withheld[IVA] ?? ZERO,
    invoiceCount: count.I,
    creditNoteCount: count.E,
  }
}
