/** The issuer (assumed): a test company of the authority, because the specification shows no call that sets the issuer. */
import type { TimezoneSource } from '@suite-sim/kit/time/instants'
import type { Issuer } from '../jsonColumns.ts'

export const ISSUER: Issuer = {
  rfc: 'EKU9003173C9',
  nombre: 'ESCUELA KEMPER URGATE',
  regimenFiscal: '601',
}

/** The postal code of the place of issue. */
export const PLACE_OF_ISSUE = '42501'

/** The time zone of the `Fecha` of its invoices, and of every date of the interface without an offset (assumed). */
export const ISSUER_TIMEZONE = 'America/Mexico_City'

/** The place whose time zone applies to such dates, instead of that of the workspace. */
export const ISSUER_PLACE: TimezoneSource = { timezone: ISSUER_TIMEZONE }
