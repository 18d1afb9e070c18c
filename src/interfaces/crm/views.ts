/** Views of the records of the CRM on the wire. */
import type { Static } from '@sinclair/typebox'
import { fieldView, instant, computed, type Fields } from '../../http/shapes/fields.ts'
import { iso, isoOrNull } from '../../state/model/clock.ts'
import { nextActionAt } from '../../state/crm/automations/runs.ts'
import type { Automation, Execution } from '../../state/crm/automations/automations.ts'
import type { DealDetails } from '../../state/crm/sales/dealRecords.ts'
import { daysOf, probabilityOf, weightedValue } from '../../state/crm/sales/deals.ts'
import { contacts as contactTable, crmActivities } from '../../state/crm/tables.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Activity } from './schemas/activities.ts'
import type { Execution as ExecutionShape } from './schemas/automations.ts'
import type { Contact } from './schemas/contacts.ts'
import type { Deal } from './schemas/deals.ts'

export const contactFields: Fields<Static<typeof Contact>> = {
  id: contactTable.id,
  name: contactTable.name,
  email: contactTable.email,
  phone: contactTable.phone,
  company: contactTable.company,
  position: contactTable.position,
  vertical: contactTable.vertical,
  tags: contactTable.tags,
  custom_fields: contactTable.customFields,
  created_at: instant(contactTable.createdAt),
  updated_at: instant(contactTable.updatedAt),
}

export const contactView = fieldView(contactTable, contactFields)

export const activityFields: Fields<Static<typeof Activity>> = {
  id: crmActivities.id,
  type: crmActivities.type,
  contact_id: crmActivities.contactId,
  deal_id: crmActivities.dealId,
  owner_id: crmActivities.ownerId,
  subject: crmActivities.subject,
  description: crmActivities.description,
  duration_minutes: crmActivities.durationMinutes,
  due_at: instant(crmActivities.dueAt),
  completed: computed([crmActivities.status], ([status]) => status === 'completed'),
  completed_at: instant(crmActivities.completedAt),
  created_at: instant(crmActivities.createdAt),
  updated_at: instant(crmActivities.updatedAt),
}

export const activityView = fieldView(crmActivities, activityFields)

/** Converts hundredths to an amount on the wire, a number with at most two decimals. */
export const amountOf = (hundredths: number): number => hundredths / 100

/** Returns the owner of a record or of a report row; null without an owner. */
export const ownerView = (workspace: Workspace, id: string | null) =>
  id === null ? null : { id, name: workspace.user(id)?.name ?? null }

export const stageOf = (deal: DealDetails) => ({
  id: deal.stageId,
  name: deal.stageName,
  probability: probabilityOf(deal),
})

export function dealView(deal: DealDetails, workspace: Workspace): Static<typeof Deal> {
  const days = daysOf(deal, workspace.now())
  return {
    id: deal.id,
    name: deal.name,
    contact:
      deal.contactId === null
        ? null
        : { id: deal.contactId, name: deal.contactName ?? '', email: deal.contactEmail },
    pipeline: { id: deal.pipelineId, name: deal.pipelineName },
    stage: stageOf(deal),
    value: amountOf(deal.value),
    weighted_value: amountOf(weightedValue(deal)),
    currency: deal.currency,
    status: deal.status,
    expected_close_date: deal.expectedCloseDate,
    days_in_stage: days.inStage,
    total_days: days.inAll,
    owner: ownerView(workspace, deal.ownerId),
    custom_fields: deal.customFields,
    activities_count: deal.activitiesCount,
    closed_at: isoOrNull(deal.closedAt),
    close_reason: deal.closeReason,
    close_notes: deal.closeNotes,
    competitor: deal.competitor,
    created_at: iso(deal.createdAt),
    updated_at: iso(deal.updatedAt),
  }
}

export const automationView = (automation: Automation) => ({
  id: automation.id,
  name: automation.name,
  type: automation.type,
  active: automation.active,
  trigger: { event: automation.trigger.event, conditions: [...automation.trigger.conditions] },
  actions: [...automation.actions],
  executions_count: automation.executionsCount,
  last_executed_at: isoOrNull(automation.lastExecutedAt),
  created_at: iso(automation.createdAt),
  updated_at: iso(automation.updatedAt),
})

export const executionView = (execution: Execution, workspace: Workspace) => ({
  id: execution.id,
  automation_id: execution.automationId,
  status: execution.status,
  trigger_event: execution.triggerEvent,
  trigger_data: execution.triggerData,
  actions_executed: [...execution.actionsExecuted] as Static<typeof ExecutionShape>['actions_executed'],
  failure_reason: execution.failureReason,
  duration_ms: execution.durationMs,
  executed_at: iso(execution.executedAt),
  next_action_at: isoOrNull(nextActionAt(workspace, execution)),
})
