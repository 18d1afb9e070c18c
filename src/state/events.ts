/** What happened. An event is appended in the transaction of the change, and so is whatever follows from it. */
import { trimmer } from './retention.ts'
import { inserter } from './rows.ts'
import { events } from './tables.ts'
import type { AppendedEvent, NewEvent, Workspace } from './workspace.ts'

/** Called with every event, inside the transaction that appends it; the webhooks' outbox is one. */
export type Follower = (workspace: Workspace, event: AppendedEvent) => void

const insertEvent = inserter(events)

const trimEvents = trimmer(events)

/** Puts an event into the workspace's history. Only inside a `write`. */
export function keepEvent(workspace: Workspace, event: NewEvent): AppendedEvent {
  // Named one by one, for a copy that gets more properties is slow to make.
  const appended: AppendedEvent = {
    interface: event.interface,
    name: event.name,
    data: event.data,
    record: event.record,
    id: workspace.ids.cuid2('event'),
    at: workspace.now(),
  }
  insertEvent(workspace.database, {
    workspace: workspace.number,
    id: appended.id,
    interface: appended.interface,
    name: appended.name,
    data: appended.data,
    at: appended.at,
  })
  trimEvents(workspace)
  return appended
}
