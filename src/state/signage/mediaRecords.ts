/** The table of media with its filters. `media.ts` has the operations. */
import { sql } from 'drizzle-orm'
import { numbered, type LookupFilter } from '../storage/queries/listing.ts'
import { record } from '../storage/records/record.ts'
import { folded, searchedIn } from '../storage/queries/searchColumns.ts'
import { media as table } from './tables.ts'

export type Media = typeof table.$inferSelect

/** Separates the tags in `tag_key`. The tag pattern excludes it. */
const SEPARATOR = '\n'

/** Joins tags with a separator around each: the value of `tag_key`, and the search string of a single tag. */
const tagKey = (tags: readonly string[]): string =>
  tags.length === 0 ? '' : SEPARATOR + tags.join(SEPARATOR) + SEPARATOR

const tagged: LookupFilter = {
  forms: [(tag) => tagKey([tag])],
  where: (value) => sql`instr(${table.tagKey}, ${value}) > 0`,
}

/** Media with every filter of GET /media. */
export const media = record(table, {
  noun: 'medium',
  // Duplicate tags are stored once.
  normal: ({ tags }) => ({ tags: [...new Set(tags)] }),
  derived: { searchKey: folded(({ name }) => [name]), tagKey: ({ tags }) => tagKey(tags) },
  list: numbered({
    sorts: { created_at: table.createdAt },
    filters: {
      type: (value) => sql`${table.type} = ${value}`,
      folder_id: (value) => sql`${table.folderId} = ${value}`,
      search: searchedIn(table.searchKey),
      tag: tagged,
    },
    indexes: {
      type: [table.type, table.createdAt],
      folder_id: [table.folderId, table.createdAt],
    },
  }),
  snapshot: { section: 'signage', name: 'media' },
})
