/**
 * The events of the CRM as they are published. Specification part 1, "Events": four names are shown, and nothing of
 * what the events carry.
 */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition.ts'
import { Assumed, Instant, named, Nullable } from '../../http/schemas.ts'
import type { CrmEventName } from '../../state/crm/events.ts'
import { assumed, documentedBut } from '../../state/fidelity.ts'
import { Activity } from './schemas/activities.ts'
import { Execution } from './schemas/automations.ts'
import { Contact } from './schemas/contacts.ts'
import { Deal, StageReference } from './schemas/deals.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows nothing of what an event carries: the records that it is about, as they are answered, by name.',
      Type.Object(properties),
    ),
  )

const ContactData = Data('Contact', { contact: Contact })
const DealData = Data('Deal', { deal: Deal })
const DealStageChangedData = Data('DealStageChanged', {
  deal: Deal,
  from_stage: StageReference,
  to_stage: StageReference,
  reason: Nullable(Type.String()),
})
const ActivityData = Data('Activity', { activity: Activity })
const AutomationExecutedData = Data('AutomationExecuted', {
  automation: Type.Object({ id: Type.String(), name: Type.String() }),
  execution: Execution,
})

const DeletedContactData = Data('DeletedContact', {
  contact: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    deleted_at: Instant(),
  }),
})
const DeletedDealData = Data('DeletedDeal', {
  deal: Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
})

const DeletedActivityData = Data('DeletedActivity', {
  activity: Type.Object({ id: Type.String(), subject: Type.String(), deleted_at: Instant() }),
})

const nameShown = documentedBut(
  'The name is shown; what the event carries, and how it is delivered and signed, is assumed.',
)
const oneEachChange = assumed('Not among the names shown; one follows each operation that changes a record.')

const EVENTS: Readonly<Record<CrmEventName, Omit<PublishedEvent, 'name'>>> = {
  'contact.created': told('A contact was created', ContactData, nameShown),
  'contact.updated': told('A contact was updated', ContactData),
  'contact.deleted': told('A contact was deleted', DeletedContactData),
  'deal.created': told('A deal was created', DealData, nameShown),
  'deal.updated': told('A deal was updated', DealData),
  'deal.stage_changed': told('A deal moved to another stage', DealStageChangedData),
  'deal.won': told('A deal was won', DealData, nameShown),
  'deal.lost': told('A deal was lost', DealData, nameShown),
  'deal.deleted': told('A deal went with its contact', DeletedDealData),
  'activity.created': told('An activity was created', ActivityData),
  'activity.updated': told('An activity was updated', ActivityData),
  'activity.completed': told('An activity was completed', ActivityData),
  'activity.deleted': told('An activity went with its contact', DeletedActivityData),
  'automation.executed': told(
    'An automation was executed',
    AutomationExecutedData,
    assumed('Not among the names shown; tells of what automations do without being asked.'),
  ),
}

function told(title: string, payload: TSchema, fidelity = oneEachChange): Omit<PublishedEvent, 'name'> {
  return { title, payload, fidelity }
}

/** In the order of a record's life. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(([name, event]) => ({
  name,
  ...event,
}))

/** What an event carries. */
export const payloadOf = (name: CrmEventName): TSchema => EVENTS[name].payload
