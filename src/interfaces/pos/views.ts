/** Webhook subscriptions as they go over the wire. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/clock.ts'
import { posEvent, POS_EVENTS, type PosEventName } from '../../state/pos/events.ts'
import type { Subscription } from '../../webhooks/subscriptions.ts'
import type { Webhook } from './schemas.ts'

/** The subscription without its secret. */
export const webhookView = (subscription: Subscription): Static<typeof Webhook> => ({
  id: subscription.id,
  url: subscription.url,
  events: eventNames(subscription),
  isActive: subscription.active,
  createdAt: iso(subscription.createdAt),
  updatedAt: iso(subscription.updatedAt),
})

/** A subscription to all that was made in the control plane shows every name, for this interface knows no "*". */
const eventNames = ({ events }: Subscription): PosEventName[] =>
  events.includes('*') ? [...POS_EVENTS] : events.flatMap((name) => posEvent(name)?.name ?? [])
