/** Schemas that refuse unknown fields. */
import type { TSchema } from '@sinclair/typebox'

type Words = Readonly<Record<string, unknown>>

const SEVERAL = ['anyOf', 'oneOf']

/**
 * Closes every object in the schema, at any depth. An object that lists no fields, or that allows others
 * itself, stays open, because free-form data belong to the caller.
 */
export const closed = <Schema extends TSchema>(schema: Schema): Schema => closeWords(schema) as Schema

function closeWords(schema: Words): Words {
  const words: Record<string, unknown> = { ...schema }
  const closeNested = (nested: unknown): unknown =>
    typeof nested === 'object' && nested !== null ? closeWords(nested as Words) : nested
  for (const word of SEVERAL) if (word in words) words[word] = (words[word] as unknown[]).map(closeNested)
  if ('items' in words) words['items'] = closeNested(words['items'])
  if (!('properties' in words)) return words
  const entries = Object.entries(words['properties'] as Words)
  words['properties'] = Object.fromEntries(entries.map(([name, nested]) => [name, closeNested(nested)]))
  if (!('patternProperties' in words)) words['additionalProperties'] ??= false
  return words
}
