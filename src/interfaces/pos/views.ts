/** Serializes webhook subscriptions. */
import type { Static } from '@sinclair/typebox'
import { iso } from '../../state/model/clock.ts'
import { POS_EVENTS } from '../../state/pos/events.ts'
import { eventNames, type Subscription } from '../../webhooks/subscriptions.ts'
import type { Webhook } from './schemas.ts'

/** Serializes a subscription without its secret. */
export const webhookView = (subscription: Subscription): Static<typeof Webhook> => ({
  id: subscription.id,
  url: subscription.url,
  events: eventNames(subscription, POS_EVENTS),
  isActive: subscription.active,
  createdAt: iso(subscription.createdAt),
  updatedAt: iso(subscription.updatedAt),
})
