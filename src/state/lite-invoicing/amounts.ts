/** Decimal amounts: exact, and rounded to cents half up where something is multiplied. */
import Big from 'big.js'
import { refuseProperty } from '../refusal.ts'
import { ITBMS_RATES, type Item, type Payment, type TaxCode } from './tables.ts'

/** A number as a caller wrote it, or its digits as a text. */
export type SentDecimal = number | string

/** Decimals of quantities and unit prices; amounts of money have two. */
const FINEST = 6

/** What an invoice may come to at most: as many digits as the tax authority's form has. */
const LARGEST_TOTAL = new Big('9999999999.99')

const HALF_UP = 1

export const cents = (amount: Big): string => amount.round(2, HALF_UP).toFixed(2)

/** What was sent in a property, with at most so many decimals. */
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

/** An item with what it comes to; `place` is where it stands among those that were sent. */
export function itemOf({ description, qty, price, taxCode }: SentItem, place: number): Item {
  const at = `items.${String(place)}`
  const quantity = decimalOf(qty, `${at}.qty`, FINEST)
  if (quantity.lte(0)) refuseProperty(`${at}.qty`, 'too_small', `{${at}.qty} must be more than 0`)
  const unitPrice = decimalOf(price, `${at}.price`, FINEST)
  const amount = quantity.times(unitPrice).round(2, HALF_UP)
  const tax = amount.times(ITBMS_RATES[taxCode]).div(100)
  return {
    description,
    taxCode,
    qty: quantity.toFixed(),
    price: unitPrice.toFixed(),
    amount: cents(amount),
    tax: cents(tax),
  }
}

export const paymentOf = (
  { type, amount }: { readonly type: Payment['type']; readonly amount: SentDecimal },
  place: number,
): Payment => ({ type, amount: decimalOf(amount, `payments.${String(place)}.amount`, 2).toFixed(2) })

export const sumOf = (amounts: readonly string[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))

export interface Totals {
  readonly subTotal: string
  readonly taxTotal: string
  readonly total: string
}

/** What the items come to, each of them rounded by itself. */
export function totalsOf(items: readonly Item[]): Totals {
  const subTotal = sumOf(items.map(({ amount }) => amount))
  const taxTotal = sumOf(items.map(({ tax }) => tax))
  const total = subTotal.plus(taxTotal)
  if (total.gt(LARGEST_TOTAL)) {
    refuseProperty('items', 'too_large', `{items} must not come to more than ${LARGEST_TOTAL.toFixed(2)}`)
  }
  return { subTotal: cents(subTotal), taxTotal: cents(taxTotal), total: cents(total) }
}

/** Refuses payments that are not exactly what is to be paid. */
export function mustAddUp(payments: readonly Payment[], total: string): void {
  const paid = sumOf(payments.map(({ amount }) => amount))
  if (paid.eq(total)) return
  refuseProperty(
    'payments',
    'does_not_add_up',
    `{payments} must add up to the total, ${total}; they add up to ${cents(paid)}`,
  )
}
