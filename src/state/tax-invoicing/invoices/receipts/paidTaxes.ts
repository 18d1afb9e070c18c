/** The taxes of a payment of an invoice: those of the request, or the paid share of the taxes of the invoice. */
import {
  decimal,
  countDecimals,
  formatFixed,
  LINE_DECIMALS,
  formatLineAmount,
  roundAmount,
  smallestUnit,
  sumOf,
  taxLimits,
  ZERO,
  type Amount,
} from '../../documents/amounts.ts'
import {
  checkTax,
  NOT_ALLOWED_IF_EXEMPT,
  TOO_PRECISE,
  type AddProblem,
  type TaxCodes,
} from '../../documents/concepts.ts'
import type { Invoice } from '../invoices.ts'
import type { Concept, Tax, TaxLine, Taxes } from '../../jsonColumns.ts'
import type { Side } from '../../documents/taxRates.ts'
import { sumByKind } from '../../documents/totals.ts'

/** A tax of a payment in a request. If `importe` is null, it is computed from the rate. */
export interface NewTaxLine extends Tax {
  readonly base: string
  readonly importe: string | null
}

/** The authority's error codes for receipts. */
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

/** Checks the taxes of a payment. `paid` is the paid amount, `decimals` are those of the currency of the invoice. */
export function checkPaidTaxes(
  taxes: Taxes<NewTaxLine>,
  invoice: Invoice,
  paid: Amount,
  decimals: number,
  addProblem: AddProblem,
): void {
  let problemCount = 0
  const add: AddProblem = (...problem) => {
    problemCount += 1
    addProblem(...problem)
  }
  // The paid amount is the bases plus charged less withheld taxes, so no base exceeds this maximum.
  const max = paid.plus(invoice.totalRetenidos)
  const check = (line: NewTaxLine, side: Side, path: string): void => {
    const amounts = [
      ['base', line.base],
      ['tasa', line.tasa],
      ['importe', line.importe],
    ] as const
    const tooPrecise = amounts.filter(([, value]) => value !== null && countDecimals(value) > LINE_DECIMALS)
    for (const [field] of tooPrecise) add(`${path}.${field}`, 'too_precise', TOO_PRECISE)
    if (tooPrecise.length > 0) return
    // The base of a Cuota is a quantity, so only its tax is comparable to the paid amount.
    const [rule, comparedAmount] =
      line.tipoFactor === 'Cuota'
        ? (['have a tax of', decimal(line.base).times(line.tasa ?? '0')] as const)
        : (['be', decimal(line.base)] as const)
    // Allows a rounding difference, because the total of an invoice is rounded, but its bases are not.
    if (comparedAmount.minus(max).gte(smallestUnit(decimals))) {
      add(
        `${path}.base`,
        'too_large',
        `must ${rule} at most the paid amount plus the withheld taxes of the invoice, ${formatFixed(max, decimals)}`,
      )
    }
    checkTax(line, side, path, add, CODES[side])
    checkAmount(line, side, path, add)
  }
  taxes.traslados.forEach((line, index) => {
    check(line, 'traslado', `impuestos_dr.traslados.${String(index)}`)
  })
  taxes.retenciones.forEach((line, index) => {
    check(line, 'retencion', `impuestos_dr.retenciones.${String(index)}`)
  })
  checkDuplicates(taxes, 'impuestos_dr', add)
  // Taxes that are wrong in themselves are not compared with those of the invoice.
  if (problemCount === 0) checkTaxesOfInvoice(taxes, invoice, paid, decimals, add)
}

/** True if two taxes differ at most in their amounts. Rates are compared as numbers. */
const isSameKind = (one: Tax, other: Tax): boolean =>
  one.impuesto === other.impuesto &&
  one.tipoFactor === other.tipoFactor &&
  (one.tasa === null || other.tasa === null ? one.tasa === other.tasa : decimal(one.tasa).eq(other.tasa))

/** Refuses taxes that the invoice does not have, and bases that no payment of its lines can have (assumed). */
function checkTaxesOfInvoice(
  taxes: Taxes<NewTaxLine>,
  { conceptos }: Invoice,
  paid: Amount,
  decimals: number,
  add: AddProblem,
): void {
  const tolerance = smallestUnit(decimals)
  for (const side of ['traslados', 'retenciones'] as const) {
    taxes[side].forEach((tax, index) => {
      const path = `impuestos_dr.${side}.${String(index)}`
      const [min, max] = basesIn(conceptos, side, tax, paid)
      if (max === null) {
        const kinds = sumByKind(
          conceptos.flatMap(({ impuestos }) => impuestos[side]),
          LINE_DECIMALS,
        )
        add(path, 'mismatch', `must be a tax of the invoice: ${wordsOf(kinds)}`)
      } else if (decimal(tax.base).minus(max).gte(tolerance)) {
        add(`${path}.base`, 'too_large', `must be at most the base in the invoice, ${max.toFixed()}`)
      } else if (min.minus(tax.base).gte(tolerance)) {
        const rule = `must be at least ${formatFixed(min, decimals)}, because the other lines do not cover the paid amount`
        add(`${path}.base`, 'too_small', rule)
      }
    })
  }
}

const wordsOf = (kinds: readonly Tax[]): string =>
  kinds
    .map(({ impuesto, tipoFactor, tasa }) => [impuesto, tipoFactor, tasa ?? ''].join(' ').trim())
    .join(', ') || 'it has none on this side'

/**
 * Returns the smallest and the largest base that a payment of some lines can have: the smallest if the lines without the tax
 * are paid in full. Withheld taxes are left out of the smallest one, so that shares before and after them are accepted.
 */
function basesIn(
  conceptos: readonly Concept[],
  side: keyof Taxes,
  tax: Tax,
  paid: Amount,
): [min: Amount, max: Amount | null] {
  let [others, base] = [ZERO, ZERO]
  let ratio: Amount | null = null
  for (const { importe, descuento, impuestos } of conceptos) {
    const charged = sumOf(impuestos.traslados.map((each) => decimal(each.importe ?? '0')))
    const gross = decimal(importe)
      .minus(descuento ?? '0')
      .plus(charged)
    const line = impuestos[side].find((each) => isSameKind(each, tax))
    if (!line) {
      others = others.plus(gross)
      continue
    }
    base = base.plus(line.base)
    const share = gross.eq(0) ? ZERO : decimal(line.base).div(gross)
    ratio = ratio === null || share.lt(ratio) ? share : ratio
  }
  if (ratio === null) return [ZERO, null]
  const rest = paid.minus(others)
  return [rest.gt(0) ? roundAmount(rest.times(ratio), LINE_DECIMALS) : ZERO, base]
}

/**
 * Refuses two taxes with the same impuesto, tipo_factor and tasa. Unlike a line, a payment can have a tax at two rates,
 * because the lines of its invoice can differ.
 */
function checkDuplicates(taxes: Taxes<NewTaxLine>, path: string, add: AddProblem): void {
  for (const side of ['traslados', 'retenciones'] as const) {
    const firstIndexes = new Map<string, number>()
    taxes[side].forEach(({ impuesto, tipoFactor, tasa }, index) => {
      const kind = `${impuesto} ${tipoFactor} ${tasa === null ? '' : decimal(tasa).toFixed()}`
      const first = firstIndexes.get(kind)
      if (first === undefined) firstIndexes.set(kind, index)
      else {
        add(
          `${path}.${side}.${String(index)}`,
          'duplicate',
          `must differ from ${side}.${String(first)} in impuesto, tipo_factor or tasa; remove one of them`,
        )
      }
    })
  }
}

/** Checks that the amount is the base times the rate, to the decimals of the amount. */
function checkAmount(
  { tipoFactor, tasa, base, importe }: NewTaxLine,
  side: Side,
  path: string,
  add: AddProblem,
) {
  if (importe === null) return
  if (tipoFactor === 'Exento') {
    if (side === 'traslado') add(`${path}.importe`, CODES[side].exempt, NOT_ALLOWED_IF_EXEMPT)
    return
  }
  if (tasa === null) return
  const sent = decimal(importe)
  const { min, max } = taxLimits(formatLineAmount(decimal(base)), tasa, countDecimals(formatLineAmount(sent)))
  if (sent.lt(min) || sent.gt(max)) {
    add(
      `${path}.importe`,
      CODES[side].importe,
      `must be base times tasa, from ${min.toFixed()} to ${max.toFixed()}`,
    )
  }
}

/** Converts the taxes of a request to the stored form. */
export const paidTaxesOf = ({ traslados, retenciones }: Taxes<NewTaxLine>): Taxes => ({
  traslados: traslados.map(lineOf),
  retenciones: retenciones.map(lineOf),
})

const lineOf = ({ tasa, base, importe, ...kind }: NewTaxLine): TaxLine => ({
  ...kind,
  tasa: tasa === null ? null : formatFixed(decimal(tasa), LINE_DECIMALS),
  base: formatLineAmount(decimal(base)),
  importe: importe === null ? amountOf(decimal(base), tasa) : formatLineAmount(decimal(importe)),
})

const amountOf = (base: Amount, tasa: string | null): string | null =>
  tasa === null ? null : formatLineAmount(roundAmount(base.times(tasa), LINE_DECIMALS))

/** Computes the share of the taxes of an invoice that belongs to a payment. */
export function shareOf({ conceptos, total }: Invoice, paid: Amount): Taxes {
  const whole = decimal(total)
  // Avoids a division by zero. Such an invoice has no balance, so the amount is refused anyway.
  if (whole.eq(0)) return { traslados: [], retenciones: [] }
  const share = ({ base: wholeBase, tasa, ...kind }: TaxLine): TaxLine => {
    const base = roundAmount(decimal(wholeBase).times(paid).div(whole), LINE_DECIMALS)
    return { ...kind, tasa, base: formatLineAmount(base), importe: amountOf(base, tasa) }
  }
  const shares = (lines: readonly TaxLine[]): TaxLine[] =>
    sumByKind(lines, LINE_DECIMALS)
      .map(share)
      .filter(({ base }) => decimal(base).gt(0))
  return {
    traslados: shares(conceptos.flatMap((concept) => concept.impuestos.traslados)),
    retenciones: shares(conceptos.flatMap((concept) => concept.impuestos.retenciones)),
  }
}
