/**
 * The events of the CRM. Specification part 1, "Events", shows deal.won, deal.lost, contact.created and
 * deal.created; the other names are assumed. Each change appends its event in its own transaction, and automations
 * run in the same transaction.
 */
import type { AppendedEvent, EventData, NewEvent, Workspace } from '../workspace/workspace.ts'
import type { DealDetails } from './sales/dealRecords.ts'
import type { CrmEventName } from './eventNames.ts'
import type { automations, contacts, crmActivities, deals, executions } from './tables.ts'

interface ContactEvent {
  readonly contact: typeof contacts.$inferSelect
}

interface DealEvent {
  readonly deal: DealDetails
}

interface ActivityEvent {
  readonly activity: typeof crmActivities.$inferSelect
}

interface Deleted {
  /** In ms since the epoch. */
  readonly deletedAt: number
}

/** The data of each event: the records after the change, or before their deletion. */
export interface CrmEvents {
  'contact.created': ContactEvent
  'contact.updated': ContactEvent
  'contact.deleted': ContactEvent & Deleted
  'deal.created': DealEvent
  'deal.updated': DealEvent
  'deal.stage_changed': DealEvent & { readonly before: DealDetails; readonly reason: string | null }
  'deal.won': DealEvent
  'deal.lost': DealEvent
  'deal.deleted': { readonly deal: Pick<typeof deals.$inferSelect, 'id' | 'name'> } & Deleted
  'activity.created': ActivityEvent
  'activity.updated': ActivityEvent
  'activity.completed': ActivityEvent
  'activity.deleted': {
    readonly activity: Pick<typeof crmActivities.$inferSelect, 'id' | 'subject'>
  } & Deleted
  'automation.executed': {
    readonly automation: typeof automations.$inferSelect
    readonly execution: typeof executions.$inferSelect
  }
}

/** The names of the events that need no other data. */
export type CrmEventRecorder<Data> = {
  [Name in CrmEventName]: Data extends CrmEvents[Name] ? Name : never
}[CrmEventName]

const crmEvent = <Name extends CrmEventName>(
  name: Name,
  record: string,
  data: CrmEvents[Name],
): NewEvent => ({ interface: 'crm', name, record, data: { ...data } })

/** Appends an event about the record with this id. Only inside a `write`. */
export const appendCrmEvent = <Name extends CrmEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: CrmEvents[Name],
): AppendedEvent => workspace.append(crmEvent(name, record, data))

/** Returns the data of an event without appending it, for automations that read the current records. */
export const renderCrmEvent = <Name extends CrmEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: CrmEvents[Name],
): EventData => workspace.renderEvent(crmEvent(name, record, data))
