/** What happened. An event is appended in the transaction of the change, and so is whatever follows from it. */
import { trimmer } from './history.ts'
import { inserter } from './rows.ts'
import { events } from './tables.ts'
import type { Workspace } from './workspaces.ts'

export interface NewEvent {
  readonly interface: string
  /** "product.created" */
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
  /** The id of the record that it tells of: what is told of one record has an order. */
  readonly record?: string | undefined
}

export interface AppendedEvent extends NewEvent {
  readonly id: string
  readonly at: number
}

/** Called with every event, inside the transaction that appends it; the webhooks' outbox is one. */
export type Follower = (workspace: Workspace, event: AppendedEvent) => void

const insertEvent = inserter(events)

const trimEvents = trimmer(events)

/** Appends an event to the workspace's history. Only inside a `write`. */
export function append(workspace: Workspace, event: NewEvent): AppendedEvent {
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
  for (const follower of workspace.registry.followers) follower(workspace, appended)
  return appended
}
