/** Exact decimal amounts. Products are rounded to cents, half up. */
import Big from 'big.js'
import { refuseProperty } from '../model/refusal.ts'
import { ITBMS_RATES, type Item, type Payment, type TaxCode } from './tables.ts'

/** A decimal in a request: a number, or its digits as a string. */
export type SentDecimal = number | string

/** The maximum of decimals of quantities and unit prices. Amounts of money have two. */
const MAX_DECIMALS = 6

/** The largest total of an invoice: the number of digits in the tax authority's form. */
const LARGEST_TOTAL = new Big('9999999999.99')

const HALF_UP = 1

/** Rounds an amount to cents, half up, and formats it with two decimals. */
export const formatCents = (amount: Big): string => amount.round(2, HALF_UP).toFixed(2)

/** Parses the value of a property. Refuses it if it has more than `decimals` decimals. */
function decimalOf(sent: SentDecimal, property: string, decimals: number): Big {
  const value = new Big(sent)
  if (!value.eq(value.round(decimals))) {
    refuseProperty(property, 'too_precise', `{${property}} must have at most ${String(decimals)} decimals`)
  }
  return value
}

export interface SentItem {
  readonly description: string
  readonly qty: SentDecimal
  readonly price: SentDecimal
  readonly taxCode: TaxCode
}

/** Computes the amount and the tax of an item. `index` is its position in the request. */
export function itemOf({ description, qty, price, taxCode }: SentItem, index: number): Item {
  const at = `items.${String(index)}`
  const quantity = decimalOf(qty, `${at}.qty`, MAX_DECIMALS)
  const unitPrice = decimalOf(price, `${at}.price`, MAX_DECIMALS)
  const amount = quantity.times(unitPrice).round(2, HALF_UP)
  const tax = amount.times(ITBMS_RATES[taxCode]).div(100)
  return {
    description,
    taxCode,
    qty: quantity.toFixed(),
    price: unitPrice.toFixed(),
    amount: formatCents(amount),
    tax: formatCents(tax),
  }
}

export const paymentOf = (
  { type, amount }: { readonly type: Payment['type']; readonly amount: SentDecimal },
  index: number,
): Payment => ({ type, amount: decimalOf(amount, `payments.${String(index)}.amount`, 2).toFixed(2) })

export const sumOf = (amounts: readonly string[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))

export interface Totals {
  readonly subTotal: string
  readonly taxTotal: string
  readonly total: string
}

/** Adds up the items, each rounded on its own. */
export function totalsOf(items: readonly Item[]): Totals {
  const subTotal = sumOf(items.map(({ amount }) => amount))
  const taxTotal = sumOf(items.map(({ tax }) => tax))
  const total = subTotal.plus(taxTotal)
  if (total.gt(LARGEST_TOTAL)) {
    refuseProperty('items', 'too_large', `{items} must have a total of at most ${LARGEST_TOTAL.toFixed(2)}`)
  }
  return { subTotal: formatCents(subTotal), taxTotal: formatCents(taxTotal), total: formatCents(total) }
}

/** Refuses payments that do not add up to the total. */
export function mustAddUp(payments: readonly Payment[], total: string): void {
  const paid = sumOf(payments.map(({ amount }) => amount))
  if (paid.eq(total)) return
  refuseProperty(
    'payments',
    'does_not_add_up',
    `{payments} must add up to the total, ${total}; they add up to ${formatCents(paid)}`,
  )
}
