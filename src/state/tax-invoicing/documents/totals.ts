/** Computes the lines, the document taxes and the totals of an invoice. */
import {
  formatFixed,
  LINE_DECIMALS,
  formatLineAmount,
  decimal,
  roundAmount,
  sumOf,
  ZERO,
  type Amount,
} from './amounts.ts'
import type { Concept, Tax, TaxLine, Taxes } from '../jsonColumns.ts'
import type { invoices } from '../tables.ts'

/** A new line: the request with normalized texts. */
export interface NewConcept extends Omit<Concept, 'importe' | 'impuestos'> {
  /** The amount in the request; null if it is to be computed. */
  readonly importe: string | null
  readonly impuestos: Taxes<Tax>
}

/** The lines and amounts of an invoice. */
export type Totals = Readonly<
  Pick<
    typeof invoices.$inferSelect,
    'conceptos' | 'impuestos' | 'subtotal' | 'descuento' | 'totalTrasladados' | 'totalRetenidos' | 'total'
  >
>

/** Computes a tax of a base, to the decimals of a line. */
const computeTax = (base: Amount, { impuesto, tipoFactor, tasa }: Tax): TaxLine => ({
  impuesto,
  tipoFactor,
  tasa: tasa === null ? null : formatFixed(decimal(tasa), 6),
  base: formatLineAmount(base),
  importe: tasa === null ? null : formatLineAmount(roundAmount(base.times(tasa), LINE_DECIMALS)),
})

const IVA = '002'
const IEPS = '003'

/**
 * Returns a function that computes the base of a tax: the quantity for a Cuota, otherwise the amount less its discount. The
 * base of IVA includes the IEPS of the line (LIVA, article 12).
 */
export function basesOf(line: NewConcept): (tax: Tax) => Amount {
  const net = amountOf(line).minus(line.descuento ?? ZERO)
  const withoutIeps = ({ tipoFactor }: Tax): Amount => (tipoFactor === 'Cuota' ? decimal(line.cantidad) : net)
  const ieps = sumOf(
    line.impuestos.traslados
      .filter(({ impuesto }) => impuesto === IEPS)
      .map((tax) => decimal(computeTax(withoutIeps(tax), tax).importe ?? '0')),
  )
  return (tax) => (tax.impuesto === IVA ? withoutIeps(tax).plus(ieps) : withoutIeps(tax))
}

export const amountOf = ({ cantidad, valorUnitario, importe }: NewConcept): Amount =>
  importe === null
    ? roundAmount(decimal(cantidad).times(valorUnitario), LINE_DECIMALS)
    : roundAmount(decimal(importe), LINE_DECIMALS)

function conceptOf(line: NewConcept): Concept {
  const baseOf = basesOf(line)
  return {
    ...line,
    importe: formatLineAmount(amountOf(line)),
    descuento: line.descuento === null ? null : formatLineAmount(decimal(line.descuento)),
    impuestos: {
      traslados: line.impuestos.traslados.map((tax) => computeTax(baseOf(tax), tax)),
      retenciones: line.impuestos.retenciones.map((tax) => computeTax(baseOf(tax), tax)),
    },
  }
}

const kindOf = ({ impuesto, tipoFactor, tasa }: TaxLine): string => `${impuesto} ${tipoFactor} ${tasa ?? ''}`

/** Sums up the lines of each kind of tax, in the order of their first line. Rounds each sum once. */
export function sumByKind(
  lines: readonly TaxLine[],
  decimals: number,
  kind: (line: TaxLine) => string = kindOf,
): TaxLine[] {
  const groups = new Map<string, TaxLine[]>()
  for (const line of lines) {
    const group = groups.get(kind(line))
    if (group) group.push(line)
    else groups.set(kind(line), [line])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const sum = (each: (line: TaxLine) => string | null): string =>
      formatFixed(sumOf(group.map((line) => decimal(each(line) ?? '0'))), decimals)
    return {
      ...first,
      base: sum((line) => line.base),
      importe: first.importe === null ? null : sum((line) => line.importe),
    }
  })
}

const totalOf = (lines: readonly TaxLine[]): Amount =>
  sumOf(lines.map((line) => decimal(line.importe ?? '0')))

/** Computes the lines and totals of an invoice. `decimals` are those of the currency. */
export function totalsOf(lines: readonly NewConcept[], decimals: number): Totals {
  const conceptos = lines.map(conceptOf)
  const traslados = sumByKind(
    conceptos.flatMap((concept) => concept.impuestos.traslados),
    decimals,
  )
  // Withheld taxes are summed by tax only, regardless of their rates.
  const retenciones = sumByKind(
    conceptos.flatMap((concept) => concept.impuestos.retenciones),
    decimals,
    ({ impuesto }) => impuesto,
  )
  const subtotal = roundAmount(sumOf(conceptos.map(({ importe }) => decimal(importe))), decimals)
  const discounts = conceptos.flatMap(({ descuento }) => (descuento === null ? [] : [decimal(descuento)]))
  const descuento = discounts.length === 0 ? null : roundAmount(sumOf(discounts), decimals)
  const [charged, withheld] = [totalOf(traslados), totalOf(retenciones)]
  const total = subtotal
    .minus(descuento ?? ZERO)
    .plus(charged)
    .minus(withheld)
  return {
    conceptos,
    impuestos: { traslados, retenciones },
    subtotal: formatFixed(subtotal, decimals),
    descuento: descuento && formatFixed(descuento, decimals),
    totalTrasladados: formatFixed(charged, decimals),
    totalRetenidos: formatFixed(withheld, decimals),
    total: formatFixed(total, decimals),
  }
}
