/** Rows with the same value of the field by which a list is sorted. Their order is free. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Answers, Row } from '../crawl/answers.ts'
import { camelOf } from '../crawl/rowValues.ts'

/**
 * Returns the rows of the simulator in the order of the service, as far as both have the same value at a position. The last
 * value of a page may have further rows, so a row with it can be another one.
 */
export function withTies(
  answers: Answers,
  exchange: Exchange,
  simulated: Exchange,
): readonly unknown[] | null {
  const { purpose } = exchange.probe
  if (purpose.kind !== 'sort') return null
  const field = purpose.field.replace(/^-/, '')
  const [theirs, ours] = [exchange, simulated].map((each) => answers.rows(each) as readonly Row[])
  const keyOf = (row: Row | undefined): string | undefined =>
    JSON.stringify(row?.[field] ?? row?.[camelOf(field)])
  if (!theirs || !ours || [...theirs, ...ours].every((row) => keyOf(row) === undefined)) return null
  const byId = new Map(ours.map((row) => [row['id'], row]))
  const last = keyOf(ours.at(-1))
  return ours.map((row, index) => {
    const their = theirs[index]
    if (!their || keyOf(their) !== keyOf(row)) return row
    return byId.get(their['id']) ?? (keyOf(row) === last ? their : row)
  })
}
