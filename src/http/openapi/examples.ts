/**
 * Example values for the published documents, derived from schemas: the schema's example, default or first
 * enum value, or else the simplest valid value. The same schema always gives the same example.
 */

/** Examples of requests omit read-only fields; examples of responses omit write-only fields. */
export type Direction = 'sent' | 'answered'

/** The JSON Schema keywords that an example uses. */
interface Shape {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape | readonly Shape[]
  readonly prefixItems?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly multipleOf?: number
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  instant: '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  time: '09:30',
  uri: 'https://example.com/path',
  email: 'buyer@example.com',
  uuid: '6f1c0e0a-3b1d-4c55-9d7e-2f4a8b6c1d20',
  'iso-4217': 'USD',
  'iso-3166': 'PA',
  timezone: 'America/Panama',
}

/** Returns an example of the schema; `name` is its field, which gives the text of a free string. */
export function exampleOf(schema: object, direction: Direction, name = 'text'): unknown {
  const shape = schema as Shape
  if (shape.examples && shape.examples.length > 0) return shape.examples[0]
  if ('const' in shape) return shape.const
  if (shape.default !== undefined && !shape.properties) return shape.default
  if (shape.enum) return shape.enum.find((value) => value !== null) ?? null
  const alternative = shape.anyOf?.[0] ?? shape.oneOf?.[0]
  if (alternative && !shape.properties) return exampleOf(alternative, direction, name)
  if (shape.allOf) {
    return Object.assign({}, ...shape.allOf.map((part) => exampleOf(part, direction, name))) as object
  }
  return simplest(shape, direction, name)
}

function simplest(shape: Shape, direction: Direction, name: string): unknown {
  const type = typeof shape.type === 'string' ? shape.type : shape.type?.find((each) => each !== 'null')
  switch (type) {
    case 'object':
      return objectExample(shape, direction)
    case 'array':
      return arrayExample(shape, direction, name)
    case 'string':
      return textExample(shape, name)
    case 'integer':
    case 'number':
      return numberExample(shape)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return shape.properties ? objectExample(shape, direction) : {}
  }
}

function objectExample(shape: Shape, direction: Direction): object {
  const example: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    if (direction === 'sent' ? property.readOnly : property.writeOnly) continue
    example[name] = exampleOf(property, direction, name)
  }
  return example
}

function arrayExample(shape: Shape, direction: Direction, name: string): unknown[] {
  const positions = shape.prefixItems ?? (Array.isArray(shape.items) ? (shape.items as Shape[]) : undefined)
  if (positions) return positions.map((item) => exampleOf(item, direction, name))
  const item = exampleOf(shape.items ?? {}, direction, name)
  return Array.from({ length: Math.max(1, shape.minItems ?? 0) }, () => item)
}

function textExample(shape: Shape, name: string): string {
  const byFormat = shape.format === undefined ? undefined : BY_FORMAT[shape.format]
  if (byFormat !== undefined) return byFormat
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return text.padEnd(shape.minLength ?? 0, '.').slice(0, shape.maxLength)
}

function numberExample(shape: Shape): number {
  const step = shape.multipleOf ?? 1
  const lowest = shape.exclusiveMinimum === undefined ? shape.minimum : shape.exclusiveMinimum + step
  const value = Math.max(step, lowest ?? step)
  return shape.maximum === undefined ? value : Math.min(value, shape.maximum)
}
