/** Validates the answers to a form by its fields, for the pages and the submit operation. All of it is assumed. */
import { isEmailAddress } from '../text/emailAddresses.ts'
import type { Spoken, Text } from '../text/languages.ts'
import type { PageProblem } from '../model/refusal.ts'
import { ANSWER_PROBLEMS } from './answerTexts.ts'
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
): { readonly answers: readonly ValidAnswer[]; readonly problems: readonly PageProblem[] } {
  const answers: ValidAnswer[] = []
  const problems: PageProblem[] = []
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

type Problem = Pick<PageProblem, 'code' | 'message'>

const problem = (code: string, message: Text): Problem => ({ code, message })

/** Returns the problem of an answer; null if it is valid. */
export function problemOf(field: Field, value: SentValue): Problem | null {
  const { label, required, type } = field
  if (value === null || (type === 'boolean' && value === false)) {
    return required ? problem('required', ANSWER_PROBLEMS.required(label)) : null
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
        : problem('not_allowed', ANSWER_PROBLEMS.oneOf(label, listed(field.options)))
    case 'multi_select':
      return choiceProblem(field, value)
    case 'boolean':
      return value === true ? null : problem('invalid_type', ANSWER_PROBLEMS.boolean(label))
    case 'file':
      return value instanceof SentFile ? null : problem('invalid_type', ANSWER_PROBLEMS.file(label))
  }
}

/** Counts characters as JSON Schema does: an emoji is one, although it has two code units. */
export const lengthOf = (text: string): number => Array.from(text).length

/** The maximum number of options in a message. */
const MAX_LISTED = 10

function listed(options: readonly string[]): Text {
  const more = options.length - MAX_LISTED
  const shown = options.slice(0, MAX_LISTED).join(', ')
  return more > 0 ? ANSWER_PROBLEMS.andMore(shown, String(more)) : shown
}

/** Returns the problem of a text that is no address or number of its type. */
function formProblem(label: string, type: Field['type'], text: string): Spoken | undefined {
  switch (type) {
    case 'email':
      return isEmailAddress(text) ? undefined : ANSWER_PROBLEMS.email(label)
    case 'phone':
      return /^\+?[\d\s().-]{5,39}$/.test(text) ? undefined : ANSWER_PROBLEMS.phone(label)
    case 'url': {
      const broken = urlProblem(text)
      const wanted = ANSWER_PROBLEMS.url(label)
      // Only the English text says what is wrong with a URL.
      if (broken !== null) return (language) => (language === 'en' ? `${label} ${broken}` : wanted(language))
      return /^https?:/i.test(text) ? undefined : wanted
    }
    default:
      return undefined
  }
}

function textProblem({ label, type, validations }: Field, value: SentValue): Problem | null {
  if (typeof value !== 'string') return problem('invalid_type', ANSWER_PROBLEMS.text(label))
  const { minLength, maxLength, pattern } = validations
  const limit = Math.min(maxLength ?? Infinity, LONGEST_ANSWER[type] ?? Infinity)
  const length = lengthOf(value)
  if (length > limit) return problem('too_long', ANSWER_PROBLEMS.tooLong(label, String(limit)))
  if (minLength !== null && length < minLength) {
    return problem('too_short', ANSWER_PROBLEMS.tooShort(label, String(minLength)))
  }
  const broken = formProblem(label, type, value)
  if (broken) return problem('invalid_format', broken)
  if (pattern !== null && !matches(pattern, value)) {
    return problem('invalid_format', ANSWER_PROBLEMS.pattern(label, pattern))
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
    return problem('invalid_type', ANSWER_PROBLEMS.number(label))
  }
  const [min, max] = boundsOf(field)
  if (type === 'rating' && !Number.isInteger(value)) {
    return problem('invalid_type', ANSWER_PROBLEMS.whole(label))
  }
  if (min !== null && value < min) return problem('too_small', ANSWER_PROBLEMS.atLeast(label, String(min)))
  if (max !== null && value > max) return problem('too_large', ANSWER_PROBLEMS.atMost(label, String(max)))
  return null
}

function dateProblem({ label, validations: { minDate, maxDate } }: Field, value: SentValue): Problem | null {
  const isDate =
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    parseOffsetInstant(`${value}T00:00:00Z`) !== null
  if (!isDate) return problem('invalid_format', ANSWER_PROBLEMS.date(label))
  if (minDate !== null && value < minDate)
    return problem('too_small', ANSWER_PROBLEMS.orLater(label, minDate))
  if (maxDate !== null && value > maxDate)
    return problem('too_large', ANSWER_PROBLEMS.orEarlier(label, maxDate))
  return null
}

function choiceProblem(
  { label, options, validations: { min, max } }: Field,
  value: SentValue,
): Problem | null {
  if (!Array.isArray(value) || !value.every((each) => options.includes(each as string))) {
    return problem('not_allowed', ANSWER_PROBLEMS.onlyOf(label, listed(options)))
  }
  if (new Set(value).size !== value.length) return problem('not_unique', ANSWER_PROBLEMS.once(label))
  if (min !== null && value.length < min)
    return problem('too_few', ANSWER_PROBLEMS.chooseMin(String(min), label))
  if (max !== null && value.length > max)
    return problem('too_many', ANSWER_PROBLEMS.chooseMax(String(max), label))
  return null
}
