/** What a caller may not have noticed: what was ignored, who answered slowly, and on request what is assumed. */
import type { MountedRoute } from '../http/definition.ts'
import { bareName } from '../http/formReading.ts'
import { FORM_TYPE } from '../http/multipart.ts'
import { nearestName } from '../http/nearestName.ts'
import type { Hint } from '../state/causes.ts'
import type { KeptCall, Step, Timeline } from '../state/timeline.ts'
import type { Workspace } from '../state/workspace.ts'
import type { ControlContext } from './context.ts'
import { queryOf } from './timelineViews.ts'

/** Ms beyond which a receiver has not answered "quickly", as the specification asks it to. */
const SLOW_WEBHOOK = 2000

/** Names that one hint lists at most. */
const MAX_NAMES = 20

/** What has followed from a call or step, and from that, in order. */
export function effectsOf(story: Timeline, number: number): Step[] {
  const numbers = new Set([number])
  return story.steps().filter(({ causedBy, number: own }) => {
    const follows = causedBy !== null && numbers.has(causedBy)
    if (follows) numbers.add(own)
    return follows
  })
}

export async function hintsOf(
  context: ControlContext,
  workspace: Workspace,
  call: KeptCall,
  effects: readonly Step[],
): Promise<Hint[]> {
  const route = await routeOf(context, call)
  return [
    ...(call.hints ?? []),
    ...(route ? [...ignoredQuery(route, call), ...bodyHints(route, call)] : []),
    ...unknownHeaders(call),
    ...absentEntities(context, workspace, call),
    ...slowWebhooks(effects),
  ]
}

async function routeOf(
  { published }: ControlContext,
  { interface: of, operation }: KeptCall,
): Promise<MountedRoute | undefined> {
  if (operation === null) return undefined
  const { routes } = await published(of)
  return routes.find((route) => route.operation.id === operation)
}

type Schema = Readonly<Record<string, unknown>>

const propertiesOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  ((schema as Schema | undefined)?.['properties'] as Record<string, Schema> | undefined) ?? {}

function ignoredQuery({ schema, operation }: MountedRoute, { url }: KeptCall): Hint[] {
  const properties = propertiesOf(schema.querystring)
  const aliases = Object.values(properties).flatMap(
    (each) => (each['x-aliases'] as string[] | undefined) ?? [],
  )
  const known = new Set([...Object.keys(properties), ...aliases])
  return Object.keys(queryOf(url))
    .filter((name) => !known.has(name))
    .slice(0, MAX_NAMES)
    .map((name) => ({
      code: 'unknown_query_parameter',
      message: `${operation.id} has no query parameter ${name}; it was ignored.`,
    }))
}

function bodyHints({ schema, operation }: MountedRoute, call: KeptCall): Hint[] {
  const { request, status } = call
  // What was refused was not ignored.
  if (status >= 400 || !schema.body) return []
  const form = isForm(request) ? formOf(schema.body as Schema) : undefined
  if (form) return formHints(operation.id, form, request.body)
  return [...looked(schema.body as Schema, request.body, '')]
    .filter(({ why }) => why === null)
    .slice(0, MAX_NAMES)
    .map(({ field }) => ({
      code: 'unknown_body_field',
      message: `${operation.id} has no field ${field}; it was ignored.`,
    }))
}

const isForm = ({ headers }: KeptCall['request']): boolean =>
  headers['content-type']?.toLowerCase().startsWith(FORM_TYPE) ?? false

/** The schema of the form, where the operation takes one. */
const formOf = (body: Schema): Schema | undefined =>
  (body['x-form'] as Schema | undefined) ?? (body['contentMediaType'] === FORM_TYPE ? body : undefined)

/** The parts of a form that the operation does not ask for, and what it asks for instead. */
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
      message: unusedWords(id, name, value, known),
    }))
}

function unusedWords(id: string, name: string, value: unknown, known: readonly string[]): string {
  const nearest = nearestName(bareName(name), known.map(bareName))
  const advice = nearest === null ? `Its fields are ${known.join(', ')}.` : `Did you mean ${nearest}?`
  const filenames = [value].flat().flatMap((each) => (each as { filename?: string } | null)?.filename ?? [])
  const lost =
    filenames.length === 0
      ? 'it was'
      : filenames.length === 1
        ? `the file ${filenames.join()} was`
        : `the files ${filenames.join(', ')} were`
  return `${id} has no field ${name}; ${lost} ignored. ${advice}`
}

/** The fields that a schema does not know, and those that it knows but the specification does not show. */
function* looked(
  schema: Schema,
  value: unknown,
  path: string,
): Generator<{ field: string; why: string | null }> {
  if (Array.isArray(value)) {
    const [first] = value as unknown[]
    if (schema['items']) yield* looked(schema['items'] as Schema, first, `${path}[]`)
    return
  }
  const known = schema['properties'] as Readonly<Record<string, Schema>> | undefined
  if (typeof value !== 'object' || value === null || !known || isOpen(schema)) return
  for (const [name, held] of Object.entries(value)) {
    const field = path === '' ? name : `${path}.${name}`
    const found = Object.hasOwn(known, name) ? known[name] : undefined
    if (!found) yield { field, why: null }
    else {
      if (found['x-fidelity'] === 'assumed') yield { field, why: String(found['x-fidelity-why']) }
      yield* looked(found, held, field)
    }
  }
}

/** Whether fields beside those that are listed mean something. */
const isOpen = (schema: Schema): boolean =>
  ['patternProperties', 'anyOf', 'oneOf', 'allOf'].some((word) => word in schema) ||
  (typeof schema['additionalProperties'] === 'object' && schema['additionalProperties'] !== null)

/** What the specification leaves open about one operation: the fields that each reason concerns, none for all of it. */
export interface Assumptions {
  readonly operation: string
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * What an accepted call relies on and the specification leaves open. Nearly every call has some, so hints have it on request
 * alone. A reason says what is not shown: often the length or the values of a field that is documented.
 */
export async function assumptionsOf(
  context: ControlContext,
  call: KeptCall,
): Promise<Assumptions | undefined> {
  const route = await routeOf(context, call)
  if (!route || call.status >= 400) return undefined
  const { schema, operation } = route
  const fields = new Map<string, Set<string>>()
  if (operation.fidelity.why !== undefined) fields.set(operation.fidelity.why, new Set())
  if (schema.body) {
    const form = isForm(call.request) ? formOf(schema.body as Schema) : undefined
    for (const { field, why } of looked(form ?? (schema.body as Schema), call.request.body, '')) {
      if (why === null) continue
      const named = fields.get(why) ?? new Set()
      if (named.size < MAX_NAMES) named.add(field)
      fields.set(why, named)
    }
  }
  return fields.size === 0 ? undefined : { operation: operation.id, fields }
}

/** One hint for all that is assumed about an operation. */
export function assumptionHint({ operation, fields }: Assumptions): Hint {
  const reasons = [...fields].map(([why, named]) =>
    named.size === 0 ? why : `${[...named].join(', ')}: ${why}`,
  )
  const message = `The specification leaves part of ${operation} open. ${reasons.join(' ')}`
  return { code: 'assumed_behavior', message }
}

/** The same of several calls of one operation together. */
export function joinedAssumptions(one: Assumptions, other: Assumptions): Assumptions {
  const fields = new Map([...one.fields].map(([why, named]) => [why, new Set(named)]))
  for (const [why, named] of other.fields) {
    fields.set(why, new Set([...(fields.get(why) ?? []), ...named].slice(0, MAX_NAMES)))
  }
  return { operation: one.operation, fields }
}

/** Headers that clients of other services send, in the hope that something follows from them. */
const MEANINGLESS: Readonly<Record<string, string>> = {
  'idempotency-key': 'a call that is repeated is done again',
  'x-idempotency-key': 'a call that is repeated is done again',
  'if-match': 'the last change wins',
  'if-none-match': 'the whole answer is sent each time',
  'if-modified-since': 'the whole answer is sent each time',
  prefer: 'the answer is the same without it',
  'x-http-method-override': 'the method is the one that was sent',
}

const unknownHeaders = ({ request: { headers } }: KeptCall): Hint[] =>
  Object.entries(MEANINGLESS).flatMap(([name, words]) =>
    headers[name] === undefined
      ? []
      : [{ code: 'unknown_header', message: `The specification has no header ${name}: ${words}.` }],
  )

/** The lists of the CRM in which what an activity of the catalog names may stand. */
const ENTITY_LISTS: ReadonlyMap<unknown, string> = new Map([
  ['contact', 'contacts'],
  ['deal', 'deals'],
])

interface NamedEntity {
  readonly entityType?: unknown
  readonly entityId?: unknown
}

/** The catalog keeps what it is told: whether a contact or a deal with that id is there says nobody else. */
function absentEntities(
  { records }: ControlContext,
  workspace: Workspace,
  { interface: of, operation, request: { body }, status }: KeptCall,
): Hint[] {
  const isNaming = of === 'catalog' && (operation === 'createActivity' || operation === 'updateActivity')
  if (!isNaming || status >= 400 || typeof body !== 'object' || body === null) return []
  const { entities = [], ...main } = body as NamedEntity & { readonly entities?: readonly NamedEntity[] }
  return [main, ...entities].flatMap(({ entityType, entityId }) => {
    const list = ENTITY_LISTS.get(entityType)
    const set = records.sets.find(({ section, name }) => section === 'crm' && name === list)
    if (!set || typeof entityId !== 'string' || records.one(workspace, set, entityId)) return []
    const message = `The CRM has no ${String(entityType)} ${entityId}; the activity names it all the same.`
    return [{ code: 'no_such_entity', message }]
  })
}

const slowWebhooks = (effects: readonly Step[]): Hint[] =>
  effects.flatMap(({ kind, title, durationMs = 0 }) =>
    kind === 'delivery' && durationMs > SLOW_WEBHOOK
      ? [
          {
            code: 'slow_webhook',
            message: `A receiver should answer quickly; ${title} after ${String(Math.round(durationMs))} ms.`,
          },
        ]
      : [],
  )
