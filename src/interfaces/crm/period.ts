/** The `from` and `to` of a query. Both are part of the period, and a date stands for a whole day in UTC (assumed). */
import { instantOf } from '../../state/clock.ts'
import { refuseField } from '../../state/refusal.ts'

const DAY_MS = 86_400_000

const isDate = (text: string): boolean => !text.includes('T')

export interface Period {
  /** The first instant, in ms since the epoch; undefined is the beginning of time. */
  readonly from: number | undefined
  /** The last instant. */
  readonly to: number | undefined
}

/** The period as instants; one that ends before it begins is refused. */
export function periodOf(query: { readonly from?: string; readonly to?: string }): Period {
  const from = query.from === undefined ? undefined : instantOf(query.from)
  const to = query.to === undefined ? undefined : lastInstantOf(query.to)
  if (from !== undefined && to !== undefined && to < from) {
    refuseField('to', 'too_small', 'to must not be before from')
  }
  return { from, to }
}

const lastInstantOf = (text: string): number =>
  isDate(text) ? instantOf(text) + DAY_MS - 1 : instantOf(text)
