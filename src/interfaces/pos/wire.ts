/** The wire of the point of sale: its dialect, routes, events and triggers. Specification part 2. */
import type { Wire } from '../../http/definition/definition.ts'
import { posDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { posTriggers } from './triggers.ts'
import { webhooks } from './webhooks.ts'

export const wire: Wire = {
  dialect: posDialect,
  resources: [webhooks],
  events: publishedEvents,
  triggers: posTriggers,
}
