/** Point-of-sale webhooks. Specification part 2. */
import { renderedAsGiven } from '../../state/events.ts'
import type { Entry } from '../entry.ts'

/** It delivers as every interface does that does not say otherwise, for those took the form that is shown of it. */
export const pos: Entry = {
  name: 'pos',
  title: 'Point-of-sale webhooks',
  specification: 'part 2, "Point-of-sale webhooks"',
  description: 'Subscriptions that push 33 business events to the caller.',
  basePath: '/pos/public/v1',
  machines: [],
  records: [],
  // What happens there is told as it was given: the point of sale keeps no records here.
  shows: renderedAsGiven,
  wire: async () => (await import('./wire.ts')).wire,
}
