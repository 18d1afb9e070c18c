/** Checks the conditions, the template and the case of a fault, and its view without credentials. */
import type { Static } from '@sinclair/typebox'
import { templateProblem } from '../../http/faults/templates.ts'
import { HIDDEN, isHidden, isSecret } from '@suite-sim/kit/calls/redaction'
import { refuseField } from '../../state/model/refusal.ts'
import {
  isForOperations,
  type Fault,
  type FaultCondition,
  type TextCondition,
} from '../../state/faults/faults.ts'
import { isPattern, sizeOfPattern } from '@suite-sim/kit/text/patterns'
import { durationMs } from '@suite-sim/kit/time/instants'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { operationsAt } from './faultPaths.ts'
import type { Fault as FaultShape, FaultCreate } from './faultSchemas.ts'

type Wanted = Static<typeof FaultCreate>

/** Fields of faults of calls. */
const CALL_FIELDS = [
  'preset',
  'method',
  'path',
  'status',
  'body',
  'headers',
  'reset',
  'template',
  'case',
  'after',
  'limit',
  'lag',
  'hold',
] as const
const EFFECTS = [
  'preset',
  'status',
  'body',
  'headers',
  'delayMs',
  'reset',
  'limit',
  'lag',
  'hold',
  'delivery',
] as const

/** The fields that a fault with one of these cannot have. */
const CONFLICTS = {
  lag: ['preset', 'status', 'body', 'headers', 'template', 'delayMs', 'reset', 'after', 'limit', 'hold'],
  limit: ['preset', 'status', 'reset', 'after', 'hold'],
  after: ['preset'],
  hold: ['preset'],
} as const satisfies Partial<Record<keyof Wanted, readonly (keyof Wanted)[]>>

/** What `after` can do to an answer. */
const AFTER_EFFECTS = ['status', 'body', 'delayMs', 'reset', 'hold'] as const

/** The bounds of durations. */
const BOUNDS = {
  lag: ['PT0.001S', 'P1D'],
  'limit.per': ['PT1S', 'P1D'],
} as const

/** Maximum instructions of a pattern, which bounds the time to match it. */
const MAX_PATTERN_SIZE = 500

/** Refuses a fault that has no effect, or that combines fields of calls with fields of deliveries. */
export function mustHaveEffect(wanted: Wanted): void {
  // `after: false` says nothing.
  const isSet = (name: keyof Wanted): boolean => wanted[name] !== undefined && wanted[name] !== false
  if (!EFFECTS.some(isSet)) refuseField('status', 'required', `one of ${EFFECTS.join(', ')} is required`)
  mustBeBounded(wanted)
  if (wanted.delivery === undefined) {
    if (isSet('event')) refuseField('event', 'not_allowed', 'event is only allowed with delivery')
    mustCombine(isSet)
    if (wanted.template === true && !isSet('body') && !isSet('headers')) {
      refuseField('template', 'not_allowed', 'template is only allowed with body or headers')
    }
    return
  }
  const misplaced =
    CALL_FIELDS.find(isSet) ??
    (wanted.delivery === 'before_answer' && isSet('delayMs') ? 'delayMs' : undefined) ??
    (['headers', 'query'] as const)
      .filter((name) => wanted.when?.[name] !== undefined)
      .map((name) => `when.${name}`)
      .at(0)
  if (misplaced !== undefined) {
    refuseField(
      misplaced,
      'not_allowed',
      `${misplaced} is not allowed with delivery${misplaced === 'delayMs' ? ' before_answer' : ''}`,
    )
  }
}

function mustCombine(isSet: (name: keyof Wanted) => boolean): void {
  for (const [name, others] of Object.entries(CONFLICTS)) {
    const other = isSet(name as keyof typeof CONFLICTS) && others.find(isSet)
    if (other) refuseField(other, 'not_allowed', `${other} is not allowed with ${name}`)
  }
  if (isSet('after') && !AFTER_EFFECTS.some(isSet)) {
    refuseField('after', 'not_allowed', `after is only allowed with ${AFTER_EFFECTS.join(', ')}`)
  }
}

/** Refuses durations outside their bounds, and random delays whose bounds are the wrong way round. */
function mustBeBounded({ lag, limit, delayMs }: Wanted): void {
  for (const [field, duration] of [
    ['lag', lag],
    ['limit.per', limit?.per],
  ] as const) {
    if (duration === undefined) continue
    const [least, most] = BOUNDS[field]
    const ms = durationMs(duration)
    if (ms === null || ms < (durationMs(least) ?? 0) || ms > (durationMs(most) ?? 0)) {
      refuseField(
        field,
        'invalid',
        `${field} must be an ISO 8601 duration from ${least} to ${most}, such as PT2S`,
      )
    }
  }
  if (typeof delayMs === 'object' && delayMs.min > delayMs.max) {
    refuseField('delayMs', 'invalid', 'delayMs must have a min that is at most its max')
  }
}

/** Refuses a case in a workspace that does not allow any. */
export function mustAllowCase({ cases, id }: Workspace, wanted: Wanted): void {
  if (wanted.case === undefined || cases) return
  refuseField(
    'case',
    'not_allowed',
    `case needs a workspace that allows cases; PATCH /_sim/workspaces/${id} with {"cases":true} allows them`,
  )
}

/** Refuses invalid patterns, and conditions and placeholders that no matching call has. */
export async function mustFitCalls(context: ControlContext, wanted: Wanted): Promise<void> {
  const { when, template, body, headers } = wanted
  for (const part of ['headers', 'query'] as const) {
    for (const [name, condition] of Object.entries(when?.[part] ?? {})) {
      mustBePattern(`when.${part}.${name}.matches`, condition)
    }
  }
  const conditionOfBody = (['body', 'bodyContains'] as const).find((name) => when?.[name] !== undefined)
  if (wanted.delivery !== undefined) return
  const field = (['after', 'limit', 'lag', 'hold'] as const).find((name) =>
    isForOperations({ [name]: wanted[name] }),
  )
  if (conditionOfBody === undefined && template !== true && wanted.case === undefined && !field) return
  const operations = await operationsAt(context, wanted)
  if (field && operations.length === 0) {
    refuseField(field, 'not_allowed', `${field} is only allowed for operations, not for pages and WebSockets`)
  }
  if (field === 'lag' && !operations.some(({ isList }) => isList)) {
    refuseField(
      'lag',
      'not_allowed',
      'lag is only allowed for lists in pages and searches, and no operation here is one',
    )
  }
  if (conditionOfBody !== undefined && operations.every(({ method }) => method === 'GET')) {
    const field = `when.${conditionOfBody}`
    const why = operations.length === 0 ? 'it is only for operations' : 'calls with GET have no body'
    refuseField(field, 'not_allowed', `${field} is not allowed here: ${why}`)
  }
  if (wanted.case !== undefined && operations.length === 0) {
    refuseField(
      'case',
      'not_allowed',
      'case is only allowed for operations: pages and WebSockets choose none',
    )
  }
  if (template !== true) return
  const parameters = operations.flatMap(({ path }) =>
    Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
  )
  for (const [field, value] of Object.entries({ body, headers })) {
    const problem = templateProblem(value, [...new Set(parameters)])
    if (problem !== null) refuseField(field, 'invalid_template', `${field} ${problem}`)
  }
}

function mustBePattern(field: string, condition: TextCondition): void {
  if (typeof condition === 'string' || condition?.matches === undefined) return
  if (!isPattern(condition.matches)) {
    refuseField(field, 'invalid_format', `${field} must be a regular expression in the syntax of RE2`)
  }
  if (sizeOfPattern(condition.matches) > MAX_PATTERN_SIZE) {
    refuseField(
      field,
      'too_large',
      `${field} must be simpler; a repetition such as {1000} counts as its number`,
    )
  }
}

/** Returns a fault without the credentials in its conditions. */
export const faultView = ({ when, ...fault }: Fault): Static<typeof FaultShape> =>
  ({ ...fault, ...(when && { when: conditionView(when) }) }) as Static<typeof FaultShape>

const conditionView = ({ headers, query, body, ...rest }: FaultCondition): FaultCondition => ({
  ...(headers && { headers: withoutCredentials(headers) }),
  ...(query && { query: withoutCredentials(query) }),
  ...(body && { body: withoutSecrets(body) as Record<string, unknown> }),
  ...rest,
})

const withoutCredentials = (
  conditions: Readonly<Record<string, TextCondition>>,
): Record<string, TextCondition> =>
  Object.fromEntries(
    Object.entries(conditions).map(([name, condition]) => [
      name,
      condition !== null && isHidden(name) ? HIDDEN : condition,
    ]),
  )

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecret(name) ? HIDDEN : withoutSecrets(member)]),
  )
}
