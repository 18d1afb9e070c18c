/**
 * What a deal shows of other records: its contact, and how many activities it has. When those change, the deal gets a
 * new revision, so that no text of it that was remembered is shown again.
 */
import { and, eq, sql } from 'drizzle-orm'
import { statement } from '../database.ts'
import type { Workspace } from '../workspaces.ts'
import type { Contact } from './contacts.ts'
import { deals, pipelines } from './tables.ts'

const itself = and(eq(deals.workspace, sql.placeholder('workspace')), eq(deals.id, sql.placeholder('id')))

const setRevision = statement((orm) =>
  orm
    .update(deals)
    .set({ revision: sql`${sql.placeholder('revision')}` })
    .where(itself)
    .prepare(),
)

/** To be called when something that the deal shows beside its own fields has changed. Only inside a `write`. */
export function refreshDeal(workspace: Workspace, id: string | null): void {
  if (id === null) return
  const { database, number } = workspace
  setRevision(database).run({ workspace: number, id, revision: database.nextRevision() })
}

const ofContact = and(
  eq(deals.workspace, sql.placeholder('workspace')),
  eq(deals.contactId, sql.placeholder('contactId')),
)

const dealIds = statement((orm) => orm.select({ id: deals.id }).from(deals).where(ofContact).prepare())

const followVertical = statement((orm) =>
  orm
    .update(deals)
    .set({
      vertical: sql`coalesce(
        (select ${pipelines.vertical} from ${pipelines}
         where ${pipelines.workspace} = ${deals.workspace} and ${pipelines.id} = ${deals.pipelineId}),
        ${sql.placeholder('vertical')})`,
    })
    .where(ofContact)
    .prepare(),
)

type Shown = Pick<Contact, 'id' | 'name' | 'email' | 'vertical'>

/** To be called after a contact was changed: its deals show it, and follow its vertical where the pipeline has none. */
export function refreshDealsOfContact(workspace: Workspace, before: Shown, after: Shown): void {
  const scope = { workspace: workspace.number, contactId: after.id }
  if (before.vertical !== after.vertical) {
    followVertical(workspace.database).run({ ...scope, vertical: after.vertical })
  }
  if (before.name === after.name && before.email === after.email) return
  for (const { id } of dealIds(workspace.database).all(scope)) refreshDeal(workspace, id)
}
