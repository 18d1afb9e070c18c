/** A record has the values of its row in a list. */
import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../exchanges/exchange.ts'
import { record, type CheckContext } from './context.ts'
import { identityOf } from './lists.ts'
import { withoutVolatile } from './volatile.ts'

/** A record has the same values as its row in a list, for all fields that both have. */
export function checkRecord(context: CheckContext, exchange: Exchange): void {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'record' || typeof purpose.row !== 'object' || purpose.row === null) return
  const found = recordIn(exchange.body, purpose.row)
  if (!found) return
  const { at, value } = found
  for (const [name, listed] of Object.entries(purpose.row)) {
    if (!Object.hasOwn(value, name)) continue
    const own = value[name]
    // A list may show a part of an object or of a list, and the record the whole.
    const isPart = typeof listed === 'object' && listed !== null && !isDeepStrictEqual(listed, own)
    record(context, 'relations', exchange, {
      aspect: 'row',
      place: `${at}.${name}`,
      isEqual: isPart
        ? isPartOf(listed, own)
        : isDeepStrictEqual(withoutVolatile(listed), withoutVolatile(own)),
      message: 'The record and its row in the list have different values.',
      expected: listed,
      actual: own,
    })
  }
}

/** Returns the object of an answer that has the id of the row: the answer itself, or one in an envelope. */
function recordIn(body: unknown, row: object): { at: string; value: Record<string, unknown> } | null {
  const id = identityOf(row)
  const visit = (
    value: unknown,
    at: string,
    depth: number,
  ): { at: string; value: Record<string, unknown> } | null => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = value as Record<string, unknown>
    if (id !== undefined && identityOf(fields) === id) return { at, value: fields }
    if (depth === 2) return null
    for (const [name, each] of Object.entries(fields)) {
      const found = visit(each, `${at}.${name}`, depth + 1)
      if (found) return found
    }
    return null
  }
  return visit(body, '', 0)
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    if (part.length !== whole.length) return part.length < whole.length
    return part.every((item, index) => isPartOf(item, whole[index]))
  }
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null)
    return isDeepStrictEqual(part, whole)
  return Object.entries(part).every(
    ([name, value]) =>
      !Object.hasOwn(whole, name) || isPartOf(value, (whole as Record<string, unknown>)[name]),
  )
}
