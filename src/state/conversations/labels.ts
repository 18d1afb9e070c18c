/** The labels of conversations. They have no records: the conversations of an account are the only list of them. */
import { sql } from 'drizzle-orm'
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

/** Returns unique labels, in the spelling that the conversation already has. */
export function spelledAsBefore(labels: Labels, before: Labels): string[] {
  const own = byKey(before)
  return uniqueLabels(labels.map((label) => own.get(keyOf(label)) ?? label))
}
