/** The values of cells that other programs write: several e-mail addresses or phone numbers in one cell. */
import { isEmailAddress, withoutInvisible } from '../../../state/text/emailAddresses.ts'

/** A note about a row that is imported nevertheless. */
export interface CellNote {
  readonly field: string
  readonly message: string
}

/**
 * Returns the first e-mail address of a cell, without invisible characters. Notes it if there are others.
 * Composes letters, as most programs write them.
 */
export function firstEmail(cell: string, field: string, notes: CellNote[]): string {
  if (isEmailAddress(cell)) return cell.normalize()
  const [first = '', ...others] = cell
    .split(/:::|[;,\r\n]/)
    .map((address) => withoutInvisible(address).trim().normalize())
    .filter((address) => address !== '')
  if (others.length > 0) {
    const message = `${field} has ${String(others.length + 1)} addresses. The first one was used: ${first}`
    notes.push({ field, message })
  }
  return first
}

/** Returns the first phone number of a cell. */
export const firstPhone = (cell: string): string =>
  withoutInvisible(cell.trim().split(/:::|[\r\n]|[;,]\s*(?=[+(\d])/, 1)[0] ?? '').trim()
