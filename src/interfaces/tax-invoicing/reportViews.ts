/** Serializes the reports of tax invoicing for JSON responses and as tables for files. */
import type { Static } from '@sinclair/typebox'
import type { Cell, FileColumn, FileTable, Row } from '../../http/files/tables/fileTable.ts'
import { iso, isoOrNull, offsetInstantOf } from '@suite-sim/kit/time/instants'
import { mapInSlices } from '../../state/model/slices.ts'
import { decimal, sumOf, ZERO } from '../../state/tax-invoicing/documents/amounts.ts'
import { inPesos, rateOf } from '../../state/tax-invoicing/documents/documents.ts'
import type { Invoice } from '../../state/tax-invoicing/invoices/invoices.ts'
import {
  type CancelledInvoice,
  type Receivables,
  AGES,
  type Age,
} from '../../state/tax-invoicing/reports/receivables.ts'
import type { Period } from '../../state/shared/periods.ts'
import { issuerDayOf } from '../../state/tax-invoicing/reports/reportPeriods.ts'
import {
  roundToCents,
  type Grouping,
  type Income,
  type Share,
  type TaxReport as Taxes,
} from '../../state/tax-invoicing/reports/reports.ts'
import { cancellationMachine } from '../../state/tax-invoicing/machines.ts'
import { localTime } from '../../state/tax-invoicing/xml/stamping.ts'
import { CANCELLATION_REASONS } from '../../state/tax-invoicing/tables.ts'
import { balanceHeading, periodHeading, type Words } from './reportWords.ts'
import type { CancellationReport, IncomeReport, ReceivableReport, TaxReport } from './shapes/reports.ts'

const periodView = ({ label, firstDay, lastDay }: Period) => ({
  period: label,
  from: firstDay,
  to: lastDay,
})

const text = (title: string) => ({ title, is: 'text' }) as const
const amount = (title: string) => ({ title, is: 'amount' }) as const
/** A column whose values are never cut off. */
const code = (title: string) => ({ title, is: 'code' }) as const
const count = (title: string) => ({ title, is: 'count' }) as const
const date = (title: string) => ({ title, is: 'date' }) as const
const time = (title: string) => ({ title, is: 'time' }) as const

const translated = (columns: readonly FileColumn[], words: Words): FileColumn[] =>
  columns.map(({ title, is }) => ({ title: words(title), is }))

// ---------------------------------------------------------------- income

const groupView = (by: Grouping, { key, name }: Share) => {
  switch (by) {
    case 'client':
      return { client_rfc: key, client_name: name }
    case 'product':
      return { clave_prod_serv: key, descripcion: name }
    case 'month':
      return { month: key }
  }
}

export const incomeView = async (
  period: Period,
  by: Grouping,
  { income, creditNotes, invoiceCount, shares }: Income,
): Promise<Static<typeof IncomeReport>> => ({
  ...periodView(period),
  total_income: roundToCents(income),
  total_credit_notes: roundToCents(creditNotes),
  net_income: roundToCents(income.minus(creditNotes)),
  invoice_count: invoiceCount,
  breakdown: await mapInSlices(shares, (share) => ({
    ...groupView(by, share),
    invoice_count: share.invoiceCount,
    total: roundToCents(share.total),
    percentage: income.eq(0) ? 0 : roundToCents(share.exact.times(100).div(income)),
  })),
})

const GROUP_HEADS = {
  client: ['RFC', 'Client'],
  product: ['Key', 'Product'],
  month: ['Month'],
} as const

export const incomeTable = (report: Static<typeof IncomeReport>, by: Grouping, words: Words): FileTable => {
  const heads = GROUP_HEADS[by]
  const blanks = heads.slice(1).map(() => null)
  return {
    title: `${words('Income')} ${report.period}`,
    heading: periodHeading(report),
    columns: translated(
      [...heads.map(text), count('Invoices'), amount('Total MXN'), amount('Percentage')],
      words,
    ),
    rows: [
      ...report.breakdown.map((part) => [
        ...[part.client_rfc, part.client_name, part.clave_prod_serv, part.descripcion, part.month].filter(
          (each) => each !== undefined,
        ),
        part.invoice_count,
        part.total,
        part.percentage,
      ]),
      [words('Total income'), ...blanks, report.invoice_count, report.total_income, null],
      [words('Credit notes'), ...blanks, null, report.total_credit_notes, null],
      [words('Net income'), ...blanks, null, report.net_income, null],
    ],
  }
}

// ---------------------------------------------------------------- taxes

export function taxView(period: Period, taxes: Taxes): Static<typeof TaxReport> {
  const rate = (name: string) => {
    const found = taxes.charged.get(name)
    return { base: found ? roundToCents(found.base) : 0, importe: found ? roundToCents(found.importe) : 0 }
  }
  const charged = sumOf([...taxes.charged.values()].map(({ importe }) => importe))
  return {
    ...periodView(period),
    iva_trasladado: {
      tasa_16: rate('0.160000'),
      tasa_8: rate('0.080000'),
      tasa_0: rate('0.000000'),
      exento: { base: rate('exento').base },
      total: roundToCents(charged),
    },
    retenciones: {
      isr: roundToCents(taxes.withheldIsr),
      iva_retenido: roundToCents(taxes.withheldIva),
      total: roundToCents(taxes.withheldIsr.plus(taxes.withheldIva)),
    },
    invoice_count: taxes.invoiceCount,
    credit_note_count: taxes.creditNoteCount,
  }
}

export const taxTable = (report: Static<typeof TaxReport>, words: Words): FileTable => ({
  title: `${words('Taxes')} ${report.period}`,
  heading: periodHeading(report),
  columns: translated([text('Tax'), amount('Base MXN'), amount('Amount MXN'), count('Count')], words),
  rows: taxRows(report).map(([label, ...cells]) => [words(label), ...cells]),
})

const taxRows = ({
  iva_trasladado: iva,
  retenciones,
  invoice_count: invoices,
  credit_note_count: creditNotes,
}: Static<typeof TaxReport>): [label: string, ...Row][] => [
  ['IVA 16 %', iva.tasa_16.base, iva.tasa_16.importe, null],
  ['IVA 8 %', iva.tasa_8.base, iva.tasa_8.importe, null],
  ['IVA 0 %', iva.tasa_0.base, iva.tasa_0.importe, null],
  ['IVA exempt', iva.exento.base, null, null],
  ['IVA charged', null, iva.total, null],
  ['ISR withheld', null, retenciones.isr, null],
  ['IVA withheld', null, retenciones.iva_retenido, null],
  ['Withheld', null, retenciones.total, null],
  ['Invoices', null, null, invoices],
  ['Credit notes', null, null, creditNotes],
]

// ---------------------------------------------------------------- cancellations

/** Returns the pesos for one unit of the currency of an invoice, or null if it has none. */
const rateView = ({ moneda, tipoCambio }: Invoice): number | null => {
  const rate = rateOf(moneda, tipoCambio)
  return rate && Number(rate)
}

/** Counts how often each name occurs. */
const countEach = (names: readonly string[], found: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, found.filter((each) => each === name).length]))

export async function cancellationsView(
  period: Period,
  found: readonly CancelledInvoice[],
): Promise<Static<typeof CancellationReport>> {
  let amount = ZERO
  const invoices = await mapInSlices(found, ({ invoice, cancellation }) => {
    // Rounded, so that the rows add up to the total.
    const pesos = roundToCents(inPesos(decimal(invoice.total), invoice.moneda, invoice.tipoCambio))
    amount = amount.plus(pesos)
    return {
      invoice_id: invoice.id,
      uuid: invoice.uuid,
      serie: invoice.serie,
      folio: invoice.folio,
      type: invoice.type,
      client: { rfc: invoice.receptor.rfc, nombre: invoice.receptor.nombre },
      total: Number(invoice.total),
      moneda: invoice.moneda,
      tipo_cambio: rateView(invoice),
      total_mxn: pesos,
      status: invoice.status,
      motivo: cancellation.motivo,
      uuid_sustitucion: cancellation.uuidSustitucion,
      cancellation_status: cancellation.status,
      requested_at: iso(cancellation.requestedAt),
      resolved_at: isoOrNull(cancellation.resolvedAt),
    }
  })
  return {
    ...periodView(period),
    total: found.length,
    total_amount: roundToCents(amount),
    by_motivo: countEach(
      CANCELLATION_REASONS,
      found.map(({ cancellation }) => cancellation.motivo),
    ),
    by_status: countEach(
      cancellationMachine.states,
      found.map(({ cancellation }) => cancellation.status),
    ),
    invoices,
  }
}

/** Returns the row of totals below the records, in pesos. `cells` has the values by English column title. */
const totalOf = (columns: readonly FileColumn[], cells: Readonly<Record<string, Cell>>): Row =>
  columns.map(({ title }, index) => cells[title] ?? (index === 0 ? 'Total' : null))

/** Formats an instant in the issuer's local time, like the dates of the XML, because the file has no time zone. */
const issuerTime = (instant: string): string => localTime(offsetInstantOf(instant)).replace('T', ' ')

const CANCELLATION_COLUMNS = [
  code('UUID'),
  ...['Serie', 'Folio', 'RFC', 'Client'].map(text),
  amount('Total'),
  text('Currency'),
  ...['Rate', 'Total MXN'].map(amount),
  text('Motivo'),
  code('Substitute'),
  text('Status'),
  ...['Requested', 'Resolved'].map(time),
]

export const cancellationsTable = async (
  report: Static<typeof CancellationReport>,
  words: Words,
): Promise<FileTable> => ({
  title: `${words('Cancellations')} ${report.period}`,
  heading: periodHeading(report),
  columns: translated(CANCELLATION_COLUMNS, words),
  rows: [
    ...(await mapInSlices(report.invoices, (each) => [
      each.uuid,
      each.serie,
      String(each.folio),
      each.client.rfc,
      each.client.nombre,
      each.total,
      each.moneda,
      each.tipo_cambio,
      each.total_mxn,
      each.motivo,
      each.uuid_sustitucion,
      words(each.cancellation_status),
      issuerTime(each.requested_at),
      each.resolved_at && issuerTime(each.resolved_at),
    ])),
    totalOf(CANCELLATION_COLUMNS, { 'Total MXN': report.total_amount }),
  ],
})

// ---------------------------------------------------------------- receivables

export const receivablesView = async ({
  found,
  total,
  byAge,
}: Receivables): Promise<Static<typeof ReceivableReport>> => ({
  data: await mapInSlices(found, ({ invoice, status, credited, balance, balanceInPesos, days, age }) => ({
    invoice_id: invoice.id,
    uuid: invoice.uuid,
    serie: invoice.serie,
    folio: invoice.folio,
    client: { rfc: invoice.receptor.rfc, nombre: invoice.receptor.nombre },
    date: iso(invoice.date),
    due_date: issuerDayOf(invoice.date),
    moneda: invoice.moneda,
    total: Number(invoice.total),
    paid: Number(invoice.paid),
    credited: Number(credited.toFixed()),
    // The currency may have more decimals than pesos.
    balance: Number(balance.toFixed()),
    tipo_cambio: rateView(invoice),
    balance_mxn: roundToCents(balanceInPesos),
    status,
    days_overdue: status === 'paid' ? 0 : days,
    aging_bucket: age,
  })),
  summary: {
    invoice_count: found.length,
    total: roundToCents(total),
    by_aging: Object.fromEntries(AGES.map((age) => [age, roundToCents(byAge[age])])) as Record<Age, number>,
  },
})

const RECEIVABLE_COLUMNS = [
  code('UUID'),
  ...['Serie', 'Folio', 'RFC', 'Client'].map(text),
  date('Due'),
  ...['Total', 'Paid', 'Credited', 'Balance'].map(amount),
  text('Currency'),
  ...['Rate', 'Balance MXN'].map(amount),
  text('Status'),
  count('Days'),
  text('Aging'),
]

export const receivablesTable = async (
  { data, summary }: Static<typeof ReceivableReport>,
  words: Words,
  instant: number,
): Promise<FileTable> => ({
  title: words('Receivables'),
  heading: balanceHeading(instant),
  columns: translated(RECEIVABLE_COLUMNS, words),
  rows: [
    ...(await mapInSlices(data, (each) => [
      each.uuid,
      each.serie,
      String(each.folio),
      each.client.rfc,
      each.client.nombre,
      each.due_date,
      each.total,
      each.paid,
      each.credited,
      each.balance,
      each.moneda,
      each.tipo_cambio,
      each.balance_mxn,
      words(each.status),
      each.days_overdue,
      each.aging_bucket,
    ])),
    ...AGES.map((age) => totalOf(RECEIVABLE_COLUMNS, { 'Balance MXN': summary.by_aging[age], Aging: age })),
    totalOf(RECEIVABLE_COLUMNS, { 'Balance MXN': summary.total }),
  ],
})
