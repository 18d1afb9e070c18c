/** Schema pieces that all interfaces share. The same values validate, type, and are published. */
import {
  Type,
  type IntegerOptions,
  type Static,
  type StringOptions,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'

/** A string out of a closed list. */
export const OneOf = <const Values extends readonly string[]>(
  values: Values,
  options: StringOptions = {},
): TUnsafe<Values[number]> => Type.Unsafe({ ...options, type: 'string', enum: [...values] })

/** The schema's values, or null. One schema with one type more, so that an error names one rule and not three. */
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string | string[]; enum?: unknown[] }
  if (type === undefined) return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe({ ...rest, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) })
}

/** A whole number that JavaScript counts exactly. */
export const Int = (options: IntegerOptions = {}) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** ISO 8601, as it is answered: in UTC with milliseconds. */
export const Instant = (options: StringOptions = {}) => Type.String({ ...options, format: 'date-time' })

/** ISO 8601, as a caller sends it. */
export const SentInstant = (options: StringOptions = {}, place = WORKSPACE) =>
  sent('A date is the beginning of its day', options, place)

/** The last moment of a span, as a caller sends it. */
export const SentEnd = (options: StringOptions = {}, place = WORKSPACE) =>
  sent('A date is the end of its day', options, place)

/** Whose time zone a text without an offset is read in. */
const WORKSPACE = 'the workspace'

const sent = (date: string, { description, ...options }: StringOptions, place: string) =>
  Type.String({
    ...options,
    format: 'instant',
    description: [
      description,
      `${date}, and a date-time without an offset a time of the clocks, in the time zone of ${place} (assumed).`,
    ]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
  })

/** A day of the calendar: "2026-01-31". */
export const CalendarDate = (options: StringOptions = {}) => Type.String({ ...options, format: 'date' })

/** A decimal number as a string, so that no float touches it: "149.90". */
export const Decimal = (options: StringOptions = {}) =>
  Type.String({
    pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
    'x-wording': 'must be a decimal number as a string, such as "149.90"',
    examples: ['149.90'],
    ...options,
  })

/** An ISO 4217 currency code. */
export const Currency = (options: StringOptions = {}) =>
  Type.String({ ...options, format: 'iso-4217', examples: ['USD'] })

/** Free key-value data. */
export const FreeObject = (options: object = {}) => Type.Record(Type.String(), Type.Unknown(), options)

const names = new WeakMap<object, string>()

/** Named schemas by a part that their copies share with them, for TypeBox copies a schema that it makes optional. */
const originals = new WeakMap<object, TSchema>()

/** Publishes the schema under this name in the OpenAPI documents, wherever it is used. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  names.set(schema, name)
  const part = sharedPart(schema)
  if (part) originals.set(part, schema)
  return schema
}

export const nameOf = (schema: object): string | undefined => names.get(schema)

/** What a copy may say beside what it was copied from, and still be the same shape. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'x-fidelity',
  'x-fidelity-why',
])

/** The named schema that this one is, or is a copy of, and what the copy says beside it. */
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

/** Marks a field or a shape that the specification does not show; `why` says what was chosen and on what grounds. */
export const Assumed = <Schema extends TSchema>(why: string, schema: Schema): Schema => ({
  ...schema,
  'x-fidelity': 'assumed',
  'x-fidelity-why': why,
})
