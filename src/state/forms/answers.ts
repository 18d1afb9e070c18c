/** Validates the answers to a form by its fields, for the pages and the submit operation. All of it is assumed. */
import { isEmailAddress } from '../text/emailAddresses.ts'
import type { FieldProblem } from '../model/refusal.ts'
import type { IncomingFile } from '../shared/storedFiles.ts'
import { urlProblem } from '@suite-sim/kit/text/parseUrl'
import { parseOffsetInstant } from '@suite-sim/kit/time/instants'
import { LONGEST_ANSWER, MAX_STARS, DEFAULT_STARS, type Field, type FieldCondition } from './fields.ts'
import { matches } from '@suite-sim/kit/text/patterns'

/** A file in an answer, before it is stored. */
export class SentFile {
  readonly file: IncomingFile
  readonly size: number

  constructor(file: IncomingFile, size: number) {
    this.file = file
    this.size = size
  }
}

export type SentValue = string | number | boolean | readonly string[] | SentFile | null

/** The unvalidated answer to a field. */
export interface SentAnswer {
  readonly value: unknown
  readonly timeSeconds: number
  readonly revisions: number
}

/** A valid answer, which is stored after its file. */
export interface ValidAnswer {
  readonly field: Field
  readonly value: SentValue
  readonly timeSeconds: number
  readonly revisions: number
}

/** Returns the answers to the visible fields, or their problems, in the order of the form. */
export function validateAnswers(
  fields: readonly Field[],
  sent: ReadonlyMap<string, SentAnswer>,
): { readonly answers: readonly ValidAnswer[]; readonly problems: readonly FieldProblem[] } {
  const answers: ValidAnswer[] = []
  const problems: FieldProblem[] = []
  const valuesById = new Map<string, SentValue>()
  for (const field of fields) {
    // An unchecked box is false, also if the request has no value for it.
    if (field.type === 'boolean') valuesById.set(field.id, false)
    if (!isVisible(field.visibleIf, valuesById)) continue
    const { value: raw, timeSeconds, revisions } = sent.get(field.id) ?? NO_ANSWER
    const value = isBlank(raw) ? null : (raw as SentValue)
    const problem = problemOf(field, value)
    if (problem) problems.push({ field: field.id, ...problem })
    if (value !== null) valuesById.set(field.id, problem ? null : value)
    answers.push({ field, value, timeSeconds, revisions })
  }
  return { answers, problems }
}

const NO_ANSWER: SentAnswer = { value: null, timeSeconds: 0, revisions: 0 }

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** True if the answers to earlier fields make a field visible. */
export function isVisible(
  condition: FieldCondition | null,
  valuesById: ReadonlyMap<string, SentValue>,
): boolean {
  if (condition === null) return true
  const value = valuesById.get(condition.fieldId) ?? null
  if (value instanceof SentFile)
    return condition.operator === 'answered' || condition.operator === 'not_equals'
  const isSame = Array.isArray(value)
    ? value.length === 1 && value[0] === condition.value
    : String(value ?? '') === String(condition.value ?? '')
  switch (condition.operator) {
    case 'answered':
      return value !== null && value !== false
    case 'equals':
      return isSame
    case 'not_equals':
      return !isSame
    case 'contains':
      return Array.isArray(value)
        ? value.includes(String(condition.value))
        : typeof value === 'string' && value.toLowerCase().includes(String(condition.value).toLowerCase())
  }
}

type Problem = Pick<FieldProblem, 'code' | 'message'>

const problem = (code: string, message: string): Problem => ({ code, message })

/** Returns the problem of an answer; null if it is valid. */
export function problemOf(field: Field, value: SentValue): Problem | null {
  const { label, required, type } = field
  if (value === null || (type === 'boolean' && value === false)) {
    return required ? problem('required', `${label} is required`) : null
  }
  switch (type) {
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'phone':
    case 'url':
      return textProblem(field, value)
    case 'number':
    case 'rating':
      return numberProblem(field, value)
    case 'date':
      return dateProblem(field, value)
    case 'select':
      return typeof value === 'string' && field.options.includes(value)
        ? null
        : problem('not_allowed', `${label} must be one of ${listed(field.options)}`)
    case 'multi_select':
      return choiceProblem(field, value)
    case 'boolean':
      return value === true ? null : problem('invalid_type', `${label} must be yes or no`)
    case 'file':
      return value instanceof SentFile ? null : problem('invalid_type', `${label} must be a file`)
  }
}

/** Counts characters as JSON Schema does: an emoji is one, although it has two code units. */
export const lengthOf = (text: string): number => Array.from(text).length

/** The maximum number of options in a message. */
const MAX_LISTED = 10

function listed(options: readonly string[]): string {
  const more = options.length - MAX_LISTED
  return `${options.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`
}

/** Returns the rule that a text breaks, by type of field. */
const FORMS_OF: Readonly<Partial<Record<Field['type'], (text: string) => string | null>>> = {
  email: (text) => (isEmailAddress(text) ? null : 'must be an e-mail address such as name@example.com'),
  phone: (text) =>
    /^\+?[\d\s().-]{5,39}$/.test(text) ? null : 'must be a phone number such as +507 6000 0000',
  url: (text) =>
    urlProblem(text) ?? (/^https?:/i.test(text) ? null : 'must be an address such as https://example.com'),
}

function textProblem({ label, type, validations }: Field, value: SentValue): Problem | null {
  if (typeof value !== 'string') return problem('invalid_type', `${label} must be text`)
  const { minLength, maxLength, pattern } = validations
  const limit = Math.min(maxLength ?? Infinity, LONGEST_ANSWER[type] ?? Infinity)
  const length = lengthOf(value)
  if (length > limit) return problem('too_long', `${label} must have at most ${String(limit)} characters`)
  if (minLength !== null && length < minLength) {
    return problem('too_short', `${label} must have at least ${String(minLength)} characters`)
  }
  const broken = FORMS_OF[type]?.(value) ?? null
  if (broken !== null) return problem('invalid_format', `${label} ${broken}`)
  if (pattern !== null && !matches(pattern, value)) {
    return problem('invalid_format', `${label} must match the pattern ${pattern}`)
  }
  return null
}

/** Returns the minimum and the maximum of a number or a rating. */
export function boundsOf({
  type,
  validations: { min, max },
}: Field): readonly [number | null, number | null] {
  return type === 'rating' ? [Math.max(1, Math.ceil(min ?? 1)), starsOf(max)] : [min, max]
}

const starsOf = (max: number | null): number =>
  max === null ? DEFAULT_STARS : Math.max(1, Math.min(MAX_STARS, Math.floor(max)))

function numberProblem(field: Field, value: SentValue): Problem | null {
  const { label, type } = field
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return problem('invalid_type', `${label} must be a number`)
  }
  const [min, max] = boundsOf(field)
  if (type === 'rating' && !Number.isInteger(value)) {
    return problem('invalid_type', `${label} must be a whole number`)
  }
  if (min !== null && value < min) return problem('too_small', `${label} must be at least ${String(min)}`)
  if (max !== null && value > max) return problem('too_large', `${label} must be at most ${String(max)}`)
  return null
}

function dateProblem({ label, validations: { minDate, maxDate } }: Field, value: SentValue): Problem | null {
  const isDate =
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    parseOffsetInstant(`${value}T00:00:00Z`) !== null
  if (!isDate) return problem('invalid_format', `${label} must be a date such as 2026-01-31`)
  if (minDate !== null && value < minDate) return problem('too_small', `${label} must be ${minDate} or later`)
  if (maxDate !== null && value > maxDate)
    return problem('too_large', `${label} must be ${maxDate} or earlier`)
  return null
}

function choiceProblem(
  { label, options, validations: { min, max } }: Field,
  value: SentValue,
): Problem | null {
  if (!Array.isArray(value) || !value.every((each) => options.includes(each as string))) {
    return problem('not_allowed', `${label} must contain only ${listed(options)}`)
  }
  if (new Set(value).size !== value.length)
    return problem('not_unique', `${label} must name each option once`)
  if (min !== null && value.length < min)
    return problem('too_few', `Choose at least ${String(min)}: ${label}`)
  if (max !== null && value.length > max)
    return problem('too_many', `Choose at most ${String(max)}: ${label}`)
  return null
}
