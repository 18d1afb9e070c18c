/** What happened. An event is appended in the transaction of the change, and so is whatever follows from it. */
import { trimmer } from './retention.ts'
import { inserter } from './rows.ts'
import { events } from './tables.ts'
import type { AppendedEvent, EventData, NewEvent, Workspace } from './workspace.ts'

/** Called with every event, inside the transaction that appends it; the webhooks' outbox is one. */
export type Follower = (workspace: Workspace, event: AppendedEvent) => void

/**
 * How an interface shows what its events tell. Called in the transaction of the event, before anybody is told of it: what
 * is kept, delivered and looked into is what was true then.
 */
export type EventRenderer = (workspace: Workspace, event: NewEvent) => EventData

/** How each event of an interface is shown, where `Events` says what the state gives to each. */
export type EventViews<Events> = {
  readonly [Name in keyof Events]: (data: Events[Name], workspace: Workspace) => EventData
}

/** Shows each event by the view of its name. */
export const renderedBy =
  (views: EventViews<Readonly<Record<string, never>>>): EventRenderer =>
  (workspace, { interface: of, name, data }) => {
    const view = views[name]
    if (!view) throw new Error(`nothing says how the event ${name} of ${of} is shown`)
    return view(data as never, workspace)
  }

/** Shows events as they were appended. */
export const renderedAsGiven: EventRenderer = (_workspace, { data }) => data

const insertEvent = inserter(events)

const trimEvents = trimmer(events)

/** Puts an event into the workspace's history, with these data. Only inside a `write`. */
export function storeEvent(workspace: Workspace, event: NewEvent, data: EventData): AppendedEvent {
  // Named one by one, for a copy that gets more properties is slow to make.
  const appended: AppendedEvent = {
    interface: event.interface,
    name: event.name,
    data,
    record: event.record,
    id: workspace.ids.cuid2('event'),
    at: workspace.now(),
  }
  insertEvent(workspace.database, {
    workspace: workspace.rowScope,
    id: appended.id,
    interface: appended.interface,
    name: appended.name,
    data: appended.data,
    at: appended.at,
  })
  trimEvents(workspace)
  return appended
}
