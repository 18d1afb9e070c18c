/**
 * Hints of refused calls: which reading or assumption the refusal rests on. Without them, a caller cannot tell a rule of the
 * specification from a choice of the simulator.
 */
import { readingHint, type ReadingChooser } from '../../state/model/reading.ts'
import type { FieldProblem, Refusal } from '../../state/model/refusal.ts'
import type { Hint } from '../../state/timeline/causes.ts'
import type { Dialect } from '../definition/dialect.ts'
import type { RouteSchemas } from '../definition/definition.ts'
import type { Operation } from '../definition/operation.ts'
import type { Bound } from '../schemas/limits.ts'

/** The parts of a call that its refusal can rest on. */
interface RefusedCall {
  readonly dialect: Dialect
  readonly operation: Operation | undefined
  readonly schema: RouteSchemas | undefined
  /** The workspace, or else the server. */
  readonly place: ReadingChooser
  readonly hasWorkspace: boolean
}

/** Returns the hints of a refusal with its names on the wire. */
export function refusalHints(
  { dialect, operation, schema, place, hasWorkspace }: RefusedCall,
  refusal: Refusal,
  status: number,
): Hint[] {
  const { info, reason } = refusal
  const readings = [dialect.refusals[reason].reading, info.reading]
  const assumptions = [
    ...(isListed(dialect, operation, status) ? [] : [`It does not list the status ${String(status)} here.`]),
    ...(info.assumed === undefined ? [] : [info.assumed]),
    ...(schema
      ? fieldAssumptions(reason === 'invalid_query' ? schema.querystring : schema.body, info.details ?? [])
      : []),
  ]
  return [
    ...readings.flatMap((reading) =>
      reading ? [readingHint(reading, place.reading(reading), hasWorkspace)] : [],
    ),
    ...(assumptions.length > 0 ? [{ code: 'assumed_refusal', message: assumedMessage(assumptions) }] : []),
  ]
}

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
  invalid_format: ['pattern'],
}

/** Returns what is assumed of the fields that were refused. */
function fieldAssumptions(schema: object | undefined, problems: readonly FieldProblem[]): string[] {
  if (!schema) return []
  return problems.flatMap(({ field, code }) => {
    const path = [...schemasTo(schema as Words, field)]
    const label = path.findLast((words) => words['x-fidelity'] === 'assumed')
    if (label) return [`${field}: ${String(label['x-fidelity-why'])}`]
    const broken = BOUNDS_OF[code]
    const last = path.at(-1)
    if (!broken || !last) return []
    const documented = (last['x-documented-limits'] ?? []) as readonly Bound[]
    return broken.some((bound) => documented.includes(bound)) ? [] : [`It gives no such limit of ${field}.`]
  })
}

/** Yields the schemas on the way to a field, as far as they are known: "items.0.price". */
function* schemasTo(schema: Words, field: string): Generator<Words> {
  let words: Words | undefined = schema
  for (const name of field.split('.')) {
    yield words
    const { properties, items } = words as { properties?: Record<string, Words>; items?: Words }
    const next: Words | undefined = /^\d+$/.test(name)
      ? items
      : properties && Object.hasOwn(properties, name)
        ? properties[name]
        : undefined
    if (!next) return
    words = next
  }
  yield words
}
