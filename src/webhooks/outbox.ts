/** Turns events into deliveries, in the transaction of the event: what happened and who is to be told are one. */
import { traceOfCause } from '../state/causes.ts'
import { notify } from '../state/longPoll.ts'
import { recordStep } from '../state/timeline.ts'
import type { Follower } from '../state/events.ts'
import type { AppendedEvent } from '../state/workspace.ts'
import type { Workspace } from '../state/workspace.ts'
import { createDelivery } from './deliveries.ts'
import type { PendingListener } from './pendingListener.ts'
import type { Profiles } from './profile.ts'
import type { Subscribers } from './subscribers.ts'

/** Follows the events of a database and owes each one to every active subscription that asked for it. */
export const outbox =
  (profiles: Profiles, subscribers: Subscribers, listener: PendingListener): Follower =>
  (workspace, event) => {
    const asked = subscribers
      .of(workspace, event.interface)
      .filter(({ events }) => events?.has(event.name) ?? true)
    if (asked.length === 0) return
    const { envelope, schedule } = profiles.of(event.interface)
    const body = JSON.stringify(envelope(event))
    const trace = traceOfCause()
    const ids = asked.map(({ id: subscription, url, origin }) => {
      const { id, sequence, due } = createDelivery(workspace, {
        subscription,
        interface: event.interface,
        event: event.name,
        record: event.record ?? null,
        url,
        origin,
        body,
        delay: schedule.delays[0] ?? 0,
        trace,
      })
      listener.pending(workspace, origin, due, sequence)
      recordStep(workspace, {
        kind: 'delivery',
        title: `${event.interface} ${event.name} owed to ${origin}`,
        ref: id,
      })
      return id
    })
    remember(workspace, event, ids)
    notify(workspace, 'deliveries')
  }

/** Events of a workspace whose deliveries are remembered. An index for the few that are asked for would cost more. */
const REMEMBERED_EVENTS = 100

const madeBy = new WeakMap<Workspace, Map<string, readonly string[]>>()

function remember(workspace: Workspace, event: AppendedEvent, ids: readonly string[]): void {
  let made = madeBy.get(workspace)
  if (!made) madeBy.set(workspace, (made = new Map<string, readonly string[]>()))
  made.set(event.id, ids)
  if (made.size <= REMEMBERED_EVENTS) return
  const [oldest] = made.keys()
  if (oldest !== undefined) made.delete(oldest)
}

/** The ids of the deliveries that an event has made; for who has just appended it. */
export const deliveriesOf = (workspace: Workspace, eventId: string): readonly string[] =>
  madeBy.get(workspace)?.get(eventId) ?? []
