/** Point-of-sale webhooks. Specification part 2. */
import type { InterfaceDefinition } from '../../http/definition/definition.ts'
import { POS_EVENTS } from '../../state/pos/eventNames.ts'
import { renderNamed } from '../../state/workspace/events.ts'

/** The definition has no `eventTime` because the default format is the one that the specification shows here. */
export const pos: InterfaceDefinition = {
  name: 'pos',
  title: 'Point-of-sale webhooks',
  specification: 'part 2, "Point-of-sale webhooks"',
  description: 'Webhook subscriptions to 33 business events.',
  basePath: '/pos/public/v1',
  machines: [],
  records: [],
  // The point of sale stores no records here, so webhooks get the event data unchanged.
  renderEvent: renderNamed(POS_EVENTS),
  load: async () => (await import('./wire.ts')).wire,
}
