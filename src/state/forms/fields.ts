/**
 * The fields of a form: what each asks, what may be answered, and when it is asked at all. The specification does not
 * show them: they are those of usual form builders.
 */
import { refuseProperty } from '../refusal.ts'

export const FIELD_TYPES = [
  'short_text',
  'long_text',
  'email',
  'phone',
  'url',
  'number',
  'date',
  'select',
  'multi_select',
  'boolean',
  'rating',
  'file',
] as const

export type FieldType = (typeof FIELD_TYPES)[number]

export const OPERATORS = ['equals', 'not_equals', 'contains', 'answered'] as const

/** When a field is asked: by the answer to one before it. */
export interface Condition {
  readonly fieldId: string
  readonly operator: (typeof OPERATORS)[number]
  readonly value: string | number | boolean | null
}

/** Only those that belong to the type of the field hold. */
export interface Validations {
  /** Of numbers and ratings, dates as "2026-01-31" are compared by minDate and maxDate; of multi_select how many. */
  readonly min: number | null
  readonly max: number | null
  readonly minDate: string | null
  readonly maxDate: string | null
  readonly minLength: number | null
  readonly maxLength: number | null
  /** RE2 syntax, of the whole text. */
  readonly pattern: string | null
}

export interface Field {
  readonly id: string
  readonly type: FieldType
  readonly label: string
  readonly description: string | null
  readonly placeholder: string | null
  readonly required: boolean
  readonly options: readonly string[]
  readonly validations: Validations
  readonly visibleIf: Condition | null
}

export const NO_VALIDATIONS: Validations = {
  min: null,
  max: null,
  minDate: null,
  maxDate: null,
  minLength: null,
  maxLength: null,
  pattern: null,
}

/** Fields that a form may have, those for files among them, and options of one field. */
export const MAX_FIELDS_OF_FORM = 50
export const MAX_FILES = 10
export const MAX_OPTIONS = 50

/** Characters of an answer where the field names no less. */
export const LONGEST_ANSWER: Readonly<Partial<Record<FieldType, number>>> = {
  short_text: 500,
  long_text: 10_000,
  email: 254,
  phone: 40,
  url: 2048,
}

/** Stars of a rating that names no other maximum. */
export const USUAL_STARS = 5
export const MAX_STARS = 10

const hasOptions = ({ type }: Field): boolean => type === 'select' || type === 'multi_select'

/** Refuses fields that do not fit together. `isPattern` says which patterns can be used. */
export function mustFitTogether(fields: readonly Field[], isPattern: (pattern: string) => boolean): void {
  const before = new Map<string, Field>()
  fields.forEach((field, place) => {
    const at = `fields.${String(place)}`
    if (before.has(field.id)) refuseProperty(`${at}.id`, 'not_unique', `{${at}.id} is that of another field`)
    mustHaveOptions(field, at)
    mustBeSpan(field.validations, at)
    if (field.type === 'rating') mustBeStars(field.validations, at)
    const { pattern } = field.validations
    if (pattern !== null && !isPattern(pattern)) {
      const wording = `{${at}.validations.pattern} must be a regular expression in the syntax of RE2`
      refuseProperty(`${at}.validations.pattern`, 'invalid_format', wording)
    }
    if (field.visibleIf && !before.has(field.visibleIf.fieldId)) {
      const wording = `{${at}.visibleIf.fieldId} must be the id of a field before this one`
      refuseProperty(`${at}.visibleIf.fieldId`, 'not_found', wording)
    }
    before.set(field.id, field)
  })
  if (fields.filter(({ type }) => type === 'file').length > MAX_FILES) {
    refuseProperty('fields', 'too_many', `{fields} may ask for at most ${String(MAX_FILES)} files`)
  }
}

function mustHaveOptions(field: Field, at: string): void {
  const { options } = field
  if (hasOptions(field) === options.length > 0 && new Set(options).size === options.length) return
  const wording = hasOptions(field)
    ? `{${at}.options} must name different options, at least one`
    : `{${at}.options} is for select and multi_select alone`
  refuseProperty(`${at}.options`, hasOptions(field) ? 'required' : 'not_allowed', wording)
}

function mustBeStars({ min, max }: Validations, at: string): void {
  const stars = max ?? USUAL_STARS
  const [least, most] = [`${at}.validations.min`, `${at}.validations.max`]
  if (stars < 1) refuseProperty(most, 'too_small', `{${most}} must be at least 1 for a rating`)
  if (stars > MAX_STARS) {
    refuseProperty(most, 'too_large', `{${most}} must be at most ${String(MAX_STARS)} for a rating`)
  }
  if ((min ?? 1) > stars) {
    refuseProperty(least, 'too_large', `{${least}} must be at most ${String(stars)}, the stars of the rating`)
  }
}

function mustBeSpan({ min, max, minDate, maxDate, minLength, maxLength }: Validations, at: string): void {
  const spans = [
    ['min', min, 'max', max],
    ['minDate', minDate, 'maxDate', maxDate],
    ['minLength', minLength, 'maxLength', maxLength],
  ] as const
  for (const [from, least, to, most] of spans) {
    if (least === null || most === null || least <= most) continue
    const property = `${at}.validations.${to}`
    refuseProperty(property, 'too_small', `{${property}} must not be less than {${at}.validations.${from}}`)
  }
}
