/** The webhooks' tables as they stand in snapshots. What was delivered is history and not part of one. */
import { Type } from '@sinclair/typebox'
import type { RecordSet } from '../state/records.ts'
import { refuseField } from '../state/refusal.ts'
import { deliveries, subscriptions } from './tables.ts'

const filled = Type.String({ minLength: 1 })

export const webhookRecords: readonly RecordSet[] = [
  {
    section: 'webhooks',
    name: 'subscriptions',
    table: subscriptions,
    instants: ['createdAt', 'updatedAt'],
    derived: [],
    shapes: { interface: filled, secret: filled, events: Type.Array(filled, { minItems: 1 }) },
    complete: (_workspace, row) => {
      mustBeUrl(row['url'])
      mustBeNames(row['events'])
      return row
    },
  },
]

/** Tables that a reset empties. */
export const webhookTraces = [deliveries]

/** Which hosts may be reached over plain http is said at each start, and so is no matter of the snapshot. */
function mustBeUrl(url: unknown): void {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    refuseField('webhooks.subscriptions.url', 'invalid_format', 'url must be an http or https URL')
  }
}

function mustBeNames(events: unknown): void {
  if (!Array.isArray(events) || !events.every((name) => typeof name === 'string')) {
    refuseField('webhooks.subscriptions.events', 'invalid_type', 'events must be a list of event names')
  }
}
