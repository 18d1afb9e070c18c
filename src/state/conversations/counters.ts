/** Consecutive ids (1, 2, 3) for each account and kind of record. An id is never reused, even after a deletion. */
import { record } from '../storage/records/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { counters as table, type KINDS } from './tables.ts'

type Kind = (typeof KINDS)[number]

export const counters = record(table, {
  noun: 'counter',
  snapshot: {
    section: 'conversations',
    name: 'counters',
    isInternal: true,
    isCounter: true,
    // `assignee` has the number of the last automatically assigned agent.
  },
})

/** Returns the next id of a kind. `isTaken` finds ids from a snapshot without counters. Only inside a `write`. */
export function nextId(workspace: Workspace, kind: Kind, isTaken: (id: string) => boolean): string {
  const counter = counters.find(workspace, kind)
  let last = (counter?.last ?? 0) + 1
  while (isTaken(String(last))) last += 1
  if (counter) counters.update(workspace, counter, { last })
  else counters.insert(workspace, { id: kind, last })
  return String(last)
}
