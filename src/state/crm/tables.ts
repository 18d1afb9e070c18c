/**
 * The tables of contacts, pipelines, deals, activities and automations. Specification part 1, "CRM records".
 * Amounts are hundredths, so that sums are exact; probabilities are whole percentages.
 */
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { scoped, stamped } from '../storage/columns.ts'
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
    /** The address in lower case, which identifies duplicates. */
    emailKey: text('email_key'),
    nameKey: text('name_key').notNull(),
    /** The search text: name, e-mail and phone without case and accents, and the digits of the phone. */
    searchKey: text('search_key').notNull(),
    /** The tags between separators, so that one tag can be found. */
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

/** A saved set of filters; `GET /contacts?segment_id=` applies it. */
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

/** The teams of `assign_owner` actions. */
export const teams = sqliteTable(
  'crm_teams',
  {
    ...scoped,
    name: text().notNull(),
    /** Ids of users, in the order of the round robin. */
    members: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** How many deals the round robin has assigned. */
    turns: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace, table.id] })],
)

/** The templates of `send_email` actions, with `{{path}}` placeholders. */
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
    /** A percentage, 0 to 100. */
    probability: integer().notNull(),
    /** Starts at 1. */
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
    /** When the deal entered its current stage. */
    stageEnteredAt: integer('stage_entered_at').notNull(),
    closedAt: integer('closed_at'),
    /** The details of winning or losing the deal. */
    closeReason: text('close_reason'),
    closeNotes: text('close_notes'),
    competitor: text(),
    /** The vertical of the pipeline or, if it has none, of the contact; for filters and reports. */
    vertical: text({ enum: VERTICALS }),
    ...stamped,
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    // Indexes of lists include the filtered columns, so that counting reads no rows.
    index('crm_deals_created').on(table.workspace, table.createdAt, table.value),
    index('crm_deals_pipeline').on(
      table.workspace,
      table.pipelineId,
      table.createdAt,
      table.status,
      table.value,
    ),
    // The sums of stages are computed from this index alone.
    index('crm_deals_stage').on(
      table.workspace,
      table.stageId,
      table.createdAt,
      table.status,
      table.value,
      table.currency,
    ),
    // Reports select deals by the time of closing.
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

/** The stays of deals in stages, for reports. Closing a deal ends its last stay. */
export const stageStays = sqliteTable(
  'crm_stage_stays',
  {
    ...scoped,
    dealId: text('deal_id').notNull(),
    stageId: text('stage_id').notNull(),
    enteredAt: integer('entered_at').notNull(),
    leftAt: integer('left_at'),
    /** The reason of the move to the stage. */
    reason: text(),
    /** A copy of the deal's createdAt, so that reports need not read the deals. */
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
  /** A path into the event data: "deal.value". */
  readonly field: string
  readonly operator: string
  /** Left out for operators without a value. */
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
    /** The event of the trigger, for finding the automations of an event. */
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
    /** The actions that ran, in order, with type, status and result. */
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

/** The remaining actions of sequences that wait for the clock. */
export const waitingSteps = sqliteTable(
  'crm_waiting_steps',
  {
    ...scoped,
    automationId: text('automation_id').notNull(),
    /** The remaining actions, as they were when the automation was set off. */
    actions: text({ mode: 'json' }).$type<readonly AutomationAction[]>().notNull(),
    triggerEvent: text('trigger_event').notNull(),
    triggerData: text('trigger_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Ids of the automations that set each other off so far, so that loops are stopped across the delay. */
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

/** Changes whose automations exceed the budget of one request. */
export const unfinishedChanges = sqliteTable(
  'crm_unfinished_changes',
  {
    ...scoped,
    /** The executions that the change has led to so far. */
    executions: integer().notNull(),
    /** Loops that were stopped and recorded already. */
    cutOff: text('cut_off', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** The time of the change; the rest is due immediately. */
    dueAt: integer('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace, table.id] }),
    index('crm_unfinished_changes_due').on(table.workspace, table.dueAt),
  ],
)

/** Events of unfinished changes that automations have not checked yet. The newest row is processed next. */
export const unseenEvents = sqliteTable(
  'crm_unseen_events',
  {
    ...scoped,
    changeId: text('change_id').notNull(),
    triggerEvent: text('trigger_event').notNull(),
    triggerData: text('trigger_data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Ids of the automations that set each other off so far. */
    chain: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Ids of the automations that must still check the event, in order; null for all. */
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
