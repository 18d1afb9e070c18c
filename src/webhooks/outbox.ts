/** The outbox: turns events into deliveries, in the transaction of the event. */
import { findDeliveryFault } from '../state/faults/faults.ts'
import { addHint, answerAfter, traceOfCause } from '../state/timeline/causes.ts'
import { notify } from '../state/timeline/longPoll.ts'
import { recordStep } from '../state/timeline/timelines.ts'
import type { Follower } from '../state/workspace/events.ts'
import type { AppendedEvent, Workspace } from '../state/workspace/workspace.ts'
import { createDelivery } from './deliveries/deliveries.ts'
import { firstAttempts } from './deliveries/deliveryLog.ts'
import type { PendingListener } from './deliveries/pendingListener.ts'
import { bodyOf, type Profiles } from './profiles/profile.ts'
import type { Subscribers } from './subscriptions/subscribers.ts'

/** Returns a follower that creates a delivery of each event for every active subscription with that event. */
export const outbox =
  (profiles: Profiles, subscribers: Subscribers, listener: PendingListener): Follower =>
  (workspace, event) => {
    const subscribed = subscribers
      .of(workspace, event.interface)
      .filter(({ events }) => events?.has(event.name) ?? true)
    if (subscribed.length === 0) return
    const profile = profiles.of(event.interface)
    const body = JSON.stringify(bodyOf(profile, event, workspace))
    const trace = traceOfCause()
    const ids = subscribed.map(({ id: subscription, url, origin }) => {
      const { id, sequence, due } = createDelivery(workspace, {
        subscription,
        interface: event.interface,
        event: event.name,
        record: event.record,
        url,
        origin,
        body,
        delay: profile.schedule.delays[0] ?? 0,
        trace,
      })
      listener.pending(workspace, origin, due, sequence)
      recordStep(workspace, {
        kind: 'delivery',
        title: `${event.interface} ${event.name} queued for ${origin}`,
        ref: id,
      })
      return id
    })
    cacheDeliveries(workspace, event, ids)
    holdAnswer(workspace, event, body, ids)
    notify(workspace, 'deliveries')
  }

/** Lets the answer of the call that caused the event wait for the first attempts, if a fault says so. */
function holdAnswer(workspace: Workspace, event: AppendedEvent, body: string, ids: readonly string[]): void {
  const fault = findDeliveryFault(
    workspace,
    { interface: event.interface, event: event.name, body },
    (delivery) => delivery === 'before_answer',
  )
  if (!fault) return
  addHint(
    'webhooks_first',
    `The answer of this call waits for the first attempts of ${event.name}: ${fault.id}.`,
  )
  answerAfter((cut) => firstAttempts(workspace, ids, cut))
}

/** Events per workspace whose delivery ids are cached. An index for these few lookups would cost more. */
const MAX_CACHED_EVENTS = 100

const deliveriesByEvent = new WeakMap<Workspace, Map<string, readonly string[]>>()

function cacheDeliveries(workspace: Workspace, event: AppendedEvent, ids: readonly string[]): void {
  let cached = deliveriesByEvent.get(workspace)
  if (!cached) deliveriesByEvent.set(workspace, (cached = new Map<string, readonly string[]>()))
  cached.set(event.id, ids)
  if (cached.size <= MAX_CACHED_EVENTS) return
  const [oldest] = cached.keys()
  if (oldest !== undefined) cached.delete(oldest)
}

/** Returns the ids of the deliveries of an event that was just appended. */
export const deliveriesOf = (workspace: Workspace, eventId: string): readonly string[] =>
  deliveriesByEvent.get(workspace)?.get(eventId) ?? []
