/** Hints about a call: ignored input, slow receivers and, on request, assumed behavior. */
import type { MountedRoute } from '../../http/definition/definition.ts'
import { CALLER_HEADER, CALLER_RULE } from '@suite-sim/kit/calls/callerName'
import { bareName } from '../../http/uploads/formReading.ts'
import { FORM_TYPE } from '../../http/uploads/multipart.ts'
import { unknownFields, walkFields } from '../../http/schemas/walkFields.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import type { Hint } from '../../state/timeline/causes.ts'
import type { Timeline } from '../../state/timeline/timeline.ts'
import { timelineOf } from '../../state/timeline/timelines.ts'
import type { CallRecord, Step } from '../../state/timeline/timelineShapes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { ControlContext } from '../shared/context.ts'
import { usualName } from '../shared/usualNames.ts'
import { offsetHints } from '../shared/offsetHints.ts'
import { queryOf } from './timelineViews.ts'

/** Milliseconds after which a receiver counts as slow. The specification says that it "should respond quickly". */
const SLOW_WEBHOOK = 2000

/** The maximum number of names in one hint. */
const MAX_NAMES = 20

/** Returns the direct and indirect effects of a call or step, in order. */
export function effectsOf(timeline: Timeline, number: number): Step[] {
  const numbers = new Set([number])
  return timeline.steps().filter(({ causedBy, number: own }) => {
    const isEffect = causedBy !== null && numbers.has(causedBy)
    if (isEffect) numbers.add(own)
    return isEffect
  })
}

/** Returns a function that returns the hints of a call of this workspace. */
export function hintsIn(
  context: ControlContext,
  workspace: Workspace,
): (call: CallRecord) => Promise<readonly Hint[]> {
  const slow = slowWebhooks(timelineOf(workspace).steps())
  return async (call) => [
    ...(await ownHintsOf(context, call, workspace)),
    ...absentEntities(context, workspace, call),
    ...(slow.get(call.number) ?? []),
  ]
}

/** The hints that depend only on a call. Lists of calls read them again and again. */
const ownHints = new WeakMap<CallRecord, readonly Hint[]>()

async function ownHintsOf(
  context: ControlContext,
  call: CallRecord,
  { timezone }: Workspace,
): Promise<readonly Hint[]> {
  const known = ownHints.get(call)
  if (known) return known
  const route = await routeOf(context, call)
  const hints = [
    ...(call.hints ?? []),
    ...(route ? [...ignoredQuery(route, call), ...bodyHints(route, call)] : []),
    ...(route ? localTimeHints(route, call, timezone) : []),
    ...unknownHeaders(call),
    ...ignoredCaller(call),
  ]
  ownHints.set(call, hints)
  return hints
}

async function routeOf(
  { published }: ControlContext,
  { interface: of, operation }: CallRecord,
): Promise<MountedRoute | undefined> {
  if (operation === null) return undefined
  const { routes } = await published(of)
  return routes.find((route) => route.operation.id === operation)
}

/** A refused call read no time. */
const localTimeHints = ({ schema }: MountedRoute, { url, status, request }: CallRecord, timezone: string) =>
  status >= 400
    ? []
    : [
        ...offsetHints(schema.querystring, queryOf(url), timezone),
        ...offsetHints(schema.body, request.body, timezone),
      ]

type Schema = Readonly<Record<string, unknown>>

const propertiesOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  ((schema as Schema | undefined)?.['properties'] as Record<string, Schema> | undefined) ?? {}

function ignoredQuery({ schema, operation }: MountedRoute, { url }: CallRecord): Hint[] {
  const properties = propertiesOf(schema.querystring)
  const aliases = Object.values(properties).flatMap(
    (each) => (each['x-aliases'] as string[] | undefined) ?? [],
  )
  const known = new Set([...Object.keys(properties), ...aliases])
  return Object.keys(queryOf(url))
    .filter((name) => !known.has(name))
    .slice(0, MAX_NAMES)
    .map((name) => {
      const meant = usualName(name, [...known])
      const advice = meant === null ? '' : ` Did you mean ${meant}?`
      return {
        code: 'unknown_query_parameter',
        message: `${operation.id} has no query parameter ${name}. It was ignored.${advice}`,
      }
    })
}

function bodyHints({ schema, operation }: MountedRoute, call: CallRecord): Hint[] {
  const { request, status } = call
  if (!schema.body) return []
  const form = isForm(request) ? formOf(schema.body as Schema) : undefined
  // Also of a refused form: a required field may be missing because its part has another name.
  if (form) return formHints(operation.id, form, request.body)
  // A refused call ignored nothing.
  if (status >= 400) return []
  return unknownFields(schema.body, request.body)
    .slice(0, MAX_NAMES)
    .map(({ field }) => ({
      code: 'unknown_body_field',
      message: `${operation.id} has no field ${field}. It was ignored.`,
    }))
}

const isForm = ({ headers }: CallRecord['request']): boolean =>
  headers['content-type']?.toLowerCase().startsWith(FORM_TYPE) ?? false

/** Returns the schema of the form if the operation accepts one. */
const formOf = (body: Schema): Schema | undefined =>
  (body['x-form'] as Schema | undefined) ?? (body['contentMediaType'] === FORM_TYPE ? body : undefined)

/** Returns hints about unknown form parts, with the nearest known name. */
function formHints(id: string, form: Schema, body: unknown): Hint[] {
  if (typeof body !== 'object' || body === null) return []
  const properties = propertiesOf(form)
  const known = Object.keys(properties)
  const names = known.map(bareName)
  return Object.entries(body)
    .filter(([name]) => !names.includes(bareName(name)))
    .slice(0, MAX_NAMES)
    .map(([name, value]) => ({
      code: 'unknown_body_field',
      message: ignoredPartMessage(id, name, value, properties),
    }))
}

/** True if the field is a file or a list of files. */
function isFileField(field: Schema): boolean {
  const { contentMediaType } = (field['items'] ?? field) as Schema
  return contentMediaType !== undefined
}

function ignoredPartMessage(
  id: string,
  name: string,
  value: unknown,
  properties: Readonly<Record<string, Schema>>,
): string {
  const filenames = [value].flat().flatMap((each) => (each as { filename?: string } | null)?.filename ?? [])
  const known = Object.keys(properties)
  const fileFields = known.filter((each) => isFileField(properties[each] ?? {}))
  // If the operation has one file field, every file is meant for it, under any name.
  const [fileField] = filenames.length > 0 && fileFields.length === 1 ? fileFields : []
  const nearest = fileField ?? nearestName(bareName(name), known.map(bareName))
  const advice =
    nearest === null ? `Its fields are ${known.join(', ')}.` : `Did you mean ${bareName(nearest)}?`
  const ignored =
    filenames.length === 0
      ? 'It was'
      : filenames.length === 1
        ? `The file ${filenames.join()} was`
        : `The files ${filenames.join(', ')} were`
  return `${id} has no field ${name}. ${ignored} ignored. ${advice}`
}

/** Assumed behavior of one operation: the fields of each reason. An empty set means the whole operation. */
export interface Assumptions {
  readonly operation: string
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Returns the assumptions that an accepted call relies on. Almost every call has some, so hints include them only on
 * request. A documented field can be listed too, if its length or its values are assumed.
 */
export async function assumptionsOf(
  context: ControlContext,
  call: CallRecord,
): Promise<Assumptions | undefined> {
  const route = await routeOf(context, call)
  if (!route || call.status >= 400) return undefined
  const { schema, operation } = route
  const fields = new Map<string, Set<string>>()
  if (operation.fidelity.why !== undefined) fields.set(operation.fidelity.why, new Set())
  if (schema.body) {
    const form = isForm(call.request) ? formOf(schema.body as Schema) : undefined
    for (const { field, why } of walkFields(form ?? (schema.body as Schema), call.request.body, '')) {
      if (why === null) continue
      const named = fields.get(why) ?? new Set()
      if (named.size < MAX_NAMES) named.add(field)
      fields.set(why, named)
    }
  }
  return fields.size === 0 ? undefined : { operation: operation.id, fields }
}

/** Returns one hint with all assumptions about an operation. */
export function assumptionHint({ operation, fields }: Assumptions): Hint {
  const reasons = [...fields].map(([why, named]) =>
    named.size === 0 ? why : `${[...named].join(', ')}: ${why}`,
  )
  const message = `The specification does not fully define ${operation}. ${reasons.join(' ')}`
  return { code: 'assumed_behavior', message }
}

/** Merges the assumptions of two calls of one operation. */
export function mergeAssumptions(one: Assumptions, other: Assumptions): Assumptions {
  const fields = new Map([...one.fields].map(([why, named]) => [why, new Set(named)]))
  for (const [why, named] of other.fields) {
    fields.set(why, new Set([...(fields.get(why) ?? []), ...named].slice(0, MAX_NAMES)))
  }
  return { operation: one.operation, fields }
}

/** Headers that other services support and this suite ignores, with the consequence. */
const IGNORED_HEADERS: Readonly<Record<string, string>> = {
  'idempotency-key': 'a repeated call runs again',
  'x-idempotency-key': 'a repeated call runs again',
  'if-match': 'the last change wins',
  'if-none-match': 'each response has the full body',
  'if-modified-since': 'each response has the full body',
  prefer: 'the response is the same without it',
  'x-http-method-override': 'the method of the request applies',
}

const unknownHeaders = ({ request: { headers } }: CallRecord): Hint[] =>
  Object.entries(IGNORED_HEADERS).flatMap(([name, consequence]) =>
    headers[name] === undefined
      ? []
      : [{ code: 'unknown_header', message: `The specification has no header ${name}: ${consequence}.` }],
  )

/** Returns a hint about an X-Sim-Caller that cannot be recorded. */
export function ignoredCaller({ request: { headers }, caller }: CallRecord): Hint[] {
  if (headers[CALLER_HEADER] === undefined || caller !== undefined) return []
  return [{ code: 'caller_ignored', message: `X-Sim-Caller must be ${CALLER_RULE}. It was ignored.` }]
}

/** The CRM lists that catalog activities can refer to, by entity type. */
const ENTITY_LISTS: ReadonlyMap<unknown, string> = new Map([
  ['contact', 'contacts'],
  ['deal', 'deals'],
])

interface NamedEntity {
  readonly entityType?: unknown
  readonly entityId?: unknown
}

/** Returns hints about contacts and deals that an activity names and the CRM does not have. The catalog does not check. */
function absentEntities(
  { records }: ControlContext,
  workspace: Workspace,
  { interface: of, operation, request: { body }, status }: CallRecord,
): Hint[] {
  const isNaming = of === 'catalog' && (operation === 'createActivity' || operation === 'updateActivity')
  if (!isNaming || status >= 400 || typeof body !== 'object' || body === null) return []
  const { entities = [], ...main } = body as NamedEntity & { readonly entities?: readonly NamedEntity[] }
  return [main, ...entities].flatMap(({ entityType, entityId }) => {
    const list = ENTITY_LISTS.get(entityType)
    const set = records.sets.find(({ section, name }) => section === 'crm' && name === list)
    if (!set || typeof entityId !== 'string' || records.one(workspace, set, entityId)) return []
    const message = `The CRM has no ${String(entityType)} ${entityId}. The activity refers to it anyway.`
    return [{ code: 'no_such_entity', message }]
  })
}

/** Returns hints about slow receivers, by the number of the call or step that caused the first effect. */
function slowWebhooks(steps: readonly Step[]): ReadonlyMap<number, readonly Hint[]> {
  const hints = new Map<number, Hint[]>()
  const roots = new Map<number, number>()
  // A step is younger than its cause.
  for (const { number, causedBy, kind, title, durationMs = 0 } of steps) {
    const root = causedBy === null ? number : (roots.get(causedBy) ?? causedBy)
    roots.set(number, root)
    if (kind !== 'delivery' || durationMs <= SLOW_WEBHOOK) continue
    const message = `Receivers should respond quickly: ${title} after ${String(Math.round(durationMs))} ms.`
    hints.set(root, [...(hints.get(root) ?? []), { code: 'slow_webhook', message }])
  }
  return hints
}
