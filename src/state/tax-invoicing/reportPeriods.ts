/** The month, quarter or year that a report is about. Specification part 2, "Tax invoicing": period and date. */
import { DateTime } from 'luxon'
import { instantOf, iso } from '../clock.ts'
import { DAY, wallAt } from '../wallTime.ts'
import type { Workspace } from '../workspace.ts'
import { ISSUER_PLACE, ISSUER_TIMEZONE } from './issuer.ts'

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

/** The period that contains a day of the calendar of the issuer, as the `Fecha` of invoices is; default is today. */
export function periodOf(workspace: Workspace, length: PeriodLength, day: string | undefined): Period {
  const instant = day === undefined ? workspace.now() : instantOf(day, ISSUER_PLACE)
  const start = DateTime.fromMillis(instant, { zone: ISSUER_TIMEZONE }).startOf(length)
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
export const monthOf = (instant: number): string => dayOf(instant).slice(0, 7)

/** "2026-11-21", of an instant. */
export const dayOf = (instant: number): string => iso(wallAt(instant, ISSUER_TIMEZONE)).slice(0, 10)

/** Days of the calendar from one instant to another; none where that is earlier. */
export const daysBetween = (from: number, to: number): number => Math.max(0, dayNumber(to) - dayNumber(from))

const dayNumber = (instant: number): number => Math.floor(wallAt(instant, ISSUER_TIMEZONE) / DAY)
