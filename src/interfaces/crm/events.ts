/** The events of the CRM. Specification part 1, "Events", shows four names and no event data. */
import type { EventsOf } from '../../http/definition/events.ts'
import type { CrmEvents } from '../../state/crm/events.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { assumed, documentedBut } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type * as payloads from './payloads.ts'
import { Activity } from './shapes/activities.ts'
import { Execution } from './shapes/automations.ts'
import { Contact } from './shapes/contacts.ts'
import { dealView, stageOf } from './shapes/deals.ts'

const nameShown = documentedBut(
  'The specification shows the name. The event data, the delivery and the signature are assumed.',
)
const oneEachChange = assumed(
  'The specification does not show this event; the simulator sends one for each operation that changes a record.',
)
const oneEachExecution = assumed(
  'The specification does not show this event; the simulator reports each execution of an automation.',
)

const ofContact = {
  fidelity: oneEachChange,
  payload: 'ContactData',
  view: ({ contact }: CrmEvents['contact.created'], workspace: Workspace) => ({
    contact: Contact.view(contact, workspace),
  }),
} as const

const ofDeal = {
  fidelity: oneEachChange,
  payload: 'DealData',
  view: ({ deal }: CrmEvents['deal.created'], workspace: Workspace) => ({ deal: dealView(deal, workspace) }),
} as const

const ofActivity = {
  fidelity: oneEachChange,
  payload: 'ActivityData',
  view: ({ activity }: CrmEvents['activity.created'], workspace: Workspace) => ({
    activity: Activity.view(activity, workspace),
  }),
} as const

/** Sorted by the lifecycle of a record. */
export const events: EventsOf<CrmEvents, typeof payloads> = {
  'contact.created': { title: 'A contact was created', ...ofContact, fidelity: nameShown },
  'contact.updated': { title: 'A contact was updated', ...ofContact },
  'contact.deleted': {
    title: 'A contact was deleted',
    fidelity: oneEachChange,
    payload: 'DeletedContactData',
    view: ({ contact: { id, name, email }, deletedAt }) => ({
      contact: { id, name, email, deleted_at: iso(deletedAt) },
    }),
  },
  'deal.created': { title: 'A deal was created', ...ofDeal, fidelity: nameShown },
  'deal.updated': { title: 'A deal was updated', ...ofDeal },
  'deal.stage_changed': {
    title: 'A deal moved to another stage',
    fidelity: oneEachChange,
    payload: 'DealStageChangedData',
    view: ({ deal, before, reason }, workspace) => ({
      deal: dealView(deal, workspace),
      from_stage: stageOf(before),
      to_stage: stageOf(deal),
      reason,
    }),
  },
  'deal.won': { title: 'A deal was won', ...ofDeal, fidelity: nameShown },
  'deal.lost': { title: 'A deal was lost', ...ofDeal, fidelity: nameShown },
  'deal.deleted': {
    title: 'A deal was deleted with its contact',
    fidelity: oneEachChange,
    payload: 'DeletedDealData',
    view: ({ deal: { id, name }, deletedAt }) => ({ deal: { id, name, deleted_at: iso(deletedAt) } }),
  },
  'activity.created': { title: 'An activity was created', ...ofActivity },
  'activity.updated': { title: 'An activity was updated', ...ofActivity },
  'activity.completed': { title: 'An activity was completed', ...ofActivity },
  'activity.deleted': {
    title: 'An activity was deleted with its contact',
    fidelity: oneEachChange,
    payload: 'DeletedActivityData',
    view: ({ activity: { id, subject }, deletedAt }) => ({
      activity: { id, subject, deleted_at: iso(deletedAt) },
    }),
  },
  'automation.executed': {
    title: 'An automation was executed',
    fidelity: oneEachExecution,
    payload: 'AutomationExecutedData',
    view: ({ automation: { id, name }, execution }, workspace) => ({
      automation: { id, name },
      execution: Execution.view(execution, workspace),
    }),
  },
}
