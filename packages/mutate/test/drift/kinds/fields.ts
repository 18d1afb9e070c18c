/** Drift of single fields: whether they are there, their type, and which form of "nothing" they have. */
import { remove, toNull, toOtherType } from '@suite-sim/mutate/changes'
import { changeAt, isObject, refill, REMOVED, valuesAt, visitParents } from '../json.ts'
import { isSuccess, withJson, type Answer, type Kind } from '../kind.ts'
import { hasCounterpart, type Field } from '../readable.ts'
import type { Probed } from '../subject.ts'

interface FieldKind {
  readonly name: string
  readonly drift: string
  /** True for fields whose sampled values can drift so. */
  readonly suits: (values: readonly unknown[], field: Field, probed: Probed) => boolean
  readonly change: (value: unknown) => unknown
}

/** A kind that changes each value of a field. */
export const fieldKind = ({ name, drift, suits, change }: FieldKind): Kind => ({
  name,
  drift,
  places: (probed) => fieldsWith(probed, suits),
  apply: ({ answer, at }) =>
    isSuccess(answer) ? withJson(answer, changeAt(answer.json, at, change)) : answer,
})

export const fieldsWith = (probed: Probed, suits: FieldKind['suits']): string[] =>
  probed.readable.fields
    .filter((field) => {
      const values = probed.values(field.place)
      return values.length > 0 && suits(values, field, probed)
    })
    .map(({ place }) => place)

const isNumberText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && value.length < 12

const isDecimal = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value)

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)

/** Lists of records are not fields: the kinds of lists change them. */
const isNested = ({ place }: Field, { readable }: Probed): boolean => place !== readable.rows

/** "owner_id" becomes "ownerId", "ownerId" becomes "owner_id", and "owner" becomes "owner_value". */
export function renamed(name: string): string {
  if (name.includes('_')) return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (/[A-Z]/.test(name)) return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `${name}_value`
}

function rename(answer: Answer, at: string): Answer {
  visitParents(answer.json, at, (parent, key) => {
    const entries = Object.entries(parent).map(([name, value]) => [name === key ? renamed(key) : name, value])
    refill(parent, Object.fromEntries(entries))
  })
  return answer
}

export const FIELD_KINDS: readonly Kind[] = [
  fieldKind({
    name: 'field-removed',
    drift: 'A field is no longer sent',
    suits: (_, field, probed) => isNested(field, probed),
    change: remove,
  }),
  {
    name: 'field-renamed',
    drift: 'A field has another name (`owner_id`, `ownerId`)',
    places: (probed) => fieldsWith(probed, (_, field) => isNested(field, probed)),
    apply: ({ answer, at }) => (isSuccess(answer) ? rename(answer, at) : answer),
  },
  {
    name: 'field-added',
    drift: 'Records have a field that the document does not name',
    places: ({ readable, values }) => (values(readable.record).some(isObject) ? [readable.record] : []),
    apply({ answer, at }) {
      if (!isSuccess(answer)) return answer
      for (const record of valuesAt(answer.json, at)) if (isObject(record)) record['legacy_id'] = 1
      return answer
    },
  },
  fieldKind({
    name: 'number-as-text',
    drift: 'A number is a string (`1200` becomes `"1200"`)',
    suits: (values) => values.some((value) => typeof value === 'number'),
    change: (value) => (typeof value === 'number' ? toOtherType(value) : value),
  }),
  fieldKind({
    name: 'decimals-as-text',
    drift: 'A number with decimals is a string with two (`12.5` becomes `"12.50"`)',
    suits: (values) => values.some(isDecimal),
    change: (value) => (typeof value === 'number' ? value.toFixed(2) : value),
  }),
  fieldKind({
    name: 'text-as-number',
    drift: 'A string of digits is a number (`"489.00"` becomes `489`)',
    suits: (values, { place }) => values.some(isNumberText) && !/(id|phone|folio)$/i.test(place),
    change: (value) => (isNumberText(value) ? Number(value) : value),
  }),
  fieldKind({
    name: 'boolean-as-text',
    drift: 'A boolean is a string (`true` becomes `"true"`)',
    suits: (values) => values.some((value) => typeof value === 'boolean'),
    change: (value) => (typeof value === 'boolean' ? toOtherType(value) : value),
  }),
  fieldKind({
    name: 'boolean-as-number',
    drift: 'A boolean is 0 or 1',
    suits: (values) => values.some((value) => typeof value === 'boolean'),
    change: (value) => (typeof value === 'boolean' ? Number(value) : value),
  }),
  fieldKind({
    name: 'null-for-value',
    drift: 'A field that has a value is null',
    suits: (values, field, probed) => values.some((value) => value !== null) && isNested(field, probed),
    change: toNull,
  }),
  fieldKind({
    name: 'absent-for-null',
    drift: 'A field is left out where it was null',
    suits: (values) => values.includes(null),
    change: (value) => (value === null ? REMOVED : value),
  }),
  fieldKind({
    name: 'empty-for-null',
    drift: 'A text is empty where it was null',
    suits: (values, { schema }) => values.includes(null) && typesOf(schema).includes('string'),
    change: (value) => value ?? '',
  }),
  fieldKind({
    name: 'object-as-id',
    drift: 'An embedded record is only its id',
    suits: (values, field, probed) => values.some(hasId) && field.place !== probed.readable.record,
    change: (value) => (hasId(value) ? value.id : value),
  }),
  fieldKind({
    name: 'list-as-text',
    drift: 'A list of words is a string with commas',
    suits: (values) => values.some(isTextList),
    change: (value) => (isTextList(value) ? value.join(',') : value),
  }),
  fieldKind({
    name: 'list-emptied',
    drift: 'A list inside a record is empty',
    suits: (values, field, probed) =>
      values.some(isFilled) && isNested(field, probed) && hasCounterpart(probed.readable, probed.all),
    change: (value) => (Array.isArray(value) ? [] : value),
  }),
  fieldKind({
    name: 'null-for-empty-list',
    drift: 'A list inside a record is null where it was empty',
    suits: (values, field, probed) =>
      values.some((value) => Array.isArray(value) && value.length === 0) && isNested(field, probed),
    change: (value) => (Array.isArray(value) && value.length === 0 ? null : value),
  }),
]

export const typesOf = (schema: Readonly<Record<string, unknown>>): unknown[] => {
  const alternatives = (schema['anyOf'] ?? schema['oneOf'] ?? []) as Record<string, unknown>[]
  return [schema['type'], ...alternatives.map((each) => each['type'])].flat()
}

const hasId = (value: unknown): value is { id: unknown } => isObject(value) && 'id' in value

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
