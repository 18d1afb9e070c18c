/**
 * What happens in the CRM. Specification part 1, "Events": deal.won, deal.lost, contact.created and deal.created are
 * shown, every other name is assumed.
 *
 * Each event is appended once a change, in the transaction of the change. The automations follow, and do their work in
 * that same transaction.
 */
import type { AppendedEvent, EventData, NewEvent, Workspace } from '../workspace.ts'
import type { DealInFull } from './dealRecords.ts'
import type { automations, contacts, crmActivities, deals, executions } from './tables.ts'

interface ContactEvent {
  readonly contact: typeof contacts.$inferSelect
}

interface DealEvent {
  readonly deal: DealInFull
}

interface ActivityEvent {
  readonly activity: typeof crmActivities.$inferSelect
}

interface Gone {
  /** In ms since the epoch. */
  readonly deletedAt: number
}

/** What each event tells of: records as they now are, or as they were when they went. */
export interface CrmEvents {
  'contact.created': ContactEvent
  'contact.updated': ContactEvent
  'contact.deleted': ContactEvent & Gone
  'deal.created': DealEvent
  'deal.updated': DealEvent
  'deal.stage_changed': DealEvent & { readonly before: DealInFull; readonly reason: string | null }
  'deal.won': DealEvent
  'deal.lost': DealEvent
  'deal.deleted': { readonly deal: Pick<typeof deals.$inferSelect, 'id' | 'name'> } & Gone
  'activity.created': ActivityEvent
  'activity.updated': ActivityEvent
  'activity.completed': ActivityEvent
  'activity.deleted': { readonly activity: Pick<typeof crmActivities.$inferSelect, 'id' | 'subject'> } & Gone
  'automation.executed': {
    readonly automation: typeof automations.$inferSelect
    readonly execution: typeof executions.$inferSelect
  }
}

export type CrmEventName = keyof CrmEvents

/** The names of the events that need no more than this to tell. */
export type CrmEventRecorder<Told> = {
  [Name in CrmEventName]: Told extends CrmEvents[Name] ? Name : never
}[CrmEventName]

/** Every event of the CRM, in the order of a record's life. */
export const CRM_EVENTS = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'deal.created',
  'deal.updated',
  'deal.stage_changed',
  'deal.won',
  'deal.lost',
  'deal.deleted',
  'activity.created',
  'activity.updated',
  'activity.completed',
  'activity.deleted',
  'automation.executed',
] as const satisfies readonly CrmEventName[]

const crmEvent = <Name extends CrmEventName>(
  name: Name,
  record: string,
  data: CrmEvents[Name],
): NewEvent => ({ interface: 'crm', name, record, data: { ...data } })

/** Appends an event that tells of the record with this id. Only inside a `write`. */
export const appendCrmEvent = <Name extends CrmEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: CrmEvents[Name],
): AppendedEvent => workspace.append(crmEvent(name, record, data))

/** What such an event would tell now: records as automations see them where no event has told of them. */
export const asCrmEvent = <Name extends CrmEventName>(
  workspace: Workspace,
  name: Name,
  record: string,
  data: CrmEvents[Name],
): EventData => workspace.registry.renderEvent(workspace, crmEvent(name, record, data))
