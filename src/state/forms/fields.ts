/**
 * The fields of a form, with their rules and conditions. The specification does not show them; they are those of
 * common form builders.
 */
import { refuseProperty } from '../model/refusal.ts'

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

/** Makes a field visible by the answer to an earlier field. */
export interface FieldCondition {
  readonly fieldId: string
  readonly operator: (typeof OPERATORS)[number]
  readonly value: string | number | boolean | null
}

/** Validations of a field. Those that do not belong to its type are ignored. */
export interface Validations {
  /**
   * The range of a number or a rating, or the number of choices of multi_select. Dates such as "2026-01-31" use
   * minDate and maxDate.
   */
  readonly min: number | null
  readonly max: number | null
  readonly minDate: string | null
  readonly maxDate: string | null
  readonly minLength: number | null
  readonly maxLength: number | null
  /** A regular expression in RE2 syntax, for the whole string. */
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
  readonly visibleIf: FieldCondition | null
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

/** The maximum number of fields of a form, of file fields among them, and of options of a field. */
export const MAX_FIELDS_OF_FORM = 50
export const MAX_FILES = 10
export const MAX_OPTIONS = 50

/** The maximum length of an answer, if the field sets no lower limit. */
export const LONGEST_ANSWER: Readonly<Partial<Record<FieldType, number>>> = {
  short_text: 500,
  long_text: 10_000,
  email: 254,
  phone: 40,
  url: 2048,
}

/** The shortest text that has the form of an answer. */
export const SHORTEST_ANSWER: Readonly<Partial<Record<FieldType, number>>> = {
  email: 'a@b.c'.length,
  phone: '12345'.length,
  url: 'http://a'.length,
}

/** The stars of a rating without a maximum. */
export const DEFAULT_STARS = 5
export const MAX_STARS = 10

const hasOptions = ({ type }: Field): boolean => type === 'select' || type === 'multi_select'

/** Throws if fields contradict each other. `isPattern` checks patterns. */
export function mustFitTogether(fields: readonly Field[], isPattern: (pattern: string) => boolean): void {
  const before = new Map<string, Field>()
  fields.forEach((field, index) => {
    const at = `fields.${String(index)}`
    if (before.has(field.id))
      refuseProperty(`${at}.id`, 'not_unique', `{${at}.id} must be unique; another field has the same id`)
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
    refuseProperty(
      'fields',
      'too_many',
      `{fields} must have at most ${String(MAX_FILES)} fields of type file`,
    )
  }
}

function mustHaveOptions(field: Field, at: string): void {
  const { options } = field
  if (hasOptions(field) === options.length > 0 && new Set(options).size === options.length) return
  const wording = hasOptions(field)
    ? `{${at}.options} must have at least one option and no duplicates`
    : `{${at}.options} must be left out unless type is select or multi_select`
  refuseProperty(`${at}.options`, hasOptions(field) ? 'required' : 'not_allowed', wording)
}

function mustBeStars({ min, max }: Validations, at: string): void {
  const stars = max ?? DEFAULT_STARS
  const [minPath, maxPath] = [`${at}.validations.min`, `${at}.validations.max`]
  if (stars < 1) refuseProperty(maxPath, 'too_small', `{${maxPath}} must be at least 1 for a rating`)
  if (stars > MAX_STARS) {
    refuseProperty(maxPath, 'too_large', `{${maxPath}} must be at most ${String(MAX_STARS)} for a rating`)
  }
  if ((min ?? 1) > stars) {
    refuseProperty(
      minPath,
      'too_large',
      `{${minPath}} must be at most ${String(stars)}, the stars of the rating`,
    )
  }
}

function mustBeSpan({ min, max, minDate, maxDate, minLength, maxLength }: Validations, at: string): void {
  const spans = [
    ['min', min, 'max', max],
    ['minDate', minDate, 'maxDate', maxDate],
    ['minLength', minLength, 'maxLength', maxLength],
  ] as const
  for (const [from, lower, to, upper] of spans) {
    if (lower === null || upper === null || lower <= upper) continue
    const property = `${at}.validations.${to}`
    refuseProperty(property, 'too_small', `{${property}} must not be less than {${at}.validations.${from}}`)
  }
}
