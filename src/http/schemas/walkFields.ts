/** Which fields of a body its schema does not have, so that a call ignores them, and which are assumed. */

type Schema = Readonly<Record<string, unknown>>

interface WalkedField {
  readonly field: string
  readonly why: string | null
  /** The names of the fields beside it that the schema has. */
  readonly known: readonly string[]
}

/** Returns the fields of a body that a call ignores. */
export const unknownFields = (schema: object, body: unknown): WalkedField[] =>
  [...walkFields(schema as Schema, body, '')].filter(({ why }) => why === null)

/** Yields the fields that a schema does not have (`why` is null), and its assumed fields with the reason. */
export function* walkFields(schema: Schema, value: unknown, path: string): Generator<WalkedField> {
  if (Array.isArray(value)) {
    const [first] = value as unknown[]
    if (schema['items']) yield* walkFields(schema['items'] as Schema, first, `${path}[]`)
    return
  }
  const known = schema['properties'] as Readonly<Record<string, Schema>> | undefined
  if (typeof value !== 'object' || value === null || !known || isOpen(schema)) return
  for (const [name, child] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`
    const found = Object.hasOwn(known, name) ? known[name] : undefined
    if (!found) yield { field, why: null, known: Object.keys(known) }
    else {
      if (found['x-fidelity'] === 'assumed')
        yield { field, why: String(found['x-fidelity-why']), known: Object.keys(known) }
      yield* walkFields(found, child, field)
    }
  }
}

/** True if the schema accepts fields that it does not list. */
const isOpen = (schema: Schema): boolean =>
  ['patternProperties', 'anyOf', 'oneOf', 'allOf'].some((word) => word in schema) ||
  (typeof schema['additionalProperties'] === 'object' && schema['additionalProperties'] !== null)
