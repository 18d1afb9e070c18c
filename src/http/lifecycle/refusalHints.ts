/**
 * Hints of refused calls: which reading or assumption the refusal rests on. Without them, a caller cannot tell a rule of the
 * specification from a choice of the simulator.
 */
import { readingHint, type ReadingChooser } from '../../state/model/reading.ts'
import type { FieldProblem, Reason, Refusal } from '../../state/model/refusal.ts'
import type { Hint } from '../../state/timeline/causes.ts'
import type { Dialect } from '../definition/dialect.ts'
import type { Operation } from '../definition/operation.ts'
import { shownAt, type Shown } from '../schemas/documentedList.ts'
import type { Bound } from '../schemas/limits.ts'

/** The parts of a call that its refusal can rest on. */
interface RefusedCall {
  readonly dialect: Dialect
  readonly operation: Operation | undefined
  /** Returns a part of the request with its schema. */
  readonly part: (name: 'body' | 'query') => RefusedPart
  /** The workspace, or else the server. */
  readonly place: ReadingChooser
  readonly hasWorkspace: boolean
}

/** The body or the query of a refused call. */
interface RefusedPart {
  readonly schema: object | undefined
  readonly value: unknown
  /** What the specification shows of it; undefined if the interface has no specification. */
  readonly shown: Shown | null | undefined
}

/** Returns the hints of a refusal with its names on the wire. */
export function refusalHints(
  { dialect, operation, part, place, hasWorkspace }: RefusedCall,
  refusal: Refusal,
  status: number,
): Hint[] {
  const { info, reason } = refusal
  // How a server is reached is no matter of the specification.
  if (reason === 'foreign') return []
  const readings = [dialect.refusals[reason].reading, info.reading]
  const assumptions = [
    ...(isListed(dialect, operation, status) ? [] : [`It does not list the status ${String(status)} here.`]),
    ...(info.assumed === undefined ? assumedConflicts(operation, refusal) : [info.assumed]),
    ...(info.details ? fieldAssumptions(refusedPart(part, reason), info.details) : []),
  ]
  return [
    ...readings.flatMap((reading) =>
      reading ? [readingHint(reading, place.reading(reading), hasWorkspace)] : [],
    ),
    ...(assumptions.length > 0 ? [{ code: 'assumed_refusal', message: assumedMessage(assumptions) }] : []),
  ]
}

/** Returns what the operation assumes of its conflicts, if no reading and no move explains the refusal. */
function assumedConflicts(operation: Operation | undefined, { reason, info }: Refusal): string[] {
  const why = operation?.fidelity.why
  if (why === undefined || info.reading || !['conflict', 'wrong_state'].includes(reason)) return []
  return why
    .split(/(?<=\.) /)
    .filter((sentence) => sentence.includes('409'))
    .map((sentence) => sentence.replace(/^Assumed: (.)/, (_all, first: string) => first.toUpperCase()))
}

/** A handler refuses a field of a query like one of a body. */
const refusedPart = (part: RefusedCall['part'], reason: Reason): RefusedPart =>
  reason !== 'invalid_query' && part('body').schema ? part('body') : part('query')

const assumedMessage = (assumptions: readonly string[]): string =>
  `The specification does not fully show this refusal. ${[...new Set(assumptions)].join(' ')}`

/** Checks whether the specification lists a status; true if there is no specification. */
const isListed = (
  { documentedStatuses }: Dialect,
  operation: Operation | undefined,
  status: number,
): boolean =>
  !documentedStatuses ||
  documentedStatuses.includes(status) ||
  operation?.documentedStatuses?.includes(status) === true

type Words = Readonly<Record<string, unknown>>

/** The bounds that a problem of this code breaks. */
const BOUNDS_OF: Readonly<Record<string, readonly Bound[]>> = {
  too_long: ['maxLength', 'x-max-size'],
  too_short: ['minLength'],
  empty: ['minLength'],
  too_many: ['maxItems', 'maxProperties'],
  too_few: ['minItems', 'minProperties'],
  too_small: ['minimum', 'exclusiveMinimum'],
  too_large: ['maximum', 'exclusiveMaximum'],
}

/**
 * The widest readings of documented formats: values that have the format in the words of the specification, although the
 * simulator may refuse them for another reason.
 */
const WIDEST_FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: (text) => text.includes('://') && URL.canParse(text),
  percentage: (text) => /^-?\d+(\.\d+)?%$/.test(text),
  'width x height': (text) => /^\d+x\d+$/.test(text),
  // ISO 8601 also has forms without separators, with weeks, and with days of the year.
  instant: (text) => /^(\d{8}(T\d{2}(\d{2}){0,2}Z?)?|\d{4}-W\d{2}(-\d)?|\d{4}-\d{2,3})$/.test(text),
}

/** A field that was refused. */
interface RefusedField {
  readonly field: string
  readonly code: string
  /** Its schema, as far as it is known. */
  readonly words: Words | undefined
  readonly value: unknown
  readonly shown: Shown | null
}

/** Returns what is assumed of the fields that were refused. */
function fieldAssumptions(part: RefusedPart, problems: readonly FieldProblem[]): string[] {
  const { schema, shown } = part
  if (!schema || shown === undefined) return []
  return problems.flatMap(({ field, code }) => {
    const ownShown = shownAt(shown, field)
    const path = [...schemasTo(schema as Words, field)]
    const label = path.findLast((words) => words['x-fidelity'] === 'assumed')
    if (label) return [`${field}: ${String(label['x-fidelity-why'])}`]
    // A rule of the whole body, or of a part that no schema has, has no place in the list.
    const words = path.length === field.split('.').length + 1 ? path.at(-1) : undefined
    const value = valueAt(part.value, field)
    const rules = [...(shown?.rules ?? []), ...(ownShown?.rules ?? [])]
    if (rules.some((rule) => isRefusalOf(rule, code))) return []
    return assumptionOf({ field: field || 'the body', code, words, value, shown: ownShown }) ?? []
  })
}

/** Checks whether a rule of the list is a refusal with this code: "refuses taken", "refuses CFDI*". */
const isRefusalOf = (rule: string, code: string): boolean =>
  rule === `refuses ${code}` ||
  (rule.startsWith('refuses ') && rule.endsWith('*') && `refuses ${code}`.startsWith(rule.slice(0, -1)))

/** Returns the sentence about a rule that the specification does not show; null if it shows the rule. */
function assumptionOf({ field, code, words, value, shown }: RefusedField): string | null {
  const { rules = [], bounds = [], values = [] } = shown ?? {}
  const has = (...known: readonly string[]): boolean =>
    [...rules, ...bounds].some((rule) => known.includes(rule.split(' ')[0] ?? ''))
  const limits = BOUNDS_OF[code]
  if (limits) return has(...limits) ? null : `It gives no such limit of ${field}.`
  if (code === 'required') return has('required') ? null : `It does not say that ${field} is required.`
  if (code === 'invalid_format') {
    if (!has('format', 'pattern')) return `It gives no such format of ${field}.`
    const hasFormat = rules.some((rule) => WIDEST_FORMS[rule.replace('format ', '')]?.(String(value)))
    return hasFormat ? `It does not show this rule of ${field}.` : null
  }
  if (code === 'invalid_type') {
    const isFraction = typeof value === 'number' && [words?.['type']].flat().includes('integer')
    return isFraction && !has('integer') ? `It does not say that ${field} is an integer.` : null
  }
  if (code === 'not_allowed' && words?.['enum']) {
    const isClosed = values.length > 0 && words['x-assumed-values'] === undefined
    return isClosed ? null : `It does not show all values of ${field}.`
  }
  return `It does not show this rule of ${field}.`
}

/** Yields the schemas on the way to a field, as far as they are known: "items.0.price". */
function* schemasTo(schema: Words, field: string): Generator<Words> {
  let words: Words | undefined = schema
  yield words
  for (const name of field === '' ? [] : field.split('.')) {
    const { properties, items } = words as { properties?: Record<string, Words>; items?: Words }
    const next: Words | undefined = /^\d+$/.test(name)
      ? items
      : properties && Object.hasOwn(properties, name)
        ? properties[name]
        : undefined
    if (!next) return
    yield (words = next)
  }
}

const valueAt = (value: unknown, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>(
      (outer, name) =>
        typeof outer === 'object' && outer !== null && Object.hasOwn(outer, name)
          ? (outer as Words)[name]
          : undefined,
      value,
    )
