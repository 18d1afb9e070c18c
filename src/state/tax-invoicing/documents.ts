/** The authority's validations of an invoice as a whole, before it is stamped. */
import type { Workspace } from '../workspace.ts'
import { decimal, decimalsOf, LINE_DECIMALS, type Amount } from './amounts.ts'
import { checkConcept, LARGEST_AMOUNT, TOO_PRECISE } from './concepts.ts'
import { Problems } from './problems.ts'
import { checkRecipient } from './recipients.ts'
import { currencies, EXPORTS, PAYMENT_FORMS, PAYMENT_METHODS, RELATIONS } from './satCatalogs.ts'
import type { InvoiceType, Recipient, Relation } from './tables.ts'
import { totalsOf, type NewConcept, type Totals } from './totals.ts'

/** No money is meant. */
export const NO_CURRENCY = 'XXX'
export const PESO = 'MXN'

/** An invoice as it was sent, with what stands for what was left out. */
export interface NewInvoice {
  readonly type: Exclude<InvoiceType, 'P'>
  readonly serie: string
  readonly receptor: Recipient
  readonly conceptos: readonly NewConcept[]
  readonly relaciones: readonly Relation[]
  readonly moneda: string
  readonly tipoCambio: string | null
  readonly metodoPago: string | null
  readonly formaPago: string | null
  readonly exportacion: string
}

/** What the invoice comes to; refuses one that the authority would not stamp, with all that is wrong with it. */
export function validated(workspace: Workspace, invoice: NewInvoice): Totals {
  const problems = new Problems()
  checkRecipient(workspace, invoice.receptor, problems)
  checkMoney(invoice, problems)
  checkPayment(invoice, problems)
  if (!EXPORTS.has(invoice.exportacion)) {
    problems.add('exportacion', 'CFDI40123', 'is not in the catalog c_Exportacion')
  } else if (invoice.exportacion === '02') {
    problems.add(
      'exportacion',
      'CFDI40123',
      'must not be 02, for which the complement of foreign trade is missing',
    )
  }
  invoice.relaciones.forEach(({ tipoRelacion }, index) => {
    if (!RELATIONS.has(tipoRelacion)) {
      const field = `cfdi_relacionados.${String(index)}.tipo_relacion`
      problems.add(field, 'CFDI40137', 'is not in the catalog c_TipoRelacion')
    }
  })
  for (const [index, line] of invoice.conceptos.entries()) {
    if (problems.isFull) break
    checkConcept(invoice.type, line, index, problems)
  }
  problems.settle()

  const totals = totalsOf(invoice.conceptos, decimalsIn(invoice.moneda))
  checkTotal(invoice, totals, problems)
  problems.settle()
  return totals
}

export const decimalsIn = (currency: string): number => currencies().get(currency)?.decimales ?? 2

function checkMoney({ type, moneda, tipoCambio }: NewInvoice, problems: Problems): void {
  const isKnown = currencies().has(moneda)
  if (!isKnown || (moneda === NO_CURRENCY && type !== 'T')) {
    const why = isKnown
      ? `must be a currency; ${NO_CURRENCY} is for transfers`
      : 'is not in the catalog c_Moneda'
    problems.add('moneda', 'CFDI40113', why)
    return
  }
  if (tipoCambio !== null && decimalsOf(tipoCambio) > LINE_DECIMALS) {
    problems.add('tipo_cambio', 'too_precise', TOO_PRECISE)
  }
  const isPeso = moneda === PESO
  if (isPeso && tipoCambio !== null && !decimal(tipoCambio).eq(1)) {
    problems.add('tipo_cambio', 'CFDI40114', 'must be 1 or left out where moneda is MXN')
  } else if (moneda === NO_CURRENCY && tipoCambio !== null) {
    problems.add('tipo_cambio', 'CFDI40116', 'must be left out where moneda is XXX')
  } else if (!isPeso && moneda !== NO_CURRENCY && tipoCambio === null) {
    problems.add('tipo_cambio', 'CFDI40115', `is required where moneda is ${moneda}`)
  }
}

function checkPayment({ type, metodoPago, formaPago }: NewInvoice, problems: Problems): void {
  if (type === 'T') {
    if (metodoPago !== null) problems.add('metodo_pago', 'CFDI40124', 'must be left out of a transfer')
    if (formaPago !== null) problems.add('forma_pago', 'CFDI40103', 'must be left out of a transfer')
    return
  }
  if (metodoPago === null) problems.add('metodo_pago', 'CFDI40124', 'is required')
  else if (!PAYMENT_METHODS.has(metodoPago)) {
    problems.add('metodo_pago', 'CFDI40124', 'is not in the catalog c_MetodoPago')
  }
  if (formaPago === null) problems.add('forma_pago', 'CFDI40104', 'is required')
  else if (!PAYMENT_FORMS.has(formaPago)) {
    problems.add('forma_pago', 'CFDI40104', 'is not in the catalog c_FormaPago')
  } else if (metodoPago === 'PPD' && formaPago !== '99') {
    problems.add('forma_pago', 'CFDI40105', 'must be 99 where metodo_pago is PPD')
  } else if (metodoPago === 'PUE' && formaPago === '99') {
    problems.add('forma_pago', 'CFDI40104', 'must not be 99 where metodo_pago is PUE')
  }
}

/** Pesos for an amount in a currency; 0 where that is none. */
export const inPesos = (amount: Amount, moneda: string, tipoCambio: string | null): Amount =>
  moneda === NO_CURRENCY ? decimal('0') : moneda === PESO ? amount : amount.times(tipoCambio ?? '1')

function checkTotal({ moneda, tipoCambio }: NewInvoice, { total }: Totals, problems: Problems): void {
  const amount = decimal(total)
  if (amount.lt(0)) {
    problems.add(
      'conceptos',
      'CFDI40119',
      'must come to a total of at least 0; more is withheld than there is',
    )
  } else if (amount.gt(LARGEST_AMOUNT) || inPesos(amount, moneda, tipoCambio).gt(LARGEST_AMOUNT)) {
    problems.add(
      'conceptos',
      'CFDI40119',
      `must come to a total of at most ${LARGEST_AMOUNT}, in pesos as well`,
    )
  }
}
