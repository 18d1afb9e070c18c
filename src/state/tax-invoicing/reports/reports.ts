/**
 * Reports on income and taxes. Specification part 2, "Tax invoicing": it shows their fields, but not the rules for the sums.
 * All amounts are in pesos at the exchange rate of each invoice, and the sums are exact.
 */
import Big from 'big.js'
import { fold } from '@suite-sim/kit/text/collation'
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, roundAmount, sumOf, ZERO } from '../documents/amounts.ts'
import { inPesos } from '../documents/documents.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { invoicesAndCreditNotes } from './reportedInvoices.ts'
import type { Period } from '../../shared/periods.ts'
import { issuerDayOf } from './reportPeriods.ts'
import type { Concept, TaxLine } from '../jsonColumns.ts'
import { isGeneric } from '../taxpayers/taxpayers.ts'

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
  readonly invoiceCount: number
  /** With two decimals. The totals of all shares add up to the income. */
  readonly total: Big
  readonly exact: Big
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
  const shares = new Map<string, Counted>()
  for await (const invoice of invoicesAndCreditNotes(workspace, period)) {
    const total = pesos(invoice, invoice.total)
    if (invoice.type === 'E') {
      creditNotes = creditNotes.plus(total)
      continue
    }
    income = income.plus(total)
    invoiceCount += 1
    for (const { id, key, name, amount } of partsOf(invoice, total, by)) {
      const share = shares.get(id) ?? { key, name, invoiceCount: 0, exact: ZERO }
      // Invoices come by date, so the name is that of the latest one.
      share.name = name
      share.invoiceCount += 1
      share.exact = share.exact.plus(amount)
      shares.set(id, share)
    }
  }
  const counted = [...shares.values()]
  const totals = roundParts(
    counted.map(({ exact }) => exact),
    roundAmount(income, 2),
  )
  const rounded = counted.map((share, index) => ({ ...share, total: totals[index] ?? ZERO }))
  return { income, creditNotes, invoiceCount, shares: ordered(rounded, by) }
}

/** A share without its rounded total. */
interface Counted {
  readonly key: string
  name: string
  invoiceCount: number
  exact: Big
}

/**
 * Rounds parts to cents so that they add up to the rounded total: all down, then the parts with the largest rests up by a cent.
 */
function roundParts(parts: readonly Big[], total: Big): Big[] {
  const rounded = parts.map((part) => floor(part.times(100)))
  let missing = Number(total.times(100).minus(sumOf(rounded)).toFixed(0))
  const rests = parts.map((part, index) => ({ index, rest: part.times(100).minus(rounded[index] ?? ZERO) }))
  for (const { index } of rests.sort((one, other) => other.rest.cmp(one.rest))) {
    if (missing <= 0) break
    rounded[index] = (rounded[index] ?? ZERO).plus(1)
    missing -= 1
  }
  return rounded.map((cents) => cents.div(100))
}

function floor(value: Big): Big {
  const whole = value.round(0, Big.roundDown)
  return whole.gt(value) ? whole.minus(1) : whole
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
  /** Parts with the same id belong to one share. */
  readonly id: string
  readonly key: string
  readonly name: string
  readonly amount: Big
}

function partsOf(invoice: Invoice, total: Big, by: Grouping): PartOfInvoice[] {
  const { receptor, conceptos, date } = invoice
  switch (by) {
    case 'client': {
      const { rfc: key } = receptor
      const name = receptor.nombre.normalize('NFC')
      // A generic tax id stands for many clients, so the name tells them apart.
      return [{ id: isGeneric(key) ? `${key} ${fold(name)}` : key, key, name, amount: total }]
    }
    case 'month': {
      const month = issuerDayOf(date).slice(0, 'yyyy-mm'.length)
      return [{ id: month, key: month, name: '', amount: total }]
    }
    case 'product':
      return productParts(conceptos, total)
  }
}

/** Divides the total of an invoice among its products. The total is rounded, so the lines may not add up to it exactly. */
function productParts(conceptos: readonly Concept[], total: Big): PartOfInvoice[] {
  const parts = new Map<string, PartOfInvoice>()
  for (const line of conceptos) {
    const key = line.claveProdServ
    const name = line.descripcion.normalize('NFC')
    const id = JSON.stringify([key, name])
    parts.set(id, { id, key, name, amount: (parts.get(id)?.amount ?? ZERO).plus(totalOf(line)) })
  }
  const whole = sumOf([...parts.values()].map(({ amount }) => amount))
  return [...parts.values()].map((part, index) => ({
    ...part,
    amount: whole.eq(0) ? (index === 0 ? total : ZERO) : total.times(part.amount).div(whole),
  }))
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
