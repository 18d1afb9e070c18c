/**
 * The unique code of an electronic invoice of Panama (código único de factura electrónica, CUFE): 66 characters that
 * encode the issuer, the branch, the date and the number. The specification does not show its form.
 */
import { iso } from '@suite-sim/kit/time/instants'
import { wallAt } from '@suite-sim/kit/time/wallTime'
import { rucOfType, type Ruc } from './ruc.ts'

/** The RUC of every issuer (assumed). The specification says only that "the token identifies the company". */
const ISSUER = rucOfType('155700001-2-2021', 2)

export function getIssuer(): Ruc {
  if (!ISSUER) throw new Error('the company of the simulator has no RUC')
  return ISSUER
}

/** The form of a CUFE. */
export const CUFE_PATTERN = '^FE[0-9A-Z-]{64}$'

/** The variable parts of a CUFE. */
export interface CufeParts {
  readonly branchId: string
  readonly number: number
  /** In ms since the epoch. */
  readonly issuedAt: number
  /** A random number from 0 to below 1, which determines the nine digits of the security code. */
  readonly chance: number
}

const INVOICE = '01'
const POINT_OF_SALE = '001'
const NORMAL_ISSUE = '01'
const TEST_ENVIRONMENT = '2'

export function cufeOf({ branchId, number, issuedAt, chance }: CufeParts): string {
  const issuer = getIssuer()
  const day = iso(wallAt(issuedAt, 'America/Panama')).slice(0, 10).replaceAll('-', '')
  const code = [
    `FE${INVOICE}`,
    String(issuer.type),
    issuer.ruc.padStart(20, '0'),
    `-${String(issuer.dv).padStart(2, '0')}`,
    branchCode(branchId),
    day,
    String(number).padStart(10, '0'),
    POINT_OF_SALE,
    NORMAL_ISSUE,
    TEST_ENVIRONMENT,
    String(Math.floor(chance * 1e9)).padStart(9, '0'),
  ].join('')
  return `${code}${String(luhn(code))}`
}

/** Returns the last four digits of a branch id. 0000 is the head office. */
const branchCode = (branchId: string): string => branchId.replaceAll(/\D/g, '').slice(-4).padStart(4, '0')

/** Computes the Luhn check digit. A letter or a dash counts as the digits of its ASCII code. */
function luhn(code: string): number {
  const digits = code.replaceAll(/\D/g, (character) => String(character.charCodeAt(0)))
  const sum = Array.from(digits, Number)
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((total, doubled) => total + (doubled > 9 ? doubled - 9 : doubled), 0)
  return (10 - (sum % 10)) % 10
}
