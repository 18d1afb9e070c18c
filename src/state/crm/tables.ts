/**
 * Contacts, pipelines, deals, activities and automations. Specification part 1, "CRM records".
 *
 * Amounts are kept in hundredths, because sums of them have to be exact; probabilities are whole percents.
 */
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { scoped, stamped } from '../columns.ts'
import { crmActivityMachine, dealMachine } from './machines.ts'

export const VERTICALS = ['automotive', 'real_estate', 'education', 'services'] as const
export const CRM_ACTIVITY_TYPES = ['email', 'call', 'meeting', 'task', 'note'] as const
export const AUTOMATION_TYPES = ['workflow', 'sequence'] as const
export const EXECUTION_STATUSES = ['success', 'failed', 'skipped', 'waiting'] as const

export const contacts = sqliteTable(
  'crm_contacts',
  {
    ...scoped,
    name: text().notNull(),
    email: text(),
    phone: text(),
    company: text(),
    position: text(),
    vertical: text({ enum: VERTICALS }),
    tags: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    customFields: text('custom_fields', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    ...stamped,
    /** The address without case: what makes two contacts one. */
    emailKey: text('email_key'),
    nameKey: text('name_key').notNull(),
    /** What search looks into: name, e-mail and phone without case and accents, and the digits of the phone. */
    searchKey: text('search_key').notNull(),
    /** The tags, each between separators, so that one can be looked for. */
    tagKey: text('tag_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_contacts_email')
      .on(table.workspace, table.emailKey)
      .where(sql`${table.emailKey} is not null`),
    index('crm_contacts_created').on(table.workspace, table.createdAt),
  ],
)

/** Filters saved under a name; `GET /contacts?segment_id=` applies them. */
export interface SegmentFilters {
  readonly search?: string
  readonly tag?: string
  readonly vertical?: (typeof VERTICALS)[number]
}

export const segments = sqliteTable(
  'crm_segments',
  {
    ...scoped,
    name: text().notNull(),
    filters: text({ mode: 'json' }).$type<SegmentFilters>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

/** Who shares the work of an `assign_owner` action. */
export const teams = sqliteTable(
  'crm_teams',
  {
    ...scoped,
    name: text().notNull(),
    /** Ids of users, in the order in which a round robin goes through them. */
    members: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** How many deals the round robin has given out. */
    turns: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

/** What a `send_email` action sends, with `{{path}}` placeholders. */
export const templates = sqliteTable(
  'crm_templates',
  {
    ...scoped,
    name: text().notNull(),
    subject: text().notNull(),
    body: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

export const pipelines = sqliteTable(
  'crm_pipelines',
  {
    ...scoped,
    name: text().notNull(),
    vertical: text({ enum: VERTICALS }),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_pipelines_created').on(table.workspace, table.createdAt),
  ],
)

export const stages = sqliteTable(
  'crm_stages',
  {
    ...scoped,
    pipelineId: text('pipeline_id').notNull(),
    name: text().notNull(),
    /** 0 to 100. */
    probability: integer().notNull(),
    /** From 1. */
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_stages_pipeline').on(table.workspace, table.pipelineId, table.position),
    foreignKey({
      columns: [table.workspace, table.pipelineId],
      foreignColumns: [pipelines.workspace, pipelines.id],
    }).onDelete('cascade'),
  ],
)

export const deals = sqliteTable(
  'crm_deals',
  {
    ...scoped,
    name: text().notNull(),
    contactId: text('contact_id'),
    pipelineId: text('pipeline_id').notNull(),
    stageId: text('stage_id').notNull(),
    /** In hundredths of the currency. */
    value: integer().notNull(),
    currency: text().notNull(),
    status: text({ enum: dealMachine.states }).notNull().default('open'),
    /** "2026-12-31" */
    expectedCloseDate: text('expected_close_date'),
    ownerId: text('owner_id'),
    customFields: text('custom_fields', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** When it came into the stage it is in. */
    stageEnteredAt: integer('stage_entered_at').notNull(),
    closedAt: integer('closed_at'),
    /** What was said when it was won or lost. */
    closeReason: text('close_reason'),
    closeNotes: text('close_notes'),
    competitor: text(),
    /** The pipeline's and the contact's vertical, for filters and reports: the pipeline's, else the contact's. */
    vertical: text({ enum: VERTICALS }),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    // Those that lists read are followed by what else they filter by, so that counting reads no rows.
    index('crm_deals_created').on(table.workspace, table.createdAt, table.value),
    index('crm_deals_pipeline').on(
      table.workspace,
      table.pipelineId,
      table.createdAt,
      table.status,
      table.value,
    ),
    // What pipelines show of their stages is added up from it alone.
    index('crm_deals_stage').on(
      table.workspace,
      table.stageId,
      table.createdAt,
      table.status,
      table.value,
      table.currency,
    ),
    // Reports ask what was won and lost when.
    index('crm_deals_closed')
      .on(table.workspace, table.closedAt)
      .where(sql`${table.closedAt} is not null`),
    index('crm_deals_contact').on(table.workspace, table.contactId),
    foreignKey({
      columns: [table.workspace, table.contactId],
      foreignColumns: [contacts.workspace, contacts.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.pipelineId],
      foreignColumns: [pipelines.workspace, pipelines.id],
    }),
    foreignKey({
      columns: [table.workspace, table.stageId],
      foreignColumns: [stages.workspace, stages.id],
    }),
  ],
)

/** Every stay of a deal in a stage; the last one ends when the deal is closed. Reports need it. */
export const stageStays = sqliteTable(
  'crm_stage_stays',
  {
    ...scoped,
    dealId: text('deal_id').notNull(),
    stageId: text('stage_id').notNull(),
    enteredAt: integer('entered_at').notNull(),
    leftAt: integer('left_at'),
    /** Why the deal came here. */
    reason: text(),
    /** The deal's, so that a report of a period need not look at the deals. */
    dealCreatedAt: integer('deal_created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_stage_stays_deal').on(table.workspace, table.dealId),
    index('crm_stage_stays_stage').on(
      table.workspace,
      table.stageId,
      table.dealCreatedAt,
      table.enteredAt,
      table.leftAt,
    ),
    foreignKey({
      columns: [table.workspace, table.dealId],
      foreignColumns: [deals.workspace, deals.id],
    }).onDelete('cascade'),
  ],
)

export const crmActivities = sqliteTable(
  'crm_activities',
  {
    ...scoped,
    type: text({ enum: CRM_ACTIVITY_TYPES }).notNull(),
    contactId: text('contact_id'),
    dealId: text('deal_id'),
    ownerId: text('owner_id'),
    subject: text().notNull(),
    description: text(),
    durationMinutes: integer('duration_minutes'),
    status: text({ enum: crmActivityMachine.states }).notNull().default('planned'),
    dueAt: integer('due_at'),
    completedAt: integer('completed_at'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_activities_created').on(table.workspace, table.createdAt),
    index('crm_activities_contact').on(table.workspace, table.contactId, table.createdAt),
    index('crm_activities_deal').on(table.workspace, table.dealId, table.createdAt),
    index('crm_activities_owner').on(table.workspace, table.ownerId, table.createdAt, table.dealId),
    foreignKey({
      columns: [table.workspace, table.contactId],
      foreignColumns: [contacts.workspace, contacts.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace, table.dealId],
      foreignColumns: [deals.workspace, deals.id],
    }).onDelete('cascade'),
  ],
)

export interface Condition {
  /** A path into the event's data: "deal.value". */
  readonly field: string
  readonly operator: string
  /** Some operators need none. */
  readonly value?: unknown
}

export interface AutomationTrigger {
  readonly event: string
  readonly conditions: readonly Condition[]
}

export interface AutomationAction {
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
}

export const automations = sqliteTable(
  'crm_automations',
  {
    ...scoped,
    name: text().notNull(),
    type: text({ enum: AUTOMATION_TYPES }).notNull().default('workflow'),
    active: integer({ mode: 'boolean' }).notNull().default(true),
    /** The event of the trigger, for finding the automations that an event sets off. */
    event: text().notNull(),
    trigger: text({ mode: 'json' }).$type<AutomationTrigger>().notNull(),
    actions: text({ mode: 'json' }).$type<readonly AutomationAction[]>().notNull(),
    executionsCount: integer('executions_count').notNull().default(0),
    lastExecutedAt: integer('last_executed_at'),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_automations_created').on(table.workspace, table.createdAt),
    index('crm_automations_event').on(table.workspace, table.event),
  ],
)

export const executions = sqliteTable(
  'crm_executions',
  {
    ...scoped,
    automationId: text('automation_id').notNull(),
    status: text({ enum: EXECUTION_STATUSES }).notNull(),
    triggerEvent: text('trigger_event').notNull(),
    triggerData: text('trigger_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** What was done, in order: type, result, and why one failed. */
    actionsExecuted: text('actions_executed', { mode: 'json' })
      .$type<readonly Readonly<Record<string, unknown>>[]>()
      .notNull(),
    failureReason: text('failure_reason'),
    durationMs: integer('duration_ms').notNull(),
    executedAt: integer('executed_at').notNull(),
    revision: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_executions_automation').on(table.workspace, table.automationId, table.executedAt),
    foreignKey({
      columns: [table.workspace, table.automationId],
      foreignColumns: [automations.workspace, automations.id],
    }).onDelete('cascade'),
  ],
)

/** What sequences still have to do: each row the actions of one automation that wait for the clock. */
export const waitingSteps = sqliteTable(
  'crm_waiting_steps',
  {
    ...scoped,
    automationId: text('automation_id').notNull(),
    /** Those that are still to be done, as they were when the automation was set off. */
    actions: text({ mode: 'json' }).$type<readonly AutomationAction[]>().notNull(),
    triggerEvent: text('trigger_event').notNull(),
    triggerData: text('trigger_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Ids of the automations that set each other off up to here, so that loops are cut across the wait. */
    chain: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    dueAt: integer('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_waiting_steps_due').on(table.workspace, table.dueAt),
    index('crm_waiting_steps_automation').on(table.workspace, table.automationId),
    foreignKey({
      columns: [table.workspace, table.automationId],
      foreignColumns: [automations.workspace, automations.id],
    }).onDelete('cascade'),
  ],
)

/** Changes whose automations are not done yet, for there were more of them than one call may do. */
export const unfinishedChanges = sqliteTable(
  'crm_unfinished_changes',
  {
    ...scoped,
    /** Those that the change has led to so far. */
    executions: integer().notNull(),
    /** What has been cut off already, and so is not recorded again. */
    cutOff: text('cut_off', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** When it happened: they go on at once. */
    dueAt: integer('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_unfinished_changes_due').on(table.workspace, table.dueAt),
  ],
)

/** Events of unfinished changes that automations have not looked at yet; the one that was kept last is the next. */
export const unseenEvents = sqliteTable(
  'crm_unseen_events',
  {
    ...scoped,
    changeId: text('change_id').notNull(),
    triggerEvent: text('trigger_event').notNull(),
    triggerData: text('trigger_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Ids of the automations that set each other off up to here. */
    chain: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Ids of the automations that have still to look at it, in their order; null for all. */
    automations: text({ mode: 'json' }).$type<readonly string[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_unseen_events_change').on(table.workspace, table.changeId),
    foreignKey({
      columns: [table.workspace, table.changeId],
      foreignColumns: [unfinishedChanges.workspace, unfinishedChanges.id],
    }).onDelete('cascade'),
  ],
)
