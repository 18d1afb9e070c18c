/** What the checks of lists need to know of a call and its rows. */
import type { Exchange } from '../exchanges/exchange.ts'
import { valueAt, type List } from '../model/list.ts'
import type { CheckContext } from './context.ts'

type Operation = Exchange['probe']['operation']

/** Returns the size that a call asked for, or the default of the document; null if the list has none. */
export function askedSize(list: List, query: Readonly<Record<string, string>>): number | null {
  if (!list.size) return null
  const requested = query[list.size.name]
  const fallback = list.size.schema['default']
  if (requested !== undefined) return Number(requested)
  return typeof fallback === 'number' ? fallback : null
}

/** Returns the number of rows before a page; null if it is unknown. */
export function positionOf(list: List, { probe: { query } }: Exchange, size: number | null): number | null {
  if (!list.position) return 0
  const value = query[list.position.name]
  if (list.position.kind === 'offset') return Number(value ?? 0)
  const page = Number(value ?? 1)
  return page === 1 ? 0 : size === null ? null : (page - 1) * size
}

/** The parameter that the answer followed, and its default if the call did not have it. */
export function claimOf(
  { claims }: CheckContext,
  operation: Operation,
  name: string | undefined,
  query: Readonly<Record<string, string>>,
): { claim?: string } {
  if (name === undefined) return {}
  const place = `${operation.address} ?${name}`
  const claim =
    (query[name] === undefined ? claims.at(place, 'default') : undefined) ?? claims.at(place, 'parameter')
  return claim ? { claim: claim.key } : {}
}

/** Returns the rows of a list if one answer has all of them; null otherwise. */
export function wholeOf({ answers }: CheckContext, list: List, of: Exchange): readonly unknown[] | null {
  const same = answers
    .of(of.probe.operation)
    .filter(
      ({ probe: { purpose }, status }) =>
        status < 300 && (purpose === of.probe.purpose || (purpose.kind === 'size' && purpose.of === of)),
    )
  const longest = same.toSorted((a, b) => answers.rows(b).length - answers.rows(a).length)[0]
  if (!longest) return null
  const rows = answers.rows(longest)
  const size = askedSize(list, longest.probe.query)
  const total = list.totalAt ? valueAt(longest.body, list.totalAt) : undefined
  const isWhole = typeof total === 'number' ? rows.length === total : size !== null && rows.length < size
  return isWhole ? rows : null
}

/** Returns what names a row: its id, or its code. */
export function identityOf(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const fields = row as Record<string, unknown>
  return fields['id'] ?? fields['uuid'] ?? fields['clave'] ?? fields['code'] ?? fields['key']
}
