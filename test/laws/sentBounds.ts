/** The bounds of the fields in requests and triggers, by name: a snapshot must not exceed them either. */
import { publishedOf } from '../support/published.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

type Fields = ReadonlyMap<string, readonly Schema[]>

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/** Returns the schemas of all fields that callers of an interface may send, by their plain names. */
export function sentFields(name: string): Fields {
  const { routes, definition } = publishedOf(name)
  const fields = new Map<string, Schema[]>()
  const walk = (schema: Schema | undefined): void => {
    if (!schema) return
    for (const [field, each] of Object.entries(schema.properties ?? {})) {
      const found = fields.get(plain(field)) ?? []
      fields.set(plain(field), [...found, each, ...(each.anyOf ?? [])])
      walk(each)
    }
    walk(schema.items)
    schema.anyOf?.forEach(walk)
  }
  for (const { schema } of routes) walk(schema.body)
  for (const { body } of definition.triggers ?? []) walk(body as Schema)
  return fields
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

/** True if the field has bounds for values of this type. */
function bounds({ type, enum: values, anyOf }: Schema, value: unknown): boolean {
  if (anyOf) return false
  const types = [type ?? []].flat().map((each) => (each === 'integer' ? 'number' : each))
  return types.includes(typeOf(value)) || (types.length === 0 && values !== undefined)
}

function accepts(schema: Schema, value: unknown): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false
  if (typeof value === 'string') {
    const { length } = value
    if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return false
    return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
  }
  if (typeof value === 'number') {
    return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity)
  }
  if (!Array.isArray(value)) return true
  return value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity)
}

/**
 * Returns the name of a field, at any depth, whose new value every request with such a field refuses, although one
 * accepts the value before; else null.
 */
export function refusedField(fields: Fields, name: string, before: unknown, value: unknown): string | null {
  const comparable = (fields.get(plain(name)) ?? []).filter((schema) => bounds(schema, value))
  const isComparable = comparable.some((schema) => bounds(schema, before) && accepts(schema, before))
  if (isComparable && !comparable.some((schema) => accepts(schema, value))) return name
  if (Array.isArray(before) && Array.isArray(value)) return refusedField(fields, name, before[0], value[0])
  if (typeof before !== 'object' || typeof value !== 'object' || before === null || value === null)
    return null
  for (const [inner, each] of Object.entries(value)) {
    const found = refusedField(fields, inner, (before as Record<string, unknown>)[inner], each)
    if (found !== null) return `${name}.${found}`
  }
  return null
}
