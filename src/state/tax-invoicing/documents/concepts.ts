/** The authority's validation rules for the lines of an invoice. */
import { decimal, countDecimals, LINE_DECIMALS, formatLineAmount, productLimits } from './amounts.ts'
import { largeCatalogs } from '../catalogs/largeCatalogs.ts'
import type { Problems } from './problems.ts'
import { OBJECT_CODES, TAXES } from '../catalogs/satCatalogs.ts'
import type { InvoiceType } from '../tables.ts'
import type { Tax, Taxes } from '../jsonColumns.ts'
import { isKnownRate, type Side } from './taxRates.ts'
import { amountOf, basesOf, type NewConcept } from './totals.ts'

/** The largest accepted amount. A JSON number can't represent every hundredth above it. */
export const LARGEST_AMOUNT = '999999999999.99'

const IVA = '002'

/** Codes of c_ObjetoImp: lines with taxes, without taxes, and without charged IVA. */
const WITH_TAXES = ['02', '05', '07']
const WITHOUT_TAXES = ['01', '03', '04', '08']
const WITHOUT_IVA = ['06', '07']

export function checkConcept(type: InvoiceType, line: NewConcept, index: number, problems: Problems): void {
  const add = (field: string, code: string, rule: string): void => {
    problems.add(`conceptos.${String(index)}.${field}`, code, rule)
  }
  const { isProductKey, isUnitKey } = largeCatalogs()
  if (!isProductKey(line.claveProdServ)) {
    add('clave_prod_serv', 'CFDI40162', 'must be in the catalog c_ClaveProdServ')
  }
  if (!isUnitKey(line.claveUnidad)) add('clave_unidad', 'CFDI40165', 'must be in the catalog c_ClaveUnidad')
  const isExact = checkDecimals(line, add)
  checkAmounts(type, line, add)
  checkObject(type, line, add)
  if (type === 'T') return
  checkTaxes(line, add)
  if (isExact) checkBases(line, add)
}

/** The rule for a number with too many decimals. */
export const TOO_PRECISE = `must have at most ${String(LINE_DECIMALS)} decimals`

/** Adds a problem: the wire name of the field, a code, and the rule that follows the field in the message. */
export type AddProblem = (field: string, code: string, rule: string) => void

/** Checks the decimals of JSON numbers, and returns whether all have few. The schema checks strings with a pattern. */
function checkDecimals(
  { cantidad, valorUnitario, importe, descuento, impuestos }: NewConcept,
  add: AddProblem,
): boolean {
  const values: [field: string, value: string | null][] = [
    ['cantidad', cantidad],
    ['valor_unitario', valorUnitario],
    ['importe', importe],
    ['descuento', descuento],
    ...impuestos.traslados.map(({ tasa }, index): [string, string | null] => [
      `impuestos.traslados.${String(index)}.tasa`,
      tasa,
    ]),
    ...impuestos.retenciones.map(({ tasa }, index): [string, string | null] => [
      `impuestos.retenciones.${String(index)}.tasa`,
      tasa,
    ]),
  ]
  const tooPrecise = values.filter(([, value]) => value !== null && countDecimals(value) > LINE_DECIMALS)
  for (const [field] of tooPrecise) add(field, 'too_precise', TOO_PRECISE)
  return tooPrecise.length === 0
}

function checkAmounts(type: InvoiceType, line: NewConcept, add: AddProblem): void {
  const { cantidad, valorUnitario, descuento } = line
  const price = decimal(valorUnitario)
  if (type === 'T') {
    checkTransfer(line, add)
    return
  }
  if (price.lte(0)) add('valor_unitario', 'CFDI40166', 'must be greater than 0')
  if (line.importe !== null) {
    const sent = decimal(line.importe)
    // The authority sees the amounts as the XML has them. The limits have as many decimals as the given amount.
    const { min, max } = productLimits(
      cantidad,
      formatLineAmount(price),
      countDecimals(formatLineAmount(sent)),
    )
    if (sent.lt(min) || sent.gt(max)) {
      add(
        'importe',
        'CFDI40167',
        `must be cantidad times valor_unitario, from ${min.toFixed()} to ${max.toFixed()}`,
      )
    }
  }
  const importe = amountOf(line)
  if (importe.gt(LARGEST_AMOUNT)) add('importe', 'CFDI40167', `must be at most ${LARGEST_AMOUNT}`)
  if (descuento !== null) {
    const decimals = countDecimals(formatLineAmount(importe))
    if (importe.lt(descuento)) {
      add('descuento', 'CFDI40169', `must be at most the importe of the line, ${importe.toFixed()}`)
    } else if (countDecimals(formatLineAmount(decimal(descuento))) > decimals) {
      add(
        'descuento',
        'CFDI40168',
        `must have at most ${String(decimals)} decimals, as the importe of the line, ${formatLineAmount(importe)}`,
      )
    }
  }
}

/** The lines of a transfer have no amounts. */
function checkTransfer({ valorUnitario, importe, descuento }: NewConcept, add: AddProblem): void {
  if (decimal(valorUnitario).gt(0)) add('valor_unitario', 'CFDI40109', 'must be 0 in a transfer')
  if (importe !== null && decimal(importe).gt(0)) add('importe', 'CFDI40109', 'must be 0 in a transfer')
  if (descuento !== null) add('descuento', 'CFDI40111', 'must be left out in a transfer')
}

function checkObject(type: InvoiceType, { objetoImp, impuestos }: NewConcept, add: AddProblem): void {
  const { traslados, retenciones } = impuestos
  const count = traslados.length + retenciones.length
  if (!OBJECT_CODES.has(objetoImp)) add('objeto_imp', 'CFDI40170', 'must be in the catalog c_ObjetoImp')
  else if (type === 'T' && count > 0) add('impuestos', 'CFDI40172', 'must be empty in a transfer')
  else if (type === 'T' && WITH_TAXES.includes(objetoImp)) {
    add('objeto_imp', 'CFDI40171', 'must be a code without taxes in a transfer, such as 01')
  } else if (WITH_TAXES.includes(objetoImp) && count === 0) {
    add('impuestos', 'CFDI40171', `must not be empty if objeto_imp is ${objetoImp}`)
  } else if (WITHOUT_TAXES.includes(objetoImp) && count > 0) {
    add('impuestos', 'CFDI40172', `must be empty if objeto_imp is ${objetoImp}`)
  } else if (WITHOUT_IVA.includes(objetoImp) && traslados.some(({ impuesto }) => impuesto === IVA)) {
    add('impuestos.traslados', 'CFDI40172', `must not have IVA if objeto_imp is ${objetoImp}`)
  }
}

/** The authority's error codes for a tax. */
export interface TaxCodes {
  readonly impuesto: string
  /** An exempt tax has a rate, or a withheld tax is exempt. */
  readonly exempt: string
  readonly missing: string
  readonly tasa: string
}

const CODES: Readonly<Record<Side, TaxCodes & { readonly base: string }>> = {
  traslado: {
    base: 'CFDI40174',
    impuesto: 'CFDI40175',
    exempt: 'CFDI40177',
    missing: 'CFDI40178',
    tasa: 'CFDI40179',
  },
  retencion: {
    base: 'CFDI40181',
    impuesto: 'CFDI40182',
    exempt: 'CFDI40184',
    missing: 'CFDI40185',
    tasa: 'CFDI40185',
  },
}

function checkTaxes(line: NewConcept, add: AddProblem): void {
  const { traslados, retenciones } = line.impuestos
  traslados.forEach((tax, index) => {
    checkTax(tax, 'traslado', `impuestos.traslados.${String(index)}`, add)
  })
  retenciones.forEach((tax, index) => {
    checkTax(tax, 'retencion', `impuestos.retenciones.${String(index)}`, add)
  })
  checkRepeated(line.impuestos, 'impuestos', add)
}

/** Checks that every tax of the line has a base greater than 0. */
function checkBases(line: NewConcept, add: AddProblem): void {
  const { traslados, retenciones } = line.impuestos
  const amount = amountOf(line)
  if (decimal(line.valorUnitario).lte(0) || amount.lt(line.descuento ?? '0')) return
  const baseOf = basesOf(line)
  const side = traslados.some((tax) => baseOf(tax).eq(0))
    ? 'traslado'
    : retenciones.some((tax) => baseOf(tax).eq(0)) && 'retencion'
  if (!side) return
  if (amount.gt(0)) {
    add('descuento', CODES[side].base, 'must leave a base greater than 0 for the taxes of the line')
  } else {
    // The product of a small quantity and a small price rounds to 0.
    const field = line.importe === null ? 'cantidad' : 'importe'
    const rule = 'must leave an importe, and with it a base of the taxes, greater than 0'
    add(field, CODES[side].base, rule)
  }
}

/**
 * Refuses a tax that its line already has on the same side, at any rate. Only a Tasa and a Cuota can share an impuesto,
 * as in the excise (IEPS). `path` is the path of the taxes.
 */
function checkRepeated(taxes: Taxes<Tax>, path: string, add: AddProblem): void {
  for (const side of ['traslados', 'retenciones'] as const) {
    taxes[side].forEach((tax, index) => {
      const first = taxes[side].findIndex((other) => other.impuesto === tax.impuesto && !canShare(other, tax))
      if (first >= index) return
      add(
        `${path}.${side}.${String(index)}`,
        'duplicate',
        `must not repeat the impuesto ${tax.impuesto} of ${side}.${String(first)} in one line; remove one of them or split the line`,
      )
    })
  }
}

const canShare = (one: Tax, other: Tax): boolean =>
  one.tipoFactor !== other.tipoFactor && one.tipoFactor !== 'Exento' && other.tipoFactor !== 'Exento'

/** Checks a tax against the catalogs. `path` is the path of the tax. */
export function checkTax(
  tax: Tax,
  side: Side,
  path: string,
  add: AddProblem,
  codes: TaxCodes = CODES[side],
): void {
  const { impuesto, tipoFactor, tasa } = tax
  if (TAXES.get(impuesto)?.[side] !== true) {
    add(
      `${path}.impuesto`,
      codes.impuesto,
      `must be a tax of the catalog c_Impuesto that can be ${SIDES[side]}`,
    )
  } else if (tipoFactor === 'Exento') {
    if (side === 'retencion') add(`${path}.tipo_factor`, codes.exempt, 'must not be Exento in a withheld tax')
    else if (tasa !== null) add(`${path}.tasa`, codes.exempt, NOT_ALLOWED_IF_EXEMPT)
  } else if (tasa === null) {
    add(`${path}.tasa`, codes.missing, `is required if tipo_factor is ${tipoFactor}`)
  } else if (!isKnownRate(tax, side)) {
    add(`${path}.tasa`, codes.tasa, `must be a rate of the catalog c_TasaOCuota for the tax ${impuesto}`)
  }
}

/** The rule for the rate and the amount of an exempt tax. */
export const NOT_ALLOWED_IF_EXEMPT = 'must be left out if tipo_factor is Exento'

const SIDES = { traslado: 'charged', retencion: 'withheld' } as const
