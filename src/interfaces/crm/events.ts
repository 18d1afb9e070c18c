/** The published events of the CRM. Specification part 1, "Events", shows four names and no event data. */
import { Type, type TSchema } from '@sinclair/typebox'
import type { PublishedEvent } from '../../http/definition/definition.ts'
import { Assumed, Instant, named, Nullable } from '../../http/schemas/schemas.ts'
import type { CrmEventName } from '../../state/crm/events.ts'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import { Activity } from './schemas/activities.ts'
import { Execution } from './schemas/automations.ts'
import { Contact } from './schemas/contacts.ts'
import { Deal, StageReference } from './schemas/deals.ts'

const Data = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows no event data; the simulator sends the records of the event by name, as responses show them.',
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
  'The specification shows the name. The event data, the delivery and the signature are assumed.',
)
const oneEachChange = assumed(
  'The specification does not show this event; the simulator sends one for each operation that changes a record.',
)

const EVENTS: Readonly<Record<CrmEventName, Omit<PublishedEvent, 'name'>>> = {
  'contact.created': published('A contact was created', ContactData, nameShown),
  'contact.updated': published('A contact was updated', ContactData),
  'contact.deleted': published('A contact was deleted', DeletedContactData),
  'deal.created': published('A deal was created', DealData, nameShown),
  'deal.updated': published('A deal was updated', DealData),
  'deal.stage_changed': published('A deal moved to another stage', DealStageChangedData),
  'deal.won': published('A deal was won', DealData, nameShown),
  'deal.lost': published('A deal was lost', DealData, nameShown),
  'deal.deleted': published('A deal was deleted with its contact', DeletedDealData),
  'activity.created': published('An activity was created', ActivityData),
  'activity.updated': published('An activity was updated', ActivityData),
  'activity.completed': published('An activity was completed', ActivityData),
  'activity.deleted': published('An activity was deleted with its contact', DeletedActivityData),
  'automation.executed': published(
    'An automation was executed',
    AutomationExecutedData,
    assumed(
      'The specification does not show this event; the simulator reports each execution of an automation.',
    ),
  ),
}

function published(title: string, payload: TSchema, fidelity = oneEachChange): Omit<PublishedEvent, 'name'> {
  return { title, payload, fidelity }
}

/** Sorted by the lifecycle of a record. */
export const publishedEvents: readonly PublishedEvent[] = Object.entries(EVENTS).map(([name, event]) => ({
  name,
  ...event,
}))

/** Returns the schema of the data of an event. */
export const payloadOf = (name: CrmEventName): TSchema => EVENTS[name].payload
