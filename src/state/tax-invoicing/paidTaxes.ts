/** The taxes of what a receipt pays of an invoice: those that were sent, or as much of the invoice's as is paid of it. */
import {
  decimal,
  decimalsOf,
  fixed,
  LINE_DECIMALS,
  ofLine,
  rounded,
  taxLimits,
  unitOf,
  type Amount,
} from './amounts.ts'
import { checkTax, NOT_OF_EXEMPT, refuseRepeated, TOO_PRECISE, type Add, type TaxCodes } from './concepts.ts'
import type { Invoice } from './invoices.ts'
import type { Tax, TaxLine, Taxes } from './tables.ts'
import type { Side } from './taxRates.ts'
import { gathered } from './totals.ts'

/** A tax of what is paid, as it was sent; `importe` is null where that is left to the rate. */
export interface NewTaxLine extends Tax {
  readonly base: string
  readonly importe: string | null
}

/** The authority's codes, of receipts. */
const CODES: Readonly<Record<Side, TaxCodes & { readonly importe: string }>> = {
  traslado: {
    impuesto: 'CRP20256',
    exempt: 'CRP20258',
    missing: 'CRP20259',
    tasa: 'CRP20260',
    importe: 'CRP20261',
  },
  retencion: {
    impuesto: 'CRP20250',
    exempt: 'CRP20252',
    missing: 'CRP20253',
    tasa: 'CRP20253',
    importe: 'CRP20254',
  },
}

/** `paid` is what is paid of the invoice, `decimals` those of its currency. */
export function checkPaidTaxes(
  taxes: Taxes<NewTaxLine>,
  { totalRetenidos }: Invoice,
  paid: Amount,
  decimals: number,
  add: Add,
): void {
  // What is paid is the bases with what is charged and without what is withheld, so none of them is more than this.
  const most = paid.plus(totalRetenidos)
  const check = (line: NewTaxLine, side: Side, place: string): void => {
    const precise = [
      ['base', line.base],
      ['tasa', line.tasa],
      ['importe', line.importe],
    ] as const
    const tooPrecise = precise.filter(([, value]) => value !== null && decimalsOf(value) > LINE_DECIMALS)
    for (const [field] of tooPrecise) add(`${place}.${field}`, 'too_precise', TOO_PRECISE)
    if (tooPrecise.length > 0) return
    // The base of a Cuota is a quantity, of which the tax alone can be compared with what is paid.
    const [what, taxedAmount] =
      line.tipoFactor === 'Cuota'
        ? (['come to a tax of', decimal(line.base).times(line.tasa ?? '0')] as const)
        : (['be', decimal(line.base)] as const)
    // The total of an invoice is rounded and its bases are not.
    if (taxedAmount.minus(most).gte(unitOf(decimals))) {
      add(
        `${place}.base`,
        'too_large',
        `must ${what} at most what is paid and withheld of the invoice, ${fixed(most, decimals)}`,
      )
    }
    checkTax(line, side, place, add, CODES[side])
    checkAmount(line, side, place, add)
  }
  taxes.traslados.forEach((line, index) => {
    check(line, 'traslado', `impuestos_dr.traslados.${String(index)}`)
  })
  taxes.retenciones.forEach((line, index) => {
    check(line, 'retencion', `impuestos_dr.retenciones.${String(index)}`)
  })
  refuseRepeated(taxes, 'impuestos_dr', add)
}

/** The amount has to be that of a base and a rate, to the decimals that it is written with itself. */
function checkAmount({ tipoFactor, tasa, base, importe }: NewTaxLine, side: Side, place: string, add: Add) {
  if (importe === null) return
  if (tipoFactor === 'Exento') {
    if (side === 'traslado') add(`${place}.importe`, CODES[side].exempt, NOT_OF_EXEMPT)
    return
  }
  if (tasa === null) return
  const sent = decimal(importe)
  const { least, most } = taxLimits(ofLine(decimal(base)), tasa, decimalsOf(ofLine(sent)))
  if (sent.lt(least) || sent.gt(most)) {
    add(
      `${place}.importe`,
      CODES[side].importe,
      `must be base times tasa, from ${least.toFixed()} to ${most.toFixed()}`,
    )
  }
}

/** What was sent, as receipts keep it. */
export const paidTaxesOf = ({ traslados, retenciones }: Taxes<NewTaxLine>): Taxes => ({
  traslados: traslados.map(lineOf),
  retenciones: retenciones.map(lineOf),
})

const lineOf = ({ tasa, base, importe, ...kind }: NewTaxLine): TaxLine => ({
  ...kind,
  tasa: tasa === null ? null : fixed(decimal(tasa), LINE_DECIMALS),
  base: ofLine(decimal(base)),
  importe: importe === null ? amountOf(decimal(base), tasa) : ofLine(decimal(importe)),
})

const amountOf = (base: Amount, tasa: string | null): string | null =>
  tasa === null ? null : ofLine(rounded(base.times(tasa), LINE_DECIMALS))

/** The taxes of an invoice, as much of each as is paid of its total. */
export function shareOf({ conceptos, total }: Invoice, paid: Amount): Taxes {
  const whole = decimal(total)
  // Nothing is left of such an invoice, which is told of the amount.
  if (whole.eq(0)) return { traslados: [], retenciones: [] }
  const share = ({ base: ofWhole, tasa, ...kind }: TaxLine): TaxLine => {
    const base = rounded(decimal(ofWhole).times(paid).div(whole), LINE_DECIMALS)
    return { ...kind, tasa, base: ofLine(base), importe: amountOf(base, tasa) }
  }
  const shares = (lines: readonly TaxLine[]): TaxLine[] =>
    gathered(lines, LINE_DECIMALS)
      .map(share)
      .filter(({ base }) => decimal(base).gt(0))
  return {
    traslados: shares(conceptos.flatMap((concept) => concept.impuestos.traslados)),
    retenciones: shares(conceptos.flatMap((concept) => concept.impuestos.retenciones)),
  }
}
