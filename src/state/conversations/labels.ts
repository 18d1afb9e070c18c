/** The labels of conversations. They have no records: the conversations of an account are the only list of them. */
import { sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../storage/queries/query.ts'
import { fold } from '../text/collation.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { conversations as table } from './tables.ts'

type Labels = readonly string[]

/** Labels with the same key are one label. Accents count, because "año" and "ano" are two words. */
const keyOf = (label: string): string => label.normalize('NFC').toUpperCase().toLowerCase()

/** Returns the labels without those that differ from an earlier one only by case. */
export const uniqueLabels = (labels: Labels): string[] => [...byKey(labels).values()]

/** Returns the first spelling of each label. */
function byKey(labels: Labels): Map<string, string> {
  const spellings = new Map<string, string>()
  for (const label of labels) if (!spellings.has(keyOf(label))) spellings.set(keyOf(label), label)
  return spellings
}

/** The folded form of a label in a JSON list. ASCII labels use SQLite's lower(), which avoids a call into JavaScript. */
const foldedLabel = sql`case when value glob '*[^ -~]*' then fold(value) else lower(value) end`

/** The condition of conversations with any of the folded labels in a JSON list. */
export const hasLabel = (folded: unknown) =>
  sql`exists (select 1 from json_each(${table.labels}) where ${foldedLabel} in (select value from json_each(${folded})))`

/** Labels of the account with one of these folded forms, those of the oldest conversation first. */
const spellingsOf = query((orm) =>
  orm
    .select({ label: sql<string>`value` })
    .from(sql`${table}, json_each(${table.labels})`)
    .where(
      sql`${ofWorkspace(table)} and ${foldedLabel} in (select value from json_each(${sql.placeholder('folded')}))`,
    )
    .groupBy(sql`value`)
    .orderBy(sql`min(${table}.rowid)`),
)

/** Returns unique labels in the spelling that the conversation, or else the account, already has. */
export function spelledAsKnown(workspace: Workspace, labels: Labels, ofConversation: Labels): string[] {
  const own = byKey(ofConversation)
  const added = labels.filter((label) => !own.has(keyOf(label)))
  const ofAccount =
    added.length === 0
      ? new Map<string, string>()
      : byKey(
          spellingsOf.all(workspace, { folded: JSON.stringify(added.map(fold)) }).map(({ label }) => label),
        )
  return uniqueLabels(labels.map((label) => own.get(keyOf(label)) ?? ofAccount.get(keyOf(label)) ?? label))
}
