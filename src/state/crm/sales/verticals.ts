/** Keeps the vertical of deals up to date: that of the pipeline or, if it has none, of the contact. */
import { eq, sql } from 'drizzle-orm'
import type { Workspace } from '../../workspace/workspace.ts'
import { deals, verticalOf } from './dealRecords.ts'
import { deals as table, type contacts, type pipelines } from '../tables.ts'

type WithVertical = Pick<(typeof contacts | typeof pipelines)['$inferSelect'], 'id' | 'vertical'>

const vertical = verticalOf(table.pipelineId, table.contactId, table.workspace)
const updateDealsOfContact = deals.updateAll({ vertical }, eq(table.contactId, sql.placeholder('id')))
const updateDealsOfPipeline = deals.updateAll({ vertical }, eq(table.pipelineId, sql.placeholder('id')))

/** Updates the deals of a contact after it changed. Only inside a `write`. */
export function contactVerticalChanged(
  workspace: Workspace,
  before: WithVertical,
  { id, vertical }: WithVertical,
): void {
  if (before.vertical !== vertical) updateDealsOfContact(workspace, { id })
}

/** Updates the deals of a pipeline after it changed. Only inside a `write`. */
export function pipelineVerticalChanged(
  workspace: Workspace,
  before: WithVertical,
  { id, vertical }: WithVertical,
): void {
  if (before.vertical !== vertical) updateDealsOfPipeline(workspace, { id })
}
