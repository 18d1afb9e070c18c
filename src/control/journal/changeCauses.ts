/** The causes of changed records: calls, triggers, jobs and events of the timeline. */
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { timelineView } from './timelineViews.ts'
import type { ChangedRecordView } from './changedFields.ts'

/** The maximum number of causes of a record; the newest ones. */
const MAX_CAUSES = 10

/** Returns the causes of records together, oldest first. */
export type CauseFinder = (refs: readonly string[]) => ChangedRecordView['causes'][number][]

/**
 * Returns a function that finds the entries of the timeline after `lastEntry` that wrote records. Refused calls wrote
 * nothing.
 */
export function causeFinder(workspace: Workspace, lastEntry: number): CauseFinder {
  const timeline = timelineOf(workspace)
  const entries = new Map(
    [...timeline.calls().filter(({ status }) => status < 400), ...timeline.steps()].map((entry) => [
      entry.number,
      entry,
    ]),
  )
  const moves = new Map<string, number[]>()
  for (const { moved, causedBy, ref } of timeline.steps()) {
    if (!moved || causedBy === null) continue
    const numbers = moves.get(ref)
    if (numbers) numbers.push(causedBy)
    else moves.set(ref, [causedBy])
  }
  return (refs) => {
    const numbers = new Set(refs.flatMap((ref) => [...(moves.get(ref) ?? []), ...timeline.causesOf(ref)]))
    return [...numbers]
      .filter((number) => number > lastEntry)
      .toSorted((one, other) => one - other)
      .flatMap((number) => entries.get(number) ?? [])
      .slice(-MAX_CAUSES)
      .map((entry) => {
        const { kind, id, title } = timelineView(entry, String)
        return { kind, id, title }
      })
  }
}
