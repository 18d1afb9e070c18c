/** Explains why a wait for deliveries has ended without them: what is pending, what failed, or who is not subscribed. */
import { counted } from '@suite-sim/kit/text/counted'
import { iso } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Delivery } from '../../webhooks/deliveries/deliveries.ts'
import type { DeliveryQuery } from '../../webhooks/deliveries/deliveryLog.ts'
import { listSubscriptions } from '../../webhooks/subscriptions/subscriptions.ts'
import type { ControlContext } from '../shared/context.ts'

type Wanted = Omit<DeliveryQuery, 'limit'>

/** The most deliveries that an explanation looks at, and those that it names. */
const MAX_READ = 100
const MAX_NAMED = 3

/** Returns why fewer deliveries match than a caller waited for. */
export function explainDeliveries(context: ControlContext, workspace: Workspace, wanted: Wanted): string {
  const { status, ...others } = wanted
  const all = context.webhooks.list(workspace, { ...others, limit: MAX_READ })
  const missing = all.filter((each) => (status ?? each.status) !== each.status)
  const [first] = missing
  if (first) {
    const more = missing.length - MAX_NAMED
    return [
      ...missing.slice(0, MAX_NAMED).map((each) => stateOf(workspace, each)),
      ...(more > 0
        ? [`${counted(more, 'other delivery')} ${more === 1 ? 'is' : 'are'} not ${status ?? ''}.`]
        : []),
    ].join(' ')
  }
  return explainEvents(context, workspace, wanted, all.length > 0 ? ' other' : '')
}

/** Returns why fewer webhooks are in the inbox than a caller waited for. */
export function explainInbox(context: ControlContext, workspace: Workspace, wanted: Wanted): string {
  const urls = listSubscriptions(workspace).map(({ url }) => url)
  return urls.length > 0 && !urls.some((url) => new URL(url).pathname.endsWith('/_sim/receiver'))
    ? 'No subscription has the URL of the built-in receiver, which is that of the server and /_sim/receiver.'
    : explainDeliveries(context, workspace, wanted)
}

/** Returns "Delivery x of sale.completed to http://… is pending: attempt 1 failed (…); the next one is due at …." */
function stateOf(
  workspace: Workspace,
  { id, event, url, status, attempts, nextAttemptAt }: Delivery,
): string {
  const last = attempts.at(-1)
  const failed =
    last === undefined || (last.error === null && last.status !== null && last.status < 300)
      ? []
      : [`attempt ${String(attempts.length)} failed (${last.error ?? `status ${String(last.status)}`})`]
  const next = status === 'pending' && nextAttemptAt !== null ? [nextOf(workspace, nextAttemptAt)] : []
  const why = [...failed, ...next].join('; ')
  return `Delivery ${id} of ${event} to ${url} is ${status}${why === '' ? '' : `: ${why}`}.`
}

function nextOf(workspace: Workspace, at: number): string {
  const now = workspace.now()
  if (at <= now) return 'an attempt is due now'
  const clock = workspace.clock.isFrozen
    ? `, and the clock of the workspace stands at ${iso(now)}: advance it`
    : `; the clock of the workspace is at ${iso(now)}`
  return `the next attempt is due at ${iso(at)}${clock}`
}

/** Returns why no delivery exists: no subscription, or no event. */
function explainEvents(
  { webhooks }: ControlContext,
  workspace: Workspace,
  { interface: of, event, subscription }: Wanted,
  more: string,
): string {
  const all = [...webhooks.listeners.list(workspace), ...listSubscriptions(workspace)]
  const wanted = event ?? (of === undefined ? 'any event' : `any event of ${of}`)
  const fitting = all.filter(
    (each) =>
      (subscription ?? each.id) === each.id &&
      (of ?? each.interface) === each.interface &&
      (event === undefined || each.events.includes('*') || each.events.includes(event)),
  )
  const active = fitting.filter((each) => each.active)
  if (active.length === 0) {
    if (fitting.length > 0)
      return `${subscribed(fitting.length)} subscribed to ${wanted}, but not active; the answer 410 of a receiver ends a subscription.`
    const others = all.length === 0 ? '' : ` The workspace has ${counted(all.length, 'other subscription')}.`
    return `Nobody is subscribed to ${wanted}.${others}`
  }
  return `${subscribed(active.length)} subscribed to ${wanted}, but no${more} ${event ?? 'event'} has occurred since.`
}

const subscribed = (count: number): string =>
  `${counted(count, 'subscription')} ${count === 1 ? 'is' : 'are'}`
