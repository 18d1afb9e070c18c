/** The words of reports: English in files for programs, Spanish on paper, as printed invoices are. */
import { issuerDayOf } from '../../state/tax-invoicing/reports/reportPeriods.ts'
import { ISSUER } from '../../state/tax-invoicing/taxpayers/issuer.ts'

/** Translates a word of a report. */
export type Words = (english: string) => string

export const english: Words = (word) => word

const SPANISH: Readonly<Record<string, string>> = {
  ...{
    Income: 'Ingresos',
    Taxes: 'Impuestos',
    Cancellations: 'Cancelaciones',
    Receivables: 'Cuentas por cobrar',
  },
  ...{ Client: 'Cliente', Key: 'Clave', Product: 'Producto', Month: 'Mes', Invoices: 'Facturas' },
  ...{ Percentage: 'Porcentaje', 'Total income': 'Total de ingresos' },
  ...{ 'Credit notes': 'Notas de crédito', 'Net income': 'Ingreso neto' },
  ...{ Tax: 'Impuesto', 'Amount MXN': 'Importe MXN', Count: 'Cantidad' },
  ...{ 'IVA exempt': 'IVA exento', 'IVA charged': 'IVA trasladado', 'ISR withheld': 'ISR retenido' },
  ...{ 'IVA withheld': 'IVA retenido', Withheld: 'Total retenido' },
  ...{ Currency: 'Moneda', Rate: 'Tipo de cambio', Substitute: 'Sustituto', Status: 'Estado' },
  ...{
    Requested: 'Solicitada',
    Resolved: 'Resuelta',
    pending_acceptance: 'en espera',
    cancelled: 'cancelada',
  },
  ...{ rejected: 'rechazada', Due: 'Vence', Paid: 'Pagado', Credited: 'Acreditado', Balance: 'Saldo' },
  ...{ 'Balance MXN': 'Saldo MXN', Days: 'Días', Aging: 'Antigüedad' },
  ...{ pending: 'pendiente', partial: 'parcial', paid: 'pagada' },
}

/** Words that both languages share are missing. */
export const spanish: Words = (word) => SPANISH[word] ?? word

const issuerLine = `${ISSUER.nombre}, RFC ${ISSUER.rfc}`

/** The issuer and the period, on paper. */
export const periodHeading = ({ from, to }: { readonly from: string; readonly to: string }): string[] => [
  issuerLine,
  `Periodo: del ${from} al ${to}`,
]

/** The issuer and the day of the balances, on paper. */
export const balanceHeading = (instant: number): string[] => [issuerLine, `Saldos al ${issuerDayOf(instant)}`]
