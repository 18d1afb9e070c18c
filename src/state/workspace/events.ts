/** Events. An event is appended in the transaction of its change, and so are its effects. */
import type { InterfaceName } from '../model/interfaceNames.ts'
import { trimmer } from '../storage/records/retention.ts'
import { inserter } from '../storage/queries/rows.ts'
import { events } from '../storage/tables.ts'
import type { AppendedEvent, EventData, NewEvent, Workspace } from './workspace.ts'

/** Called with every event, inside the transaction that appends it. The outbox of webhooks is one. */
export type Follower = (workspace: Workspace, event: AppendedEvent) => void

/**
 * Renders the data of an event of one interface. Called in the transaction of the event, so that stored and delivered
 * data show the state at that time.
 */
export type EventRenderer = (workspace: Workspace, event: NewEvent) => EventData

/** Renders each event with the view of its name. */
export const renderWith =
  (events: Readonly<Record<string, { view(data: never, workspace: Workspace): EventData }>>): EventRenderer =>
  (workspace, { interface: of, name, data }) => {
    const event = events[name]
    if (!event) throw new Error(`the event ${name} of ${of} has no view`)
    return event.view(data as never, workspace)
  }

/** Renders events unchanged. */
export const renderUnchanged: EventRenderer = (_workspace, { data }) => data

/**
 * Returns the function that appends the events of an interface, each about the record with this id. `Events` has the
 * data of each event. Call it only inside a `write`.
 */
export const appenderOf =
  <Events extends Readonly<Record<keyof Events, object>>>(of: InterfaceName) =>
  <Name extends keyof Events & string>(
    workspace: Workspace,
    name: Name,
    record: string,
    data: Events[Name],
  ): AppendedEvent =>
    workspace.append({ interface: of, name, record, data: data as EventData })

const insertEvent = inserter(events)

const trimEvents = trimmer(events)

/** Stores an event with these data. Only inside a `write`. */
export function storeEvent(workspace: Workspace, event: NewEvent, data: EventData): AppendedEvent {
  // Lists each property, because adding properties to a copy is slow.
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
