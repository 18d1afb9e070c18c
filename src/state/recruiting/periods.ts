/** The periods of analytics, split into days, weeks or months in the time zone of a workspace. */
import { DateTime } from 'luxon'
import { instantOf, iso, lastInstantOf } from '@suite-sim/kit/time/instants'
import { refuseProperty } from '../model/refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

export const GRANULARITIES = ['day', 'week', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** From `start` (included) to `end` (excluded), in ms since the epoch. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The maximum number of parts of a span in a response. */
export const MAX_PARTS = 1000

/**
 * Returns the span of `from` and `to`, both included; a date means the whole day. Defaults: `to` is now, and `from` is
 * `months` months before the end.
 */
export function spanOf(
  workspace: Workspace,
  from: string | undefined,
  to: string | undefined,
  months: number,
): Span {
  const end = (to === undefined ? workspace.now() : lastInstantOf(to, workspace)) + 1
  const start =
    from === undefined
      ? DateTime.fromMillis(end, { zone: workspace.timezone }).minus({ months }).toMillis()
      : instantOf(from, workspace)
  if (start >= end) refuseProperty('to', 'before_from', '{to} must not be before {from}')
  return { start, end }
}

/** Serializes a span; both ends are included. */
export const spanView = ({ start, end }: Span) => ({ from: iso(Math.max(start, EARLIEST)), to: iso(end - 1) })

/** The first instant that the wire format can show. */
const EARLIEST = instantOf('0001-01-01T00:00:00.000Z', { timezone: 'UTC' })

/** Returns the start of each day, week or month of the span. The first part can start before the span. */
export function partsOf(workspace: Workspace, { start, end }: Span, granularity: Granularity): number[] {
  const parts: number[] = []
  let part = DateTime.fromMillis(start, { zone: workspace.timezone }).startOf(granularity)
  while (part.toMillis() < end) {
    parts.push(part.toMillis())
    if (parts.length > MAX_PARTS) {
      refuseProperty(
        'to',
        'too_late',
        `{to} must be at most ${String(MAX_PARTS)} ${granularity}s after {from}`,
      )
    }
    part = part.plus({ [granularity]: 1 }).startOf(granularity)
  }
  return parts
}

/** Formats the start of a part as "2026-11" or "2026-11-02". */
export const partName = (workspace: Workspace, part: number, granularity: Granularity): string =>
  DateTime.fromMillis(part, { zone: workspace.timezone }).toFormat(
    granularity === 'month' ? 'yyyy-MM' : 'yyyy-MM-dd',
  )

/** Returns the index of the part that contains an instant. `parts` must be sorted. */
export function partAt(parts: readonly number[], instant: number): number {
  let [low, high] = [0, parts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((parts[middle] ?? Infinity) <= instant) low = middle
    else high = middle - 1
  }
  return low
}
