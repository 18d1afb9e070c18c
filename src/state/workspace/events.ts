/** Events. An event is appended in the transaction of its change, and so are its effects. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { callOfCause, traceOfCause, withCause } from '../timeline/causes.ts'
import type { TimelineOwner } from '../timeline/timelineOwner.ts'
import { recordStep } from '../timeline/timelines.ts'
import { trimmer } from '../storage/queries/retention.ts'
import { inserter } from '../storage/queries/rows.ts'
import { events } from '../storage/tables.ts'
import type { AppendedEvent, EventData, EventService, NewEvent, Workspace } from './workspace.ts'

/**
 * Called with every event, inside the transaction that appends it, and with the data from which it was rendered. The outbox of
 * webhooks is one.
 */
export type Follower = (workspace: Workspace, event: AppendedEvent, source: EventData) => void

/**
 * Renders the data of an event of one interface. Called in the transaction of the event, so that stored and delivered
 * data show the state at that time.
 */
export type EventRenderer = ((workspace: Workspace, event: NewEvent) => EventData) & {
  /** The names of the events; any if it is missing. */
  readonly names?: readonly string[]
}

/** When the attempts of a delivery follow. */
export interface RetrySchedule {
  /** Ms before each attempt, from the previous one; the first from the event. At least two. */
  readonly delays: readonly number[]
  /** The variation of a delay, as a share of it, so that deliveries that failed together are spread out. */
  readonly jitter: number
}

/** Renders each event with the view of its name. */
export function renderWith(
  events: Readonly<Record<string, { view(data: never, workspace: Workspace): EventData }>>,
): EventRenderer {
  const render: EventRenderer = (workspace, { interface: of, name, data }) => {
    const event = events[name]
    if (!event) throw new Error(`the event ${name} of ${of} has no view`)
    return event.view(data as never, workspace)
  }
  return Object.assign(render, { names: Object.keys(events) })
}

/** Renders events with these names unchanged. */
export const renderNamed = (names: readonly string[]): EventRenderer =>
  Object.assign(((_workspace, { data }) => data) as EventRenderer, { names })

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

/** The events of all workspaces: their renderers by interface, and their followers. */
export class Events implements EventService {
  readonly #renderers: ReadonlyMap<string, EventRenderer>
  readonly #followers: Follower[]

  /** An event of an interface without a renderer throws. */
  constructor(renderers: ReadonlyMap<string, EventRenderer>, followers: readonly Follower[]) {
    this.#renderers = renderers
    this.#followers = [...followers]
  }

  /** Adds a follower, which is called with every event after the existing ones. */
  follow(follower: Follower): void {
    this.#followers.push(follower)
  }

  /** Renders the data of an event for the current state. */
  render(workspace: Workspace, event: NewEvent): EventData {
    const render = this.#renderers.get(event.interface)
    if (!render) throw new Error(`the events of ${event.interface} have no renderer`)
    return render(workspace, event)
  }

  /** Returns the names of the events of an interface; undefined if any name is possible. */
  namesOf(of: string): readonly string[] | undefined {
    return this.#renderers.get(of)?.names
  }

  /** Stores a rendered event and calls the followers, in this transaction. Only inside a `write`. */
  append(workspace: Workspace, event: NewEvent): AppendedEvent {
    const appended = storeEvent(workspace, event, this.render(workspace, event))
    const number = recordStep(workspace, {
      kind: 'event',
      title: `${event.interface} ${event.name}`,
      ref: appended.id,
    })
    const trace = traceOfCause()
    const numberIn = (other: TimelineOwner): number | null => (other === workspace ? number : null)
    withCause({ numberIn, trace: () => trace, ...callOfCause() }, () => {
      for (const follower of this.#followers) follower(workspace, appended, event.data)
    })
    return appended
  }
}

const insertEvent = inserter(events)

const trimEvents = trimmer(events)

/** Stores an event with these data. Only inside a `write`. */
function storeEvent(workspace: Workspace, event: NewEvent, data: EventData): AppendedEvent {
  // Lists each property, because adding properties to a copy is slow.
  const appended: AppendedEvent = {
    interface: event.interface,
    name: event.name,
    data,
    record: event.record,
    id: workspace.ids.cuid2('event'),
    at: event.at ?? workspace.now(),
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
