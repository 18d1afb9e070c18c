/** The authority's validation rules for a whole invoice, before it is stamped. */
import type { Workspace } from '../../workspace/workspace.ts'
import { decimal, countDecimals, LINE_DECIMALS, type Amount } from './amounts.ts'
import { checkConcept, LARGEST_AMOUNT, TOO_PRECISE } from './concepts.ts'
import { Problems } from './problems.ts'
import { checkRecipient } from './recipients.ts'
import { checkRelations } from './relations.ts'
import { currencies, EXPORTS, PAYMENT_FORMS, PAYMENT_METHODS } from '../catalogs/satCatalogs.ts'
import type { InvoiceType } from '../tables.ts'
import type { Recipient, Relation } from '../jsonColumns.ts'
import { totalsOf, type NewConcept, type Totals } from './totals.ts'

/** The code for no currency. */
export const NO_CURRENCY = 'XXX'
export const PESO = 'MXN'

/** A new invoice: the request body with its defaults. */
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

/**
 * Validates an invoice and returns its totals. Refuses an invalid invoice with a list of its problems. `isPending` says
 * whether the invoice with a UUID waits for its cancellation.
 */
export function validateInvoice(
  workspace: Workspace,
  invoice: NewInvoice,
  isPending: (uuid: string) => boolean,
): Totals {
  const problems = new Problems()
  checkRecipient(workspace, invoice.receptor, problems)
  checkMoney(invoice, problems)
  checkPayment(invoice, problems)
  if (!EXPORTS.has(invoice.exportacion)) {
    problems.add('exportacion', 'CFDI40123', 'must be in the catalog c_Exportacion')
  } else if (invoice.exportacion === '02') {
    problems.add(
      'exportacion',
      'CFDI40123',
      'must not be 02 because the simulator does not support the complement of foreign trade',
    )
  }
  checkRelations(invoice, isPending, problems)
  for (const [index, line] of invoice.conceptos.entries()) {
    if (problems.isLimitReached) break
    checkConcept(invoice.type, line, index, problems)
  }
  problems.throwIfAny()

  const totals = totalsOf(invoice.conceptos, decimalsIn(invoice.moneda))
  checkTotal(invoice, totals, problems)
  problems.throwIfAny()
  return totals
}

export const decimalsIn = (currency: string): number => currencies().get(currency)?.decimales ?? 2

function checkMoney({ type, moneda, tipoCambio }: NewInvoice, problems: Problems): void {
  const isKnown = currencies().has(moneda)
  if (!isKnown || (moneda === NO_CURRENCY && type !== 'T')) {
    const rule = isKnown
      ? `must be a currency; only transfers can have ${NO_CURRENCY}`
      : 'must be in the catalog c_Moneda'
    problems.add('moneda', 'CFDI40113', rule)
    return
  }
  if (tipoCambio !== null && countDecimals(tipoCambio) > LINE_DECIMALS) {
    problems.add('tipo_cambio', 'too_precise', TOO_PRECISE)
  }
  const isPeso = moneda === PESO
  if (isPeso && tipoCambio !== null && !decimal(tipoCambio).eq(1)) {
    problems.add('tipo_cambio', 'CFDI40114', 'must be 1 or left out if moneda is MXN')
  } else if (moneda === NO_CURRENCY && tipoCambio !== null) {
    problems.add('tipo_cambio', 'CFDI40116', 'must be left out if moneda is XXX')
  } else if (!isPeso && moneda !== NO_CURRENCY && tipoCambio === null) {
    problems.add('tipo_cambio', 'CFDI40115', `is required if moneda is ${moneda}`)
  }
}

function checkPayment({ type, metodoPago, formaPago }: NewInvoice, problems: Problems): void {
  if (type === 'T') {
    if (metodoPago !== null) problems.add('metodo_pago', 'CFDI40124', 'must be left out in a transfer')
    if (formaPago !== null) problems.add('forma_pago', 'CFDI40103', 'must be left out in a transfer')
    return
  }
  if (metodoPago === null) problems.add('metodo_pago', 'CFDI40124', 'is required')
  else if (!PAYMENT_METHODS.has(metodoPago)) {
    problems.add('metodo_pago', 'CFDI40124', 'must be in the catalog c_MetodoPago')
  }
  if (formaPago === null) problems.add('forma_pago', 'CFDI40104', 'is required')
  else if (!PAYMENT_FORMS.has(formaPago)) {
    problems.add('forma_pago', 'CFDI40104', 'must be in the catalog c_FormaPago')
  } else if (metodoPago === 'PPD' && formaPago !== '99') {
    problems.add('forma_pago', 'CFDI40105', 'must be 99 if metodo_pago is PPD')
  } else if (metodoPago === 'PUE' && formaPago === '99') {
    problems.add('forma_pago', 'CFDI40104', 'must not be 99 if metodo_pago is PUE')
  }
}

/** Returns the pesos for one unit of a currency. Returns null if there is no currency. */
export const rateOf = (moneda: string, tipoCambio: string | null): Amount | null =>
  moneda === NO_CURRENCY ? null : decimal(moneda === PESO ? '1' : (tipoCambio ?? '1'))

/** Converts an amount to pesos. Returns 0 if it has no currency. */
export const inPesos = (amount: Amount, moneda: string, tipoCambio: string | null): Amount =>
  amount.times(rateOf(moneda, tipoCambio) ?? '0')

function checkTotal({ moneda, tipoCambio }: NewInvoice, { total }: Totals, problems: Problems): void {
  const amount = decimal(total)
  if (amount.lt(0)) {
    problems.add('conceptos', 'CFDI40119', 'must have a total of at least 0; lower the withheld taxes')
  } else if (amount.gt(LARGEST_AMOUNT) || inPesos(amount, moneda, tipoCambio).gt(LARGEST_AMOUNT)) {
    problems.add('conceptos', 'CFDI40119', `must have a total of at most ${LARGEST_AMOUNT}, also in pesos`)
  }
}
