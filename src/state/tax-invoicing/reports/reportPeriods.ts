/** The month, quarter or year of a report. Specification part 2, "Tax invoicing": period and date. */
import { DateTime } from 'luxon'
import { instantOf, iso } from '@suite-sim/kit/time/instants'
import { DAY, wallAt } from '@suite-sim/kit/time/wallTime'
import type { Workspace } from '../../workspace/workspace.ts'
import { ISSUER_PLACE, ISSUER_TIMEZONE } from '../taxpayers/issuer.ts'

export const PERIODS = ['month', 'quarter', 'year'] as const
export type PeriodLength = (typeof PERIODS)[number]

/** A time span from `start` (inclusive) to `end` (exclusive), in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Period extends Span {
  /** "2026-11", "2026-Q4", "2026" */
  readonly label: string
  /** The first and the last day. */
  readonly from: string
  readonly to: string
}

const LABELS = { month: 'yyyy-MM', quarter: "yyyy-'Q'q", year: 'yyyy' } as const

/** Returns the period that contains a day. Days are in the time zone of the issuer, like the `Fecha` of invoices. */
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

/** Returns the month of an instant in the time zone of the issuer: "2026-11". */
export const monthOf = (instant: number): string => dayOf(instant).slice(0, 7)

/** Returns the day of an instant in the time zone of the issuer: "2026-11-21". */
export const dayOf = (instant: number): string => iso(wallAt(instant, ISSUER_TIMEZONE)).slice(0, 10)

/** Counts the calendar days from one instant to another. Returns 0 if the second is earlier. */
export const daysBetween = (from: number, to: number): number => Math.max(0, dayNumber(to) - dayNumber(from))

const dayNumber = (instant: number): number => Math.floor(wallAt(instant, ISSUER_TIMEZONE) / DAY)
