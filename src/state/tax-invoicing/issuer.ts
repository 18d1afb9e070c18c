/** Who issues: the specification shows no call that says so, and so a company that the authority publishes for tests. */
import type { Issuer } from './tables.ts'

export const ISSUER: Issuer = {
  rfc: 'EKU9003173C9',
  nombre: 'ESCUELA KEMPER URGATE',
  regimenFiscal: '601',
}

/** The postal code of where it issues. */
export const PLACE_OF_ISSUE = '42501'

/** Whose clocks the dates of its invoices are of. */
export const ISSUER_TIMEZONE = 'America/Mexico_City'
