/** The forms of scalar values: ids by their prefix, times by their precision, money by its decimals. */

export interface Form {
  /** The aspect: "id_form", "time_form", "decimals". */
  readonly kind: string
  /** "date-time with 3 decimals, Z" */
  readonly name: string
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const PREFIXED = /^([a-z]{2,10}_)[\dA-Za-z_-]{4,}$/
const DECIMAL = /^-?\d+(?:\.(\d+))?$/

/** Seconds since the epoch between 2001 and 2286. */
const isEpoch = (value: number): boolean => Number.isInteger(value) && value >= 1e9 && value < 1e10

/** Returns null for a value whose form says nothing. */
export function formOf(value: unknown): Form | null {
  if (typeof value === 'number')
    return isEpoch(value) ? { kind: 'time_form', name: 'seconds since 1970' } : null
  if (typeof value !== 'string') return null
  const time = DATE_TIME.exec(value)
  if (time) {
    const [, fraction = '', zone = ''] = time
    const shown = zone === '' ? 'no offset' : zone === 'Z' ? 'Z' : 'an offset'
    return {
      kind: 'time_form',
      name: `date-time with ${String(Math.max(0, fraction.length - 1))} decimals and ${shown}`,
    }
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { kind: 'time_form', name: 'date' }
  if (UUID.test(value)) return { kind: 'id_form', name: 'UUID' }
  const [, prefix] = PREFIXED.exec(value) ?? []
  if (prefix !== undefined) return { kind: 'id_form', name: `id that starts with ${prefix}` }
  const decimal = DECIMAL.exec(value)
  if (decimal?.[1] !== undefined)
    return { kind: 'decimals', name: `text with ${String(decimal[1].length)} decimals` }
  return null
}
