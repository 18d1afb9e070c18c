/** Days, months, quarters and years in the time zone of a workspace. */
import { DateTime } from 'luxon'
import { instantOf, lastInstantOf } from '@suite-sim/kit/time/instants'
import { refuseProperty } from '../../model/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export const FORECAST_PERIODS = ['monthly', 'quarterly', 'yearly'] as const
export type PeriodLength = (typeof FORECAST_PERIODS)[number]

/** From `start` (inclusive) to `end` (exclusive), in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Period extends Span {
  /** "2026-11", "2026-Q4" or "2026"; sorting the strings sorts by time. */
  readonly label: string
  /** The first and the last day: "2026-11-01". */
  readonly firstDay: string
  readonly lastDay: string
}

const UNIT = { monthly: 'month', quarterly: 'quarter', yearly: 'year' } as const
const LABEL = { monthly: 'yyyy-MM', quarterly: "yyyy-'Q'q", yearly: 'yyyy' } as const

/**
 * Returns the span of `from` and `to`, both inclusive. A date means the whole day in the time zone of the
 * workspace, a date-time that instant. A missing end has no limit.
 */
export function spanOf(workspace: Workspace, from: string | undefined, to: string | undefined): Span {
  const start = from === undefined ? Number.MIN_SAFE_INTEGER : instantOf(from, workspace)
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : lastInstantOf(to, workspace) + 1
  if (start >= end) refuseProperty('to', 'before_from', '{to} must not be before {from}')
  return { start, end }
}

/** Returns the period that contains the instant. */
export const periodAt = (workspace: Workspace, instant: number, length: PeriodLength): Period =>
  periodOf(DateTime.fromMillis(instant, { zone: workspace.timezone }), length)

/** Returns the period that contains a day ("2026-11-21"). */
export const periodOfDay = (workspace: Workspace, day: string, length: PeriodLength): Period =>
  periodAt(workspace, instantOf(day, workspace), length)

/** Returns the next period. */
export const periodAfter = (workspace: Workspace, period: Period, length: PeriodLength): Period =>
  periodAt(workspace, period.end, length)

function periodOf(within: DateTime, length: PeriodLength): Period {
  const start = within.startOf(UNIT[length])
  const last = start.endOf(UNIT[length])
  return {
    label: start.toFormat(LABEL[length]),
    firstDay: start.toFormat('yyyy-MM-dd'),
    lastDay: last.toFormat('yyyy-MM-dd'),
    start: start.toMillis(),
    end: last.toMillis() + 1,
  }
}
