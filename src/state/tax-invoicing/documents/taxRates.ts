/** The rates of each tax, from c_TasaOCuota. Specification part 2 names it as one of the authority's catalogs. */
import { decimal } from './amounts.ts'
import type { Tax } from '../jsonColumns.ts'

interface Rates {
  readonly impuesto: string
  readonly tipoFactor: 'Tasa' | 'Cuota'
  readonly traslado: boolean
  readonly retencion: boolean
  /** Either these rates, or all rates from 0 to `max`. */
  readonly fixed?: readonly string[]
  readonly max?: string
}

const IEPS_RATES = [
  '0.265000',
  '0.300000',
  '0.530000',
  '0.500000',
  '1.600000',
  '0.304000',
  '0.250000',
  '0.090000',
  '0.080000',
  '0.070000',
  '0.060000',
]

const RATES: readonly Rates[] = [
  {
    impuesto: '002',
    tipoFactor: 'Tasa',
    traslado: true,
    retencion: false,
    fixed: ['0.000000', '0.160000', '0.080000'],
  },
  { impuesto: '002', tipoFactor: 'Tasa', traslado: false, retencion: true, max: '0.160000' },
  { impuesto: '003', tipoFactor: 'Tasa', traslado: true, retencion: true, fixed: IEPS_RATES },
  {
    impuesto: '003',
    tipoFactor: 'Tasa',
    traslado: true,
    retencion: false,
    fixed: ['0.030000', '0.000000'],
  },
  { impuesto: '003', tipoFactor: 'Cuota', traslado: true, retencion: true, max: '72.160500' },
  { impuesto: '001', tipoFactor: 'Tasa', traslado: false, retencion: true, max: '0.350000' },
]

export type Side = 'traslado' | 'retencion'

/** Returns true if the catalog has this rate of this tax on this side. `tasa` must not be null. */
export function isKnownRate({ impuesto, tipoFactor, tasa }: Tax, side: Side): boolean {
  const rate = decimal(tasa ?? '0')
  return RATES.some(
    (rates) =>
      rates.impuesto === impuesto &&
      rates.tipoFactor === tipoFactor &&
      rates[side] &&
      (rates.max === undefined ? rates.fixed?.includes(rate.toFixed(6)) : rate.lte(rates.max)),
  )
}
