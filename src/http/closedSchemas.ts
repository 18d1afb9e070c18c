/** Schemas that refuse every field they do not name. */
import type { TSchema } from '@sinclair/typebox'

type Words = Readonly<Record<string, unknown>>

const SEVERAL = ['anyOf', 'oneOf']

/**
 * The schema with every object in it closed, at any depth. An object that lists no fields, or says itself that it takes
 * others, stays open: free-form data are the caller's own.
 */
export const closed = <Schema extends TSchema>(schema: Schema): Schema => closedWords(schema) as Schema

function closedWords(schema: Words): Words {
  const words: Record<string, unknown> = { ...schema }
  const each = (held: unknown): unknown =>
    typeof held === 'object' && held !== null ? closedWords(held as Words) : held
  for (const word of SEVERAL) if (word in words) words[word] = (words[word] as unknown[]).map(each)
  if ('items' in words) words['items'] = each(words['items'])
  if (!('properties' in words)) return words
  const entries = Object.entries(words['properties'] as Words)
  words['properties'] = Object.fromEntries(entries.map(([name, held]) => [name, each(held)]))
  if (!('patternProperties' in words)) words['additionalProperties'] ??= false
  return words
}
