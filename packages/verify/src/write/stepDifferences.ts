/** Where the answers of both sides to a step differ. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Difference } from '../differential/compare.ts'
import { listOf, rowsIn } from '../model/list.ts'
import { withoutVolatile } from '../checks/volatile.ts'
import type { Pairing } from './pairing.ts'
import { filled, valueIn, withValues } from './placeholders.ts'
import type { Step } from './scenario.ts'

/** The values that steps saved on each side, and the ids of the same records. */
export interface ComparedSides {
  readonly sides: Readonly<Record<'real' | 'simulated', Record<string, unknown>>>
  readonly pairing: Pairing
}

/** Returns the differences; null if the answers cannot be compared. */
export function differencesIn(
  { pairing, sides }: ComparedSides,
  step: Step,
  exchange: Exchange,
  simulated: Exchange,
): readonly Difference[] | null {
  const { rows, ignored = [] } = step
  let [left, right] = [simulated, exchange].map(({ body }) => withoutVolatile(body))
  if (rows !== undefined) {
    const values = withValues(() => [filled(rows, sides.simulated), filled(rows, sides.real)])
    if (typeof values === 'string') return null
    const [simulatedRows, realRows] = [
      rowsWith(step, simulated, values[0]),
      rowsWith(step, exchange, values[1]),
    ]
    // The row can be on another page.
    if (realRows.found.length === 0 && realRows.isCut) return null
    left = withoutVolatile(simulatedRows.found)
    right = withoutVolatile(realRows.found)
  }
  const around = rows === undefined ? '' : placeOfRows(step, exchange)
  return pairing
    .differences(step.operation, left, right)
    .map((each) => ({ ...each, place: `${around}${each.place}` }))
    .filter(({ place }) => !ignored.some((pattern) => isAt(pattern, place, around)))
}

/** True for a place that a pattern names: from the answer, or from a row below `around`. */
const isAt = (pattern: string, place: string, around: string): boolean =>
  [place, place.slice(`${around}[]`.length)].some((each) =>
    pattern.endsWith('*') ? each.startsWith(pattern.slice(0, -1)) : each === pattern,
  )

const namesOfRows = ({ rowsAt }: Step, { probe }: Exchange): readonly string[] =>
  rowsAt ?? listOf(probe.operation)?.rowsAt ?? []

const placeOfRows = (step: Step, exchange: Exchange): string =>
  namesOfRows(step, exchange)
    .map((name) => `.${name}`)
    .join('')

/** Returns the rows that have a value, and whether further pages may have others. */
function rowsWith(step: Step, exchange: Exchange, value: unknown): { found: unknown[]; isCut: boolean } {
  const list = listOf(exchange.probe.operation)
  const names = namesOfRows(step, exchange)
  const rows = step.rowsAt
    ? ((valueIn(exchange.body, names.join('.')) ?? []) as unknown[])
    : ((list && rowsIn(list, exchange.body)) ?? [])
  const found = rows.filter(
    (row) =>
      typeof row === 'object' &&
      row !== null &&
      Object.values(row).some((each) => String(each) === String(value)),
  )
  const size = list?.size && (exchange.probe.query[list.size.name] ?? list.size.schema['default'])
  const isPaged = step.rowsAt !== undefined || Boolean(list?.position)
  return { found, isCut: isPaged && rows.length >= Number(size ?? 1) }
}
