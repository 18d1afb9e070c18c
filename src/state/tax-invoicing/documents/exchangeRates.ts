/** Exchange rates that are probably upside down, although the authority accepts them. */
import { addHint } from '../../timeline/causes.ts'
import { decimal, roundAmount } from './amounts.ts'

/**
 * Rough pesos for one unit of currencies that are worth much more or much less than a peso. Only their order of magnitude
 * matters; other currencies get no hint.
 */
const PESOS: Readonly<Record<string, number>> = {
  ...{ USD: 18, EUR: 20, GBP: 23, CHF: 21, CAD: 13, AUD: 12, NZD: 11, SGD: 14, PAB: 18, KWD: 60, BHD: 48 },
  ...{ BRL: 3.4, PEN: 5, AED: 5, SAR: 5, ILS: 5 },
  ...{ JPY: 0.12, KRW: 0.013, INR: 0.21, RUB: 0.2, HUF: 0.05, IDR: 0.0011, VND: 0.0007, PHP: 0.32 },
  ...{ CLP: 0.019, COP: 0.0045, CRC: 0.035, PYG: 0.0024, DOP: 0.3 },
}

/** Adds a hint if a rate is clearly closer to the reciprocal of the usual one than to the usual one. */
export function hintAtRate(moneda: string, tipoCambio: string | null): void {
  const usual = PESOS[moneda]
  if (usual === undefined || tipoCambio === null) return
  const [toReciprocal, toUsual] = [distance(Number(tipoCambio) * usual), distance(Number(tipoCambio) / usual)]
  if (toReciprocal >= toUsual / 2) return
  const reciprocal = roundAmount(decimal('1').div(tipoCambio), 4).toFixed()
  addHint(
    'inverted_equivalence',
    `tipo_cambio is ${tipoCambio} and seems to be inverted. Send the pesos for one ${moneda}, about ${reciprocal}.`,
  )
}

/** Returns how far a factor is from 1, in either direction. */
export const distance = (factor: number): number => Math.abs(Math.log(factor))
