/** The activities of the CRM, as they are kept; what can be done to them is told in `activities.ts`. */
import { sql, type SQL } from 'drizzle-orm'
import { numbered } from '../listing.ts'
import { record } from '../record.ts'
import { refuse } from '../refusal.ts'
import { text, whole } from '../shapes.ts'
import { crmActivities as table, deals } from './tables.ts'

export type CrmActivity = typeof table.$inferSelect

/** What is about a contact, or about a deal of it. */
export const ofContact = (id: SQL): SQL =>
  sql`(${table.contactId} = ${id} or ${table.dealId} in (select ${deals.id} from ${deals} where ${deals.workspace} = ${sql.placeholder('workspace')} and ${deals.contactId} = ${id}))`

/** Activities with every filter of GET /activities, the newest first. */
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
  snapshot: {
    section: 'crm',
    name: 'activities',
    instants: ['createdAt', 'updatedAt', 'dueAt', 'completedAt'],
    shapes: () => ({ subject: text(200), durationMinutes: whole(1) }),
    check: mustHaveComeAbout,
  },
})

/** Refuses an activity of a snapshot that fits none of its states. */
function mustHaveComeAbout({ id, status, completedAt }: CrmActivity): void {
  if ((status === 'completed') === (completedAt !== null)) return
  const problem = `is ${status}, and ${completedAt === null ? 'has no' : 'has a'} completedAt`
  refuse('invalid', `The snapshot does not fit: the activity ${id} ${problem}.`)
}
