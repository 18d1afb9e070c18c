/** Follows the timeline of a workspace, for streams. */
import type { Static } from '@sinclair/typebox'
import type { Call, Timeline } from '../../state/timeline/timeline.ts'
import { timelineOf, timelinesOf } from '../../state/timeline/timelines.ts'
import { requestId, type Step } from '../../state/timeline/timelineShapes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { TimelineItem } from './journalSchemas.ts'
import { entryId, entryNumberOf, timelineView } from './timelineViews.ts'

/** The maximum number of cached ids of a stream. Causes are looked up there first. */
const MAX_CACHED = 10_000

/** Returns a function from entry numbers to ids. An unknown number is that of a call: discarded, or still in flight. */
export function idsOf(history: Timeline): (number: number) => string {
  const steps = new Map(history.steps().map((step) => [step.number, step]))
  return (number) => {
    const step = steps.get(number)
    return step ? entryId(step) : requestId(number)
  }
}

/**
 * Calls `report` with the entries after `lastId`, and then with each new one, until the returned function is called.
 * Without a valid id, only with new ones.
 */
export function followTimeline(
  workspace: Workspace,
  lastId: string,
  report: (entry: Static<typeof TimelineItem>) => void,
): () => void {
  // A number always means the same step, so its id can be cached.
  const ids = new Map<number, string>()
  const idOf = (number: number): string => ids.get(number) ?? idsOf(timelineOf(workspace))(number)
  const send = (entry: Call | Step): void => {
    const view = timelineView(entry, idOf)
    ids.set(entry.number, view.id)
    if (ids.size > MAX_CACHED) ids.clear()
    report(view)
  }
  const last = entryNumberOf(lastId)
  if (!Number.isNaN(last)) {
    const history = timelineOf(workspace)
    const missed = [...history.calls(), ...history.steps()].filter(({ number }) => number > last)
    for (const entry of missed.sort((one, other) => one.number - other.number)) send(entry)
  }
  return timelinesOf(workspace.database).listen(workspace, send)
}
