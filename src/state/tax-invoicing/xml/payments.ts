/** The complement of payments (Pagos 2.0), in the order of the authority's schema. */
import {
  decimal,
  formatFixed,
  LINE_DECIMALS,
  formatLineAmount,
  roundAmount,
  sumOf,
  type Amount,
} from '../documents/amounts.ts'
import type { Invoice } from '../invoices/invoices.ts'
import type { Receipt } from '../invoices/receipts.ts'
import { localTime } from './stamping.ts'
import type { TaxLine, Taxes } from '../jsonColumns.ts'
import { element, elementUnlessEmpty, type Element } from './xml.ts'

/** A payment of one invoice. */
export interface PaidDocument {
  readonly invoice: Invoice
  readonly equivalencia: string
  readonly numParcialidad: number
  readonly saldoAnterior: string
  readonly importePagado: string
  readonly saldoInsoluto: string
  readonly objetoImpDr: string
  readonly impuestosDr: Taxes
}

type Payment = Pick<
  Receipt,
  | 'fechaPago'
  | 'formaPago'
  | 'moneda'
  | 'tipoCambio'
  | 'monto'
  | 'numeroOperacion'
  | 'rfcBancoOrdenante'
  | 'cuentaOrdenante'
  | 'rfcBancoBeneficiario'
  | 'cuentaBeneficiaria'
>

export function paymentsElement(payment: Payment, documents: readonly PaidDocument[]): Element {
  const taxes = taxesOfPayment(documents)
  return element('pago20:Pagos', { Version: '2.0' }, [
    totalsElement(payment, taxes),
    element(
      'pago20:Pago',
      {
        FechaPago: localTime(payment.fechaPago),
        FormaDePagoP: payment.formaPago,
        MonedaP: payment.moneda,
        TipoCambioP: payment.tipoCambio,
        Monto: payment.monto,
        NumOperacion: payment.numeroOperacion,
        RfcEmisorCtaOrd: payment.rfcBancoOrdenante,
        CtaOrdenante: payment.cuentaOrdenante,
        RfcEmisorCtaBen: payment.rfcBancoBeneficiario,
        CtaBeneficiario: payment.cuentaBeneficiaria,
      },
      [...documents.map(documentElement), taxElement('P', taxes)],
    ),
  ])
}

const documentElement = (paid: PaidDocument): Element =>
  element(
    'pago20:DoctoRelacionado',
    {
      IdDocumento: paid.invoice.uuid,
      Serie: paid.invoice.serie,
      Folio: String(paid.invoice.folio),
      MonedaDR: paid.invoice.moneda,
      EquivalenciaDR: paid.equivalencia,
      NumParcialidad: String(paid.numParcialidad),
      ImpSaldoAnt: paid.saldoAnterior,
      ImpPagado: paid.importePagado,
      ImpSaldoInsoluto: paid.saldoInsoluto,
      ObjetoImpDR: paid.objetoImpDr,
    },
    [taxElement('DR', paid.impuestosDr)],
  )

/** Builds the taxes of a document (DR) or of the payment (P). Withheld taxes of the payment have no rates. */
function taxElement(of: 'DR' | 'P', { traslados, retenciones }: Taxes): Element | null {
  const attributes = ({ base, impuesto, tipoFactor, tasa, importe }: TaxLine) => ({
    [`Base${of}`]: base,
    [`Impuesto${of}`]: impuesto,
    [`TipoFactor${of}`]: tipoFactor,
    [`TasaOCuota${of}`]: tasa,
    [`Importe${of}`]: importe,
  })
  const withheld = (line: TaxLine) =>
    of === 'DR' ? attributes(line) : { ImpuestoP: line.impuesto, ImporteP: line.importe }
  const parts = [
    elementUnlessEmpty(
      `pago20:Retenciones${of}`,
      retenciones.map((line) => element(`pago20:Retencion${of}`, withheld(line))),
    ),
    elementUnlessEmpty(
      `pago20:Traslados${of}`,
      traslados.map((line) => element(`pago20:Traslado${of}`, attributes(line))),
    ),
  ].filter((part) => part !== null)
  return elementUnlessEmpty(`pago20:Impuestos${of}`, parts)
}

/** Adds up the taxes of all documents in the currency of the payment. */
function taxesOfPayment(documents: readonly PaidDocument[]): Taxes {
  const inPayment = (side: keyof Taxes): TaxLine[] =>
    documents.flatMap(({ impuestosDr, equivalencia }) =>
      impuestosDr[side].map((line) => ({
        ...line,
        base: decimal(line.base).div(equivalencia).toFixed(),
        importe: line.importe === null ? null : decimal(line.importe).div(equivalencia).toFixed(),
      })),
    )
  return {
    traslados: sumByKind(inPayment('traslados'), ({ impuesto, tipoFactor, tasa }) =>
      [impuesto, tipoFactor, tasa].join(' '),
    ),
    retenciones: sumByKind(inPayment('retenciones'), ({ impuesto }) => impuesto),
  }
}

function sumByKind(lines: readonly TaxLine[], kind: (line: TaxLine) => string): TaxLine[] {
  const groups = groupByKind(lines, kind)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const sum = (each: (line: TaxLine) => string | null): string =>
      formatLineAmount(roundAmount(sumOf(group.map((line) => decimal(each(line) ?? '0'))), LINE_DECIMALS))
    return {
      ...first,
      base: sum(({ base }) => base),
      importe: first.importe && sum(({ importe }) => importe),
    }
  })
}

function groupByKind(lines: readonly TaxLine[], kind: (line: TaxLine) => string): Map<string, TaxLine[]> {
  const groups = new Map<string, TaxLine[]>()
  for (const line of lines) {
    const group = groups.get(kind(line))
    if (group) group.push(line)
    else groups.set(kind(line), [line])
  }
  return groups
}

const ISR = '001'
const IVA = '002'
const IEPS = '003'

/** Builds the totals in pesos, with two decimals. Leaves out totals without amounts. */
function totalsElement({ monto, tipoCambio }: Payment, { traslados, retenciones }: Taxes): Element {
  const inPesos = (amounts: readonly (string | null)[]): string | null =>
    amounts.length === 0 ? null : formatFixed(pesos(sumOf(amounts.map((each) => decimal(each ?? '0')))), 2)
  const pesos = (amount: Amount): Amount => amount.times(tipoCambio)
  const withheld = (tax: string): string | null =>
    inPesos(retenciones.filter(({ impuesto }) => impuesto === tax).map(({ importe }) => importe))
  const charged = (rate: string | null): readonly TaxLine[] =>
    traslados.filter(({ impuesto, tasa }) => impuesto === IVA && tasa === rate)
  const bases = (rate: string | null): string | null => inPesos(charged(rate).map(({ base }) => base))
  const amounts = (rate: string): string | null => inPesos(charged(rate).map(({ importe }) => importe))
  return element('pago20:Totales', {
    TotalRetencionesIVA: withheld(IVA),
    TotalRetencionesISR: withheld(ISR),
    TotalRetencionesIEPS: withheld(IEPS),
    TotalTrasladosBaseIVA16: bases('0.160000'),
    TotalTrasladosImpuestoIVA16: amounts('0.160000'),
    TotalTrasladosBaseIVA8: bases('0.080000'),
    TotalTrasladosImpuestoIVA8: amounts('0.080000'),
    TotalTrasladosBaseIVA0: bases('0.000000'),
    TotalTrasladosImpuestoIVA0: amounts('0.000000'),
    TotalTrasladosBaseIVAExento: bases(null),
    MontoTotalPagos: formatFixed(pesos(decimal(monto)), 2),
  })
}
