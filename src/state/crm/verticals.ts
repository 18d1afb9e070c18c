/** A deal's vertical follows from its pipeline, or from its contact where the pipeline has none. */
import { eq, sql } from 'drizzle-orm'
import type { Workspace } from '../workspace.ts'
import { deals, verticalOf } from './dealRecords.ts'
import { deals as table, type contacts, type pipelines } from './tables.ts'

type Followed = Pick<(typeof contacts | typeof pipelines)['$inferSelect'], 'id' | 'vertical'>

const vertical = verticalOf(table.pipelineId, table.contactId, table.workspace)
const followContact = deals.updateAll({ vertical }, eq(table.contactId, sql.placeholder('id')))
const followPipeline = deals.updateAll({ vertical }, eq(table.pipelineId, sql.placeholder('id')))

/** To be called after a contact was changed, for its deals. Only inside a `write`. */
export function contactVerticalChanged(
  workspace: Workspace,
  before: Followed,
  { id, vertical }: Followed,
): void {
  if (before.vertical !== vertical) followContact(workspace, { id })
}

/** To be called after a pipeline was changed, for its deals. Only inside a `write`. */
export function pipelineVerticalChanged(
  workspace: Workspace,
  before: Followed,
  { id, vertical }: Followed,
): void {
  if (before.vertical !== vertical) followPipeline(workspace, { id })
}
