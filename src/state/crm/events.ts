/**
 * What happens in the CRM. Specification part 1, "Events": deal.won, deal.lost, contact.created and deal.created are
 * shown, every other name is assumed.
 *
 * Each event is appended once a change, in the transaction of the change. The automations follow, and do their work in
 * that same transaction.
 */
import type { AppendedEvent } from '../workspace.ts'
import type { Workspace } from '../workspace.ts'

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
  'automation.executed',
] as const

export type CrmEventName = (typeof CRM_EVENTS)[number]

/**
 * Appends an event that tells of the record with this id; `data` holds records as they go over the wire, by name. Only
 * inside a `write`.
 */
export function appendCrmEvent(
  workspace: Workspace,
  name: CrmEventName,
  record: string,
  data: Readonly<Record<string, unknown>>,
): AppendedEvent {
  return workspace.append({ interface: 'crm', name, record, data })
}
