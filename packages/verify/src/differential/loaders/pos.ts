/** Webhooks, which are all that can be read. */
import type { Answers } from '../../crawl/answers.ts'
import { rowsOf, subscription, type Loaded, type Loader } from './loader.ts'

export const pos: Loader = { load }

function load(answers: Answers): Loaded {
  const { rows, isComplete } = rowsOf(answers, 'listWebhooks')
  const subscriptions = rows.map(({ row }) => ({ ...subscription('pos', row), active: row['isActive'] }))
  return { snapshot: { webhooks: { subscriptions } }, isComplete }
}
