/** The schemas of the event data of the CRM; all are assumed. */
import { Type, type TProperties } from '@sinclair/typebox'
import { Assumed, Instant, named, Nullable } from '../../http/schemas/schemas.ts'
import { Activity } from './shapes/activities.ts'
import { Execution } from './shapes/automations.ts'
import { Contact } from './shapes/contacts.ts'
import { Deal, StageReference } from './shapes/deals.ts'

const data = <Fields extends TProperties>(name: string, properties: Fields) =>
  named(
    `${name}EventData`,
    Assumed(
      'The specification shows no event data; the simulator sends the records of the event by name, as responses show them.',
      Type.Object(properties),
    ),
  )

export const ContactData = data('Contact', { contact: Contact.item })
export const DealData = data('Deal', { deal: Deal })
export const DealStageChangedData = data('DealStageChanged', {
  deal: Deal,
  from_stage: StageReference,
  to_stage: StageReference,
  reason: Nullable(Type.String()),
})
export const ActivityData = data('Activity', { activity: Activity.item })
export const AutomationExecutedData = data('AutomationExecuted', {
  automation: Type.Object({ id: Type.String(), name: Type.String() }),
  execution: Execution.item,
})

export const DeletedContactData = data('DeletedContact', {
  contact: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Nullable(Type.String()),
    deleted_at: Instant(),
  }),
})
export const DeletedDealData = data('DeletedDeal', {
  deal: Type.Object({ id: Type.String(), name: Type.String(), deleted_at: Instant() }),
})

export const DeletedActivityData = data('DeletedActivity', {
  activity: Type.Object({ id: Type.String(), subject: Type.String(), deleted_at: Instant() }),
})
