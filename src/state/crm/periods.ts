/** Days, months, quarters and years in a workspace's time zone. */
import { DateTime } from 'luxon'
import { instantOf, lastInstantOf } from '../clock.ts'
import { refuseProperty } from '../refusal.ts'
import type { Workspace } from '../workspace.ts'

export const FORECAST_PERIODS = ['monthly', 'quarterly', 'yearly'] as const
export type PeriodLength = (typeof FORECAST_PERIODS)[number]

/** From `start`, to just before `end`, in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Period extends Span {
  /** "2026-11", "2026-Q4" or "2026"; in the order of time when sorted as text. */
  readonly label: string
  /** Its first and last days: "2026-11-01". */
  readonly firstDay: string
  readonly lastDay: string
}

const UNIT = { monthly: 'month', quarterly: 'quarter', yearly: 'year' } as const
const LABEL = { monthly: 'yyyy-MM', quarterly: "yyyy-'Q'q", yearly: 'yyyy' } as const

/**
 * What `from` and `to` enclose. A date means the whole day in the workspace's time zone, a date-time that instant;
 * both ends belong to it, and one that is left out is no bound.
 */
export function spanOf(workspace: Workspace, from: string | undefined, to: string | undefined): Span {
  const start = from === undefined ? Number.MIN_SAFE_INTEGER : instantOf(from, workspace)
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : lastInstantOf(to, workspace) + 1
  if (start >= end) refuseProperty('to', 'before_from', '{to} must not be before {from}')
  return { start, end }
}

/** The period that the instant lies in. */
export const periodAt = (workspace: Workspace, instant: number, length: PeriodLength): Period =>
  periodOf(DateTime.fromMillis(instant, { zone: workspace.timezone }), length)

/** The period that a day ("2026-11-21") lies in. */
export const periodOfDay = (workspace: Workspace, day: string, length: PeriodLength): Period =>
  periodAt(workspace, instantOf(day, workspace), length)

/** The period after this one. */
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
