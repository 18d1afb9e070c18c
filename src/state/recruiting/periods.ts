/** The periods of analytics. */
import { DateTime } from 'luxon'
import { FIRST_INSTANT, iso } from '@suite-sim/kit/time/instants'
import { refuseProperty } from '../model/refusal.ts'
import {
  ALL_TIME,
  mustBeInOrder,
  periodsOf,
  spanOf,
  type Period,
  type SeriesUnit,
  type Span,
} from '../shared/periods.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** The maximum number of parts of a span in a response. */
const MAX_PARTS = 1000

/** Returns the span of `from` and `to`. Defaults: `to` is now, and `from` is `months` months before the end. */
export function analyzedSpan(
  workspace: Workspace,
  from: string | undefined,
  to: string | undefined,
  months: number,
): Span {
  const { end } = spanOf(workspace, from, to, { ...ALL_TIME, end: workspace.now() + 1 })
  const start = DateTime.fromMillis(end, { zone: workspace.timezone }).minus({ months }).toMillis()
  return mustBeInOrder(spanOf(workspace, from, to, { start, end }))
}

/** Serializes a span; both ends are included. */
export const spanView = ({ start, end }: Span) => ({
  from: iso(Math.max(start, FIRST_INSTANT)),
  to: iso(end - 1),
})

export const partsOf = (workspace: Workspace, span: Span, unit: SeriesUnit): Period[] =>
  periodsOf(workspace, span, unit, MAX_PARTS, () =>
    refuseProperty('to', 'too_late', `{to} must be at most ${String(MAX_PARTS)} ${unit}s after {from}`),
  )
