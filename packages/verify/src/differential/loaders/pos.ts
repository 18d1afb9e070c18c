/** Webhooks, which are all that can be read. */
import type { Readings } from '../../crawl/readings.ts'
import { rowsOf, subscription, type Loaded, type Loader } from './loader.ts'

export const pos: Loader = { load }

function load(readings: Readings): Loaded {
  const { rows, isComplete } = rowsOf(readings, 'listWebhooks')
  const subscriptions = rows.map(({ row }) => ({ ...subscription('pos', row), active: row['isActive'] }))
  return { snapshot: { webhooks: { subscriptions } }, isComplete }
}
