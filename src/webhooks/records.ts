/** The tables of webhooks: subscriptions, which snapshots contain, and deliveries, which are history. */
import type { RecordSet } from '../state/storage/records/records.ts'
import { subscriptions } from './subscriptions/subscriptions.ts'
import { deliveries } from './deliveries/tables.ts'

export const webhookRecords: readonly RecordSet[] = [subscriptions]

/** Tables that a reset empties. */
export const webhookTraces = [deliveries]
