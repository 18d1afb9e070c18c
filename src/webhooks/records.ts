/** The webhooks' tables: what a snapshot holds of them, and what was delivered, which is history and no part of one. */
import type { RecordSet } from '../state/records.ts'
import { subscriptions } from './subscriptions.ts'
import { deliveries } from './tables.ts'

export const webhookRecords: readonly RecordSet[] = [subscriptions]

/** Tables that a reset empties. */
export const webhookTraces = [deliveries]
