/**
 * What an event is about, as it is now: its activity, its deal and its contact. Conditions, placeholders and actions all
 * see this, and none of them what the event told when it happened. All of it is assumed.
 */
import type { EventData, Workspace } from '../workspace.ts'
import { crmActivities } from './activityRecords.ts'
import type { Trigger } from './automationChains.ts'
import { contacts, type Contact } from './contacts.ts'
import { deals as dealRecords, type DealInFull } from './dealRecords.ts'
import { dealsInFull } from './deals.ts'
import { asCrmEvent } from './events.ts'
import { valueAt } from './placeholders.ts'

export interface Subject {
  readonly deal: DealInFull | undefined
  readonly contactId: string | null
  /** What the event told, with its activity, its deal and its contact as they are now. */
  readonly data: EventData
}

const idAt = (data: EventData, path: string): string | null => {
  const found = valueAt(data, path)
  return typeof found === 'string' ? found : null
}

const found = <Row>(id: string | null, find: (id: string) => Row | undefined): Row | undefined =>
  id === null ? undefined : find(id)

/** Looked up anew each time, so that an action sees what the one before it has done. */
export function subjectOf(workspace: Workspace, data: EventData): Subject {
  const activity = found(idAt(data, 'activity.id'), (id) => crmActivities.find(workspace, id))
  const dealId = idAt(data, 'deal.id') ?? (activity ? activity.dealId : idAt(data, 'activity.deal_id'))
  const deal = found(dealId, (id) => dealsInFull(workspace, [id])[0])
  const contact = found(contactIdOf(data, activity, deal), (id) => contacts.find(workspace, id))
  return {
    deal,
    contactId: contact?.id ?? null,
    data: {
      ...data,
      ...(activity && asCrmEvent(workspace, 'activity.updated', activity.id, { activity })),
      ...(deal && dealData(workspace, deal)),
      ...(contact && contactData(workspace, contact)),
    },
  }
}

/** The contact that the event is about, else that which its activity or its deal has now. */
function contactIdOf(
  data: EventData,
  activity: { readonly contactId: string | null } | undefined,
  deal: DealInFull | undefined,
): string | null {
  const own = idAt(data, 'contact.id')
  if (own !== null) return own
  if (activity || deal) return activity?.contactId ?? deal?.contactId ?? null
  return idAt(data, 'deal.contact.id') ?? idAt(data, 'activity.contact_id')
}

const contactData = (workspace: Workspace, contact: Contact): EventData =>
  asCrmEvent(workspace, 'contact.updated', contact.id, { contact })

/** A deal as events tell of it, with the address of its owner. */
function dealData(workspace: Workspace, deal: DealInFull): EventData {
  const data = asCrmEvent(workspace, 'deal.updated', deal.id, { deal })
  const owner = deal.ownerId === null ? undefined : workspace.user(deal.ownerId)
  if (!owner) return data
  const { id, name, email } = owner
  return { deal: Object.assign({}, data['deal'], { owner: { id, name, email } }) }
}

/** The records that the event was about and that are deleted since; none where it told of their deletion. */
export function goneSince(workspace: Workspace, { name, data }: Trigger): string[] {
  if (name.endsWith('.deleted')) return []
  const isGone = (id: string | null, records: { head: (of: Workspace, id: string) => unknown }): boolean =>
    id !== null && !records.head(workspace, id)
  const ids = {
    contact: idAt(data, 'contact.id'),
    deal: idAt(data, 'deal.id'),
    activity: idAt(data, 'activity.id'),
  }
  const gone = [
    ...(isGone(ids.deal, dealRecords) ? [`deal ${String(ids.deal)}`] : []),
    ...(isGone(ids.activity, crmActivities) ? [`activity ${String(ids.activity)}`] : []),
  ]
  // What goes with its contact is told of with it.
  const contactId = ids.contact ?? (gone.length > 0 ? contactIdOf(data, undefined, undefined) : null)
  return isGone(contactId, contacts) ? [`contact ${String(contactId)}`, ...gone] : gone
}
