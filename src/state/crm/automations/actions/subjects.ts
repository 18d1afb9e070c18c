/**
 * Finds the current activity, deal and contact of an event. Conditions, placeholders and actions read these instead
 * of the state at the time of the event. All of it is assumed.
 */
import type { EventData, Workspace } from '../../../workspace/workspace.ts'
import { crmActivities } from '../../sales/activityRecords.ts'
import type { Trigger } from '../chains.ts'
import { contacts, type Contact } from '../../sales/contacts.ts'
import { deals as dealRecords, type DealDetails } from '../../sales/dealRecords.ts'
import { findDeals } from '../../sales/deals.ts'
import { renderCrmEvent } from '../../events.ts'
import { valueAt } from './placeholders.ts'

export interface Subject {
  readonly deal: DealDetails | undefined
  readonly contactId: string | null
  /** The event data, with the current activity, deal and contact. */
  readonly data: EventData
}

const idAt = (data: EventData, path: string): string | null => {
  const value = valueAt(data, path)
  return typeof value === 'string' ? value : null
}

const findIfSet = <Row>(id: string | null, find: (id: string) => Row | undefined): Row | undefined =>
  id === null ? undefined : find(id)

/** Returns the records of the event. Reads them each time, so that an action sees the changes of the one before. */
export function subjectOf(workspace: Workspace, data: EventData): Subject {
  const activity = findIfSet(idAt(data, 'activity.id'), (id) => crmActivities.find(workspace, id))
  const dealId = idAt(data, 'deal.id') ?? (activity ? activity.dealId : idAt(data, 'activity.deal_id'))
  const deal = findIfSet(dealId, (id) => findDeals(workspace, [id])[0])
  const contact = findIfSet(contactIdOf(data, activity, deal), (id) => contacts.find(workspace, id))
  return {
    deal,
    contactId: contact?.id ?? null,
    data: {
      ...data,
      ...(activity && renderCrmEvent(workspace, 'activity.updated', activity.id, { activity })),
      ...(deal && dealData(workspace, deal)),
      ...(contact && contactData(workspace, contact)),
    },
  }
}

/** Returns the contact of the event or else of its current activity or deal. */
function contactIdOf(
  data: EventData,
  activity: { readonly contactId: string | null } | undefined,
  deal: DealDetails | undefined,
): string | null {
  const own = idAt(data, 'contact.id')
  if (own !== null) return own
  if (activity || deal) return activity?.contactId ?? deal?.contactId ?? null
  return idAt(data, 'deal.contact.id') ?? idAt(data, 'activity.contact_id')
}

const contactData = (workspace: Workspace, contact: Contact): EventData =>
  renderCrmEvent(workspace, 'contact.updated', contact.id, { contact })

/** Returns the event data of a deal, with the e-mail address of its owner. */
function dealData(workspace: Workspace, deal: DealDetails): EventData {
  const data = renderCrmEvent(workspace, 'deal.updated', deal.id, { deal })
  const owner = deal.ownerId === null ? undefined : workspace.user(deal.ownerId)
  if (!owner) return data
  const { id, name, email } = owner
  return { deal: Object.assign({}, data['deal'], { owner: { id, name, email } }) }
}

/** Returns the records of the event that were deleted since; none for an event about a deletion. */
export function deletedSince(workspace: Workspace, { name, data }: Trigger): string[] {
  if (name.endsWith('.deleted')) return []
  const isDeleted = (id: string | null, records: { head: (of: Workspace, id: string) => unknown }): boolean =>
    id !== null && !records.head(workspace, id)
  const ids = {
    contact: idAt(data, 'contact.id'),
    deal: idAt(data, 'deal.id'),
    activity: idAt(data, 'activity.id'),
  }
  const deleted = [
    ...(isDeleted(ids.deal, dealRecords) ? [`deal ${String(ids.deal)}`] : []),
    ...(isDeleted(ids.activity, crmActivities) ? [`activity ${String(ids.activity)}`] : []),
  ]
  // Records that were deleted with their contact are listed with it.
  const contactId = ids.contact ?? (deleted.length > 0 ? contactIdOf(data, undefined, undefined) : null)
  return isDeleted(contactId, contacts) ? [`contact ${String(contactId)}`, ...deleted] : deleted
}
