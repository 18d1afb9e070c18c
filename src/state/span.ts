/** The instants that the ends of a period mean which a caller has named. */
import { DateTime } from 'luxon'
import type { Workspace } from './workspace.ts'

type Place = Pick<Workspace, 'timezone'>

const isDate = (text: string): boolean => !text.includes('T')

/** A date-time without an offset is read as UTC, as everywhere; a date begins where the workspace is. */
const read = ({ timezone }: Place, text: string): DateTime =>
  DateTime.fromISO(text, { zone: isDate(text) ? timezone : 'utc' })

/** In ms since the epoch: that instant, or the beginning of the day that a date names. */
export const firstInstantOf = (place: Place, from: string): number => read(place, from).toMillis()

/** In ms since the epoch: that instant, or the last one of the day that a date names. */
export function lastInstantOf(place: Place, to: string): number {
  const last = read(place, to)
  return isDate(to) ? last.plus({ days: 1 }).startOf('day').toMillis() - 1 : last.toMillis()
}
