/** Schema pieces that all interfaces share. They validate, give types and are published. */
import {
  Type,
  type IntegerOptions,
  type Static,
  type StringOptions,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'
import type { Bound } from './limits.ts'

/** Returns the schema of a string from a closed list. */
export const OneOf = <const Values extends readonly string[]>(
  values: Values,
  options: StringOptions = {},
): TUnsafe<Values[number]> => Type.Unsafe({ ...options, type: 'string', enum: [...values] })

/** Returns the schema with null as another type. One schema with two types gives one error, not three. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string | string[]; enum?: unknown[] }
  if (type === undefined) return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe({ ...rest, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) })
}

/** Returns the schema of a whole number that JavaScript represents exactly. */
export const Int = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** Returns the schema of an ISO 8601 timestamp in a response: in UTC with milliseconds. */
export const Instant = (options: StringOptions = {}) => Type.String({ ...options, format: 'date-time' })

/** Returns the schema of an ISO 8601 date or timestamp in a request. */
export const SentInstant = (options: StringOptions = {}, owner = WORKSPACE) =>
  sent('A date is the beginning of its day', options, owner)

/** Returns the schema of the end of a time span in a request. */
export const SentEnd = (options: StringOptions = {}, owner = WORKSPACE) =>
  sent('A date is the end of its day', options, owner)

/** The owner of the time zone in which a text without an offset is read. */
const WORKSPACE = 'the workspace'

const sent = (date: string, { description, ...options }: StringOptions, owner: string) =>
  Type.String({
    ...options,
    format: 'instant',
    description: [
      description,
      `${date}, and a date-time without an offset is a local time, in the time zone of ${owner} (assumed).`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  })

/** Returns the schema of a calendar date: "2026-01-31". */
export const CalendarDate = (options: StringOptions = {}) => Type.String({ ...options, format: 'date' })

/** Returns the schema of a decimal number as a string, which avoids floats: "149.90". */
export const Decimal = (options: StringOptions = {}) =>
  Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
    'x-digits': [15, 6],
    'x-wording': 'must be a decimal number as a string, such as "149.90"',
    examples: ['149.90'],
    ...options,
  })

/** Returns the schema of an ISO 4217 currency code. */
export const Currency = (options: StringOptions = {}) =>
  Type.String({ ...options, format: 'iso-4217', examples: ['USD'] })

/** Returns the schema of a search in a query. Blanks around it are dropped. */
export const SearchText = (options: StringOptions = {}) => Type.String({ ...options, 'x-trimmed': true })

/** Returns the schema of free key-value data. */
export const FreeObject = (options: object = {}) => Type.Record(Type.String(), Type.Unknown(), options)

const names = new WeakMap<object, string>()

/**
 * Named schemas by a part that their copies share with them, because TypeBox copies a schema to make it
 * optional.
 */
const originals = new WeakMap<object, TSchema>()

/** Gives the schema a name, under which the OpenAPI documents publish it. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  names.set(schema, name)
  const part = sharedPart(schema)
  if (part) originals.set(part, schema)
  return schema
}

export const nameOf = (schema: object): string | undefined => names.get(schema)

/** Annotations that a copy may have and still be the same shape. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'x-default',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'x-fidelity',
  'x-fidelity-why',
  'x-assumed-default',
])

/** Returns the named schema that this schema is, or is a copy of, and the annotations of the copy. */
export function originalOf(
  schema: object,
): { name: string; original: object; annotations: Record<string, unknown> } | null {
  const name = names.get(schema)
  if (name !== undefined) return { name, original: schema, annotations: {} }
  const part = sharedPart(schema)
  const original = part && (originals.get(part) as Record<string, unknown> | undefined)
  const originalName = original && names.get(original)
  if (!original || originalName === undefined) return null
  const copy = schema as Record<string, unknown>
  const differing = [...new Set([...Object.keys(copy), ...Object.keys(original)])].filter(
    (key) => copy[key] !== original[key],
  )
  if (!differing.every((key) => ANNOTATIONS.has(key) && key in copy)) return null
  return {
    name: originalName,
    original,
    annotations: Object.fromEntries(differing.map((key) => [key, copy[key]])),
  }
}

function sharedPart(schema: object): object | undefined {
  const { properties, items, enum: values, anyOf } = schema as Record<string, object | undefined>
  return properties ?? items ?? values ?? anyOf
}

/** Marks a field or a shape that the specification does not show; `why` says what was chosen and why. */
export const Assumed = <Schema extends object>(why: string, schema: Schema): Schema => ({
  ...schema,
  'x-fidelity': 'assumed',
  'x-fidelity-why': why,
})

/** Names the bounds of a schema that the specification shows, as options of it. The others are published as assumed. */
export const documentedLimits = (...bounds: readonly Bound[]) => ({ 'x-documented-limits': bounds })

/** Marks values of a closed list that the specification does not show, as options of its schema. */
export const assumedValues = (why: string, ...values: readonly (string | number)[]) => ({
  'x-assumed-values': values,
  'x-assumed-values-why': why,
})

/** A default that the specification does not show, as options of the schema. */
export const assumedDefault = <const Value>(value: Value) => ({ default: value, 'x-assumed-default': true })
