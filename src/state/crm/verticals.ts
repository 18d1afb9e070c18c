/** A deal's vertical follows from its pipeline, or from its contact where the pipeline has none. */
import { and, eq, sql } from 'drizzle-orm'
import { NEXT_REVISION, statement } from '../database.ts'
import type { Workspace } from '../workspace.ts'
import { deals, pipelines, type contacts } from './tables.ts'

type Contact = typeof contacts.$inferSelect

const followVertical = statement((orm) =>
  orm
    .update(deals)
    .set({
      vertical: sql`coalesce(
        (select ${pipelines.vertical} from ${pipelines}
         where ${pipelines.workspace} = ${deals.workspace} and ${pipelines.id} = ${deals.pipelineId}),
        ${sql.placeholder('vertical')})`,
      revision: NEXT_REVISION,
    })
    .where(
      and(
        eq(deals.workspace, sql.placeholder('workspace')),
        eq(deals.contactId, sql.placeholder('contactId')),
      ),
    )
    .prepare(),
)

/** To be called after a contact was changed, for its deals. Only inside a `write`. */
export function contactVerticalChanged(
  workspace: Workspace,
  before: Pick<Contact, 'vertical'>,
  { id, vertical }: Pick<Contact, 'id' | 'vertical'>,
): void {
  if (before.vertical === vertical) return
  followVertical(workspace.database).run({ workspace: workspace.number, contactId: id, vertical })
}
