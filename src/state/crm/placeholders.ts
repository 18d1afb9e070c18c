/**
 * Paths with dots into what an event tells ("deal.value", "contact.tags.0"), and texts that hold them in double
 * braces. Specification part 1, "CRM records": that they are there is shown, how they read is assumed.
 */

/** What is at the path; undefined where there is nothing. `deal.owner_id` finds the id of `deal.owner` as well. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const name of path.split('.')) value = member(value, name)
  return value
}

const ID_SUFFIX = '_id'

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name]
  if (!name.endsWith(ID_SUFFIX)) return undefined
  const record = name.slice(0, -ID_SUFFIX.length)
  return Object.hasOwn(value, record) ? member((value as Record<string, unknown>)[record], 'id') : undefined
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** The text with what the placeholders name in their place; nothing where they name nothing. */
export const filled = (text: string, data: unknown): string =>
  text.replace(PLACEHOLDER, (_placeholder, path: string) => shown(valueAt(data, path.trim())))

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return JSON.stringify(value)
}
