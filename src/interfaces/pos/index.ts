/** Point-of-sale webhooks. Specification part 2. */
import type { InterfaceDefinition } from '../../http/mount.ts'
import { posDialect } from './dialect.ts'
import { publishedEvents } from './events.ts'
import { webhooks } from './webhooks.ts'

export const pos: InterfaceDefinition = {
  name: 'pos',
  title: 'Point-of-sale webhooks',
  description: 'Subscriptions that push 33 business events to the caller.',
  basePath: '/pos/public/v1',
  dialect: posDialect,
  resources: [webhooks],
  events: publishedEvents,
}
