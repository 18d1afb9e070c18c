/** The month, quarter or year that a report is about. Specification part 2, "Tax invoicing": period and date. */
import { DateTime } from 'luxon'
import { instantOf } from '../clock.ts'
import type { Workspace } from '../workspace.ts'

export const PERIODS = ['month', 'quarter', 'year'] as const
export type PeriodLength = (typeof PERIODS)[number]

/** From `start`, to just before `end`, in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Period extends Span {
  /** "2026-11", "2026-Q4", "2026" */
  readonly label: string
  /** Its first and last days. */
  readonly from: string
  readonly to: string
}

const LABELS = { month: 'yyyy-MM', quarter: "yyyy-'Q'q", year: 'yyyy' } as const

/** The period that a day lies in, today unless one is named, in the time zone of the workspace. */
export function periodOf(workspace: Workspace, length: PeriodLength, day: string | undefined): Period {
  const instant = day === undefined ? workspace.now() : instantOf(day, workspace)
  const start = DateTime.fromMillis(instant, { zone: workspace.timezone }).startOf(length)
  const last = start.endOf(length)
  return {
    label: start.toFormat(LABELS[length]),
    from: start.toFormat('yyyy-MM-dd'),
    to: last.toFormat('yyyy-MM-dd'),
    start: start.toMillis(),
    end: last.toMillis() + 1,
  }
}

/** "2026-11", of an instant. */
export const monthOf = ({ timezone }: Workspace, instant: number): string =>
  DateTime.fromMillis(instant, { zone: timezone }).toFormat(LABELS.month)

/** "2026-11-21", of an instant. */
export const dayOf = ({ timezone }: Workspace, instant: number): string =>
  DateTime.fromMillis(instant, { zone: timezone }).toFormat('yyyy-MM-dd')

/** Days of the calendar from one instant to another; none where that is earlier. */
export function daysBetween({ timezone }: Workspace, from: number, to: number): number {
  const day = (instant: number) => DateTime.fromMillis(instant, { zone: timezone }).startOf('day')
  return Math.max(0, Math.round(day(to).diff(day(from), 'days').days))
}
