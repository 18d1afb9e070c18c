/** The records in an answer. */

type Json = Readonly<Record<string, unknown>>

/** Returns the records of a list's answer: its first array of objects with ids; null if it has none. */
export function recordsIn(answer: unknown, depth = 0): Json[] | null {
  if (Array.isArray(answer)) {
    const records = answer.filter((each): each is Json => idOf(each) !== null)
    return records.length > 0 && records.length === answer.length ? records : null
  }
  if (typeof answer !== 'object' || answer === null || depth === 2) return null
  for (const value of Object.values(answer)) {
    const found = recordsIn(value, depth + 1)
    if (found) return found
  }
  return null
}

export function idOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null) return null
  const { id } = record as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}
