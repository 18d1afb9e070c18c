/** The month, quarter or year of a report. Specification part 2, "Tax invoicing": period and date. */
import { instantOf } from '@suite-sim/kit/time/instants'
import { DAY, wallAt } from '@suite-sim/kit/time/wallTime'
import { dayOf, periodAt, type Period } from '../../shared/periods.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { ISSUER_PLACE, ISSUER_TIMEZONE } from '../taxpayers/issuer.ts'

export const PERIODS = ['month', 'quarter', 'year'] as const
type PeriodLength = (typeof PERIODS)[number]

/** Returns the period that contains a day. Days are in the time zone of the issuer, like the `Fecha` of invoices. */
export const periodOf = (workspace: Workspace, length: PeriodLength, day: string | undefined): Period =>
  periodAt(ISSUER_PLACE, day === undefined ? workspace.now() : instantOf(day, ISSUER_PLACE), length)

/** Returns the day of an instant in the time zone of the issuer: "2026-11-21". */
export const issuerDayOf = (instant: number): string => dayOf(instant, ISSUER_PLACE)

/** Counts the calendar days from one instant to another. Returns 0 if the second is earlier. */
export const daysBetween = (from: number, to: number): number => Math.max(0, dayNumber(to) - dayNumber(from))

const dayNumber = (instant: number): number => Math.floor(wallAt(instant, ISSUER_TIMEZONE) / DAY)
