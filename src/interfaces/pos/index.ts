/** Point-of-sale webhooks. Specification part 2. */
import { renderUnchanged } from '../../state/workspace/events.ts'
import type { Entry } from '../entry.ts'

/** The entry has no delivery options because the default format is the one that the specification shows here. */
export const pos: Entry = {
  name: 'pos',
  title: 'Point-of-sale webhooks',
  specification: 'part 2, "Point-of-sale webhooks"',
  description: 'Webhook subscriptions to 33 business events.',
  basePath: '/pos/public/v1',
  machines: [],
  records: [],
  // The point of sale stores no records here, so webhooks get the event data unchanged.
  renderEvent: renderUnchanged,
  wire: async () => (await import('./wire.ts')).wire,
}
