/** Refuses conditions and validations of fields that no answer can fulfill. All of it is assumed. */
import { refuseProperty } from '../model/refusal.ts'
import { boundsOf, lengthOf, problemOf, type SentValue } from './answers.ts'
import { LONGEST_ANSWER, SHORTEST_ANSWER, type Field, type FieldCondition } from './fields.ts'

/** Throws if a field that has an earlier one in its condition can never be visible, or can never be answered. */
export function mustBePossible(fields: readonly Field[]): void {
  fields.forEach((field, index) => {
    const at = `fields.${String(index)}`
    mustBeAnswerable(field, at)
    const { visibleIf } = field
    const earlier = visibleIf && fields.find(({ id }) => id === visibleIf.fieldId)
    if (!earlier || canHold(visibleIf, earlier)) return
    const path = `${at}.visibleIf.value`
    refuseProperty(path, 'not_allowed', `{${path}} must be a possible answer to the field ${earlier.id}`)
  })
}

function mustBeAnswerable(field: Field, at: string): void {
  const { type, options, validations } = field
  const refuseLimit = (name: keyof typeof validations, code: string, words: string): never =>
    refuseProperty(`${at}.validations.${name}`, code, `{${at}.validations.${name}} ${words}`)
  const longest = LONGEST_ANSWER[type]
  const shortest = SHORTEST_ANSWER[type] ?? 0
  if (longest !== undefined && (validations.minLength ?? 0) > longest)
    refuseLimit(
      'minLength',
      'too_large',
      `must be at most ${String(longest)}, the longest answer of the type ${type}`,
    )
  if (longest !== undefined && (validations.maxLength ?? shortest) < shortest)
    refuseLimit(
      'maxLength',
      'too_small',
      `must be at least ${String(shortest)}, the shortest answer of the type ${type}`,
    )
  if (type === 'rating') {
    const [min, max] = boundsOf(field)
    if ((min ?? 0) > (max ?? Infinity)) refuseLimit('max', 'too_small', 'must leave a whole number of stars')
  }
  if (type !== 'multi_select') return
  if ((validations.min ?? 0) > options.length)
    refuseLimit('min', 'too_large', `must be at most ${String(options.length)}, the number of options`)
  if (Math.floor(validations.max ?? options.length) < Math.max(1, Math.ceil(validations.min ?? 1)))
    refuseLimit('max', 'too_small', 'must leave a number of choices from 1 on')
}

/** Checks whether an answer to the earlier field can make the condition true. */
function canHold({ operator, value }: FieldCondition, earlier: Field): boolean {
  if (operator === 'answered' || operator === 'not_equals') return true
  if (operator === 'contains') {
    const part = String(value).toLowerCase()
    if (earlier.type === 'select')
      return earlier.options.some((option) => option.toLowerCase().includes(part))
    if (earlier.type === 'multi_select') return earlier.options.includes(String(value))
    if (earlier.type === 'date') return /^[\d-]{0,10}$/.test(part)
    const longest = LONGEST_ANSWER[earlier.type]
    return longest !== undefined && lengthOf(part) <= (earlier.validations.maxLength ?? longest)
  }
  // No answer equals null; a box without a check is false, and an earlier condition can hide a required field.
  if (value === null || value === '')
    return earlier.type !== 'boolean' && (!earlier.required || earlier.visibleIf !== null)
  const answer = answerOf(earlier, value)
  return (earlier.type === 'boolean' && answer === false) || problemOf(earlier, answer) === null
}

/** Returns the answer that has the text of this value. */
function answerOf({ type }: Field, value: string | number | boolean): SentValue {
  switch (type) {
    case 'number':
    case 'rating':
      return typeof value === 'boolean' ? value : Number(value)
    case 'boolean':
      return String(value) === 'true' ? true : String(value) === 'false' ? false : String(value)
    case 'multi_select':
      return [String(value)]
    default:
      return String(value)
  }
}
