/**
 * The tables of contacts, pipelines, deals, activities and automations. Specification part 1, "CRM records".
 * Amounts are hundredths, so that sums are exact; probabilities are whole percentages.
 */
import { Type, type Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { index } from 'drizzle-orm/sqlite-core'
import {
  cents,
  choice,
  currency,
  date,
  email,
  filledText,
  flag,
  freeObject,
  id,
  instant,
  integer,
  json,
  listOf,
  refersTo,
  states,
  table,
  text,
  withTimes,
} from '../storage/columns.ts'
import { eventData, filled, oneOf } from '../storage/shapes.ts'
import { LARGEST_VALUE } from './amounts.ts'
import { action, executedAction, MAX_ACTIONS, trigger, type AutomationTrigger } from './automationParts.ts'
import { CRM_EVENTS } from './eventNames.ts'
import { crmActivityMachine, dealMachine } from './machines.ts'

export const VERTICALS = ['automotive', 'real_estate', 'education', 'services'] as const
export const CRM_ACTIVITY_TYPES = ['email', 'call', 'meeting', 'task', 'note'] as const
export const AUTOMATION_TYPES = ['workflow', 'sequence'] as const
export const EXECUTION_STATUSES = ['success', 'failed', 'skipped', 'waiting'] as const

/** The maximum length of a string after its placeholders are filled. */
export const LONGEST_TEXT = 262_144

/** The maximum number of members of a team. */
export const MAX_MEMBERS = 1000

const name = () => filledText(200)
/** A remark on moving or closing a deal. The specification shows no length. */
const remark = () => text(5000)
const actions = () => listOf(action, { minItems: 1, maxItems: MAX_ACTIONS })
/** The data of the event that set off automations. */
const triggerData = () => json<Record<string, unknown>>(eventData)
/** Ids of automations. */
const automationIds = () => listOf(filled)
export const tag = () => Type.String({ minLength: 1, maxLength: 50, pattern: '^[^\\S\\n]*\\S[^\\n]*$' })

export const contacts = table(
  'crm_contacts',
  {
    name: name(),
    email: email().orNull(),
    phone: text(40).orNull(),
    company: text(200).orNull(),
    position: text(200).orNull(),
    vertical: choice(VERTICALS).orNull(),
    tags: listOf(tag, { maxItems: 50 }),
    customFields: freeObject(),
    ...withTimes,
    /** The address in lower case, which identifies duplicates. */
    emailKey: text().orNull(),
    nameKey: text(),
    /** The search text: name, e-mail and phone without case and accents, and the digits of the phone. */
    searchKey: text(),
    /** The tags between separators, so that one tag can be found. */
    tagKey: text(),
  },
  (self) => [
    index('crm_contacts_email')
      .on(self.workspace, self.emailKey)
      .where(sql`${self.emailKey} is not null`),
    index('crm_contacts_created').on(self.workspace, self.createdAt),
  ],
)

/** A saved set of filters; `GET /contacts?segment_id=` applies it. */
const segmentFilters = () =>
  Type.Object(
    {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      tag: Type.Optional(tag()),
      vertical: Type.Optional(oneOf(VERTICALS)),
    },
    { additionalProperties: false },
  )

export const segments = table('crm_segments', {
  name: name(),
  filters: json<Static<ReturnType<typeof segmentFilters>>>(segmentFilters),
  createdAt: instant(),
})

/** The teams of `assign_owner` actions. */
export const teams = table('crm_teams', {
  name: name(),
  /** Ids of users, in the order of the round robin. */
  members: listOf(filled, { maxItems: MAX_MEMBERS }),
  /** How many deals the round robin has assigned. */
  turns: integer(0).default(0),
  createdAt: instant(),
})

/** The templates of `send_email` actions, with `{{path}}` placeholders. */
export const templates = table('crm_templates', {
  name: name(),
  subject: text(998),
  body: text(LONGEST_TEXT),
  createdAt: instant(),
})

export const pipelines = table(
  'crm_pipelines',
  {
    name: name(),
    vertical: choice(VERTICALS).orNull(),
    ...withTimes,
  },
  (self) => [index('crm_pipelines_created').on(self.workspace, self.createdAt)],
)

export const stages = table(
  'crm_stages',
  {
    pipelineId: refersTo(pipelines, { cascade: true }),
    name: name(),
    /** A percentage, 0 to 100. */
    probability: integer(0, 100),
    /** Starts at 1. */
    position: integer(1),
  },
  (self) => [index('crm_stages_pipeline').on(self.workspace, self.pipelineId, self.position)],
)

export const deals = table(
  'crm_deals',
  {
    name: name(),
    contactId: refersTo(contacts, { cascade: true }).orNull(),
    pipelineId: refersTo(pipelines),
    stageId: refersTo(stages),
    /** In hundredths of the currency. */
    value: cents({ min: 0, max: LARGEST_VALUE }),
    currency: currency(),
    status: states(dealMachine).default('open'),
    /** "2026-12-31" */
    expectedCloseDate: date().orNull(),
    ownerId: id().orNull(),
    customFields: freeObject(),
    /** When the deal entered its current stage. */
    stageEnteredAt: instant(),
    closedAt: instant().orNull(),
    /** The details of winning or losing the deal. */
    closeReason: remark().orNull(),
    closeNotes: remark().orNull(),
    competitor: remark().orNull(),
    /** The vertical of the pipeline or, if it has none, of the contact; for filters and reports. */
    vertical: choice(VERTICALS).orNull(),
    ...withTimes,
  },
  (self) => [
    // Indexes of lists include the filtered columns, so that counting reads no rows.
    index('crm_deals_created').on(self.workspace, self.createdAt, self.value),
    index('crm_deals_pipeline').on(self.workspace, self.pipelineId, self.createdAt, self.status, self.value),
    // The sums of stages are computed from this index alone.
    index('crm_deals_stage').on(
      self.workspace,
      self.stageId,
      self.createdAt,
      self.status,
      self.value,
      self.currency,
    ),
    // Reports select deals by the time of closing.
    index('crm_deals_closed')
      .on(self.workspace, self.closedAt)
      .where(sql`${self.closedAt} is not null`),
    index('crm_deals_contact').on(self.workspace, self.contactId),
  ],
)

/** The stays of deals in stages, for reports. Closing a deal ends its last stay. */
export const stageStays = table(
  'crm_stage_stays',
  {
    dealId: refersTo(deals, { cascade: true }),
    stageId: id(),
    enteredAt: instant(),
    leftAt: instant().orNull(),
    /** The reason of the move to the stage. */
    reason: remark().orNull(),
    /** A copy of the deal's createdAt, so that reports need not read the deals. */
    dealCreatedAt: instant(),
  },
  (self) => [
    index('crm_stage_stays_deal').on(self.workspace, self.dealId),
    index('crm_stage_stays_stage').on(
      self.workspace,
      self.stageId,
      self.dealCreatedAt,
      self.enteredAt,
      self.leftAt,
    ),
  ],
)

export const crmActivities = table(
  'crm_activities',
  {
    type: choice(CRM_ACTIVITY_TYPES),
    contactId: refersTo(contacts, { cascade: true }).orNull(),
    dealId: refersTo(deals, { cascade: true }).orNull(),
    ownerId: id().orNull(),
    subject: filledText(200),
    description: text().orNull(),
    durationMinutes: integer(1).orNull(),
    status: states(crmActivityMachine).default('planned'),
    dueAt: instant().orNull(),
    completedAt: instant().orNull(),
    ...withTimes,
  },
  (self) => [
    index('crm_activities_created').on(self.workspace, self.createdAt),
    index('crm_activities_contact').on(self.workspace, self.contactId, self.createdAt),
    index('crm_activities_deal').on(self.workspace, self.dealId, self.createdAt),
    index('crm_activities_owner').on(self.workspace, self.ownerId, self.createdAt, self.dealId),
  ],
)

export const automations = table(
  'crm_automations',
  {
    name: name(),
    type: choice(AUTOMATION_TYPES).default('workflow'),
    active: flag().default(true),
    /** The event of the trigger, for finding the automations of an event. */
    event: choice(CRM_EVENTS),
    trigger: json<AutomationTrigger>(trigger),
    actions: actions(),
    executionsCount: integer(0).default(0),
    lastExecutedAt: instant().orNull(),
    ...withTimes,
  },
  (self) => [
    index('crm_automations_created').on(self.workspace, self.createdAt),
    index('crm_automations_event').on(self.workspace, self.event),
  ],
)

export const executions = table(
  'crm_executions',
  {
    automationId: refersTo(automations, { cascade: true }),
    status: choice(EXECUTION_STATUSES),
    triggerEvent: choice(CRM_EVENTS),
    triggerData: triggerData(),
    /** The actions that ran, in order. */
    actionsExecuted: listOf(executedAction),
    failureReason: text().orNull(),
    durationMs: integer(0),
    executedAt: instant(),
    revision: integer(),
  },
  (self) => [index('crm_executions_automation').on(self.workspace, self.automationId, self.executedAt)],
)

/** The remaining actions of sequences that wait for the clock. */
export const waitingSteps = table(
  'crm_waiting_steps',
  {
    automationId: refersTo(automations, { cascade: true }),
    /** The remaining actions, as they were when the automation was set off. */
    actions: actions(),
    triggerEvent: choice(CRM_EVENTS),
    triggerData: triggerData(),
    /** Ids of the automations that set each other off so far, so that loops are stopped across the delay. */
    chain: automationIds(),
    dueAt: instant(),
  },
  (self) => [
    index('crm_waiting_steps_due').on(self.workspace, self.dueAt),
    index('crm_waiting_steps_automation').on(self.workspace, self.automationId),
  ],
)

/** Changes whose automations exceed the budget of one request. */
export const unfinishedChanges = table(
  'crm_unfinished_changes',
  {
    /** The executions that the change has led to so far. */
    executions: integer(0),
    /** Loops that were stopped and recorded already. */
    cutOff: listOf(filled),
    /** The time of the change; the rest is due immediately. */
    dueAt: instant(),
  },
  (self) => [index('crm_unfinished_changes_due').on(self.workspace, self.dueAt)],
)

/** Events of unfinished changes that automations have not checked yet. The newest row is processed next. */
export const unseenEvents = table(
  'crm_unseen_events',
  {
    changeId: refersTo(unfinishedChanges, { cascade: true }),
    triggerEvent: choice(CRM_EVENTS),
    triggerData: triggerData(),
    /** Ids of the automations that set each other off so far. */
    chain: automationIds(),
    /** Ids of the automations that must still check the event, in order; null for all. */
    automations: automationIds().orNull(),
  },
  (self) => [index('crm_unseen_events_change').on(self.workspace, self.changeId)],
)
