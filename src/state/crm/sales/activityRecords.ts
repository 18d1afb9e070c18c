/** The stored activities of the CRM; `activities.ts` changes them. */
import { sql, type SQL } from 'drizzle-orm'
import { numbered } from '../../storage/queries/listing.ts'
import { record } from '../../storage/records/record.ts'
import { refuse } from '../../model/refusal.ts'
import { crmActivities as table, deals } from '../tables.ts'

export type CrmActivity = typeof table.$inferSelect

/** Selects activities of a contact and of its deals. */
export const ofContact = (id: SQL): SQL =>
  sql`(${table.contactId} = ${id} or ${table.dealId} in (select ${deals.id} from ${deals} where ${deals.workspace} = ${sql.placeholder('workspace')} and ${deals.contactId} = ${id}))`

/** Activities with every filter of GET /activities, newest first. */
export const crmActivities = record(table, {
  noun: 'activity',
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      contact_id: ofContact,
      deal_id: (value) => sql`${table.dealId} = ${value}`,
      type: (value) => sql`${table.type} = ${value}`,
      from: (value) => sql`${table.createdAt} >= ${value}`,
      before: (value) => sql`${table.createdAt} < ${value}`,
    },
    indexes: { type: [table.type, table.createdAt] },
  }),
  snapshot: { section: 'crm', name: 'activities', check: mustBeConsistent },
})

/** Throws if the status of an activity in a snapshot contradicts its completedAt. */
function mustBeConsistent({ id, status, completedAt }: CrmActivity): void {
  if ((status === 'completed') === (completedAt !== null)) return
  const problem = `is ${status} but ${completedAt === null ? 'has no' : 'has a'} completedAt`
  refuse('invalid', `The snapshot does not fit: the activity ${id} ${problem}.`)
}
