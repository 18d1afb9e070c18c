/** Who issues: the specification shows no call that says so, and so a company that the authority publishes for tests. */
import type { Place } from '../clock.ts'
import type { Issuer } from './tables.ts'

export const ISSUER: Issuer = {
  rfc: 'EKU9003173C9',
  nombre: 'ESCUELA KEMPER URGATE',
  regimenFiscal: '601',
}

/** The postal code of where it issues. */
export const PLACE_OF_ISSUE = '42501'

/** The time zone of the `Fecha` of its invoices, and of every date of the interface without an offset (assumed). */
export const ISSUER_TIMEZONE = 'America/Mexico_City'

/** Where such dates are read: days and months of the issuer, whatever the time zone of the workspace. */
export const ISSUER_PLACE: Place = { timezone: ISSUER_TIMEZONE }
