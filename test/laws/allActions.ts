/**
 * Derives all actions in a workspace: each writing operation and each trigger, with the published example and its
 * variants, on records in any state, and the passing of time. Invariant tests check the results.
 */
import type { App } from '../../src/app.ts'
import type { Published } from '../../src/http/definition/definition.ts'
import type { Trigger } from '../../src/http/definition/trigger.ts'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { iso } from '@suite-sim/kit/time/instants'
import type { RecordSet } from '../../src/state/storage/records/records.ts'
import type { Workspace } from '../../src/state/workspace/workspace.ts'
import { freshApp, type Call, type CallOptions, type FreshApp, type Method } from '../support/app.ts'
import {
  exchangeOf,
  everyOperation,
  exampleBody,
  ExampleRefused,
  markFurnished,
  preparedCall,
  requiredQuery,
  takesForm,
  type Exchange,
  type Subject,
} from '../support/examples.ts'
import { PUBLISHED, publishedOf } from '../support/published.ts'
import { INTERFACES } from '../support/subject.ts'
import { demoSnapshot, READ_AT, putSnapshot, snapshotOf, type Snapshot } from './filled.ts'
import { dumpOf, rowsOf } from '../support/records.ts'

type Body = Readonly<Record<string, unknown>>

/** One action: a call, a trigger or a change of the clock. */
export interface Action {
  /** "catalog PUT /products/{id}", "trigger pos.event.emit", "time" */
  readonly title: string
  /** The interface whose records it affects; undefined if it affects the whole workspace. */
  readonly interface?: string
  readonly do: () => Promise<Exchange>
}

/**
 * Unfinished automation changes run before any request, unless they are due later. This adds one that is due later.
 */
const withUnfinishedChange = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  crm: {
    ...snapshot['crm'],
    unfinishedChanges: [
      { id: 'chg_1', executions: 1, cutOff: ['auto_1 loop'], dueAt: '9999-01-01T00:00:00.000Z' },
    ],
    unseenEvents: [
      {
        id: 'unseen_1',
        changeId: 'chg_1',
        triggerEvent: 'contact.deleted',
        triggerData: { contact: { id: 'gone' } },
        chain: ['auto_1'],
        automations: ['auto_2'],
      },
    ],
  },
})

/** The workspaces with the demo data from which others are cloned, by app. */
const templates = new WeakMap<App, Promise<Workspace>>()

async function makeTemplate(fresh: FreshApp): Promise<Workspace> {
  const fixtures = withUnfinishedChange(await demoSnapshot(fresh))
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures } })
  const workspace = fresh.app.workspaces.get((made.body as { workspace: { id: string } }).workspace.id)
  // No job of the demo is due at this time, so that the records stay as they are.
  workspace.clock.set(Date.parse('2020-01-01T00:00:00Z'), true)
  return workspace
}

/** A workspace created with the demo data, to which the examples refer, so that a reset restores these records. */
export async function demoWorkspace(): Promise<FreshApp> {
  const fresh = await freshApp()
  const template = templates.get(fresh.app) ?? makeTemplate(fresh)
  templates.set(fresh.app, template)
  const made = await fresh.call('POST', `/_sim/workspaces/${(await template).id}/clone`)
  const { workspace: created, key } = made.body as { workspace: { id: string }; key: string }
  const workspace = fresh.app.workspaces.get(created.id)
  const [user = fresh.user] = workspace.users()
  const demo: FreshApp = {
    ...fresh,
    workspace,
    user,
    key,
    call: (method, url, options) => fresh.call(method, url, { key, ...options }),
    at:
      <Answered>(name: string): Call<Answered> =>
      (method, path, options) =>
        fresh.at<Answered>(name)(method, path, { key, ...options }),
    setClock: (now, options) => {
      fresh.setClock(now, { workspace, ...options })
    },
    dump: () => dumpOf(fresh.app.records, workspace),
    rows: () => rowsOf(fresh.app.records, workspace),
  }
  markFurnished(demo)
  demo.setClock(READ_AT)
  return demo
}

/** The number of records of each state to try, and of bodies for each record. */
const TRIED = { records: 4, bodies: 8 }

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
}

const DAY_MS = 86_400_000

/** Other values for a field: each enum value, a future time, null, and ids of other records. */
function valuesOf(name: string, { enum: values, type, format }: Schema, at: WorkspaceState): unknown[] {
  if (values) return [...values]
  if (type === 'boolean') return [true, false]
  const types = [type].flat()
  const more = types.includes('null') ? [null] : []
  if (format === 'instant' || format === 'offset-instant') return [iso(at.now + DAY_MS), ...more]
  if (types.includes('string') && REFERENCE.test(name))
    return [...idsOf(at.sections, name.replace(REFERENCE, ''), name), ...more]
  return more
}

const REFERENCE = /(_id|Id|HashUrl|hashUrl)$/

/**
 * The example, the example without optional fields, and the example with each other value of each field, one at a
 * time.
 */
function variantsOf(schema: Schema, example: Body, at: WorkspaceState): Body[] {
  const { properties = {}, required = [] } = schema
  const needed = Object.fromEntries(required.map((name) => [name, example[name]]))
  const others = Object.entries(properties).flatMap(([name, property]) =>
    valuesOf(name, property, at).flatMap((value) => [
      { ...needed, [name]: value },
      { ...example, [name]: value },
    ]),
  )
  const texts = [example, needed, ...others].map((body) => JSON.stringify(body))
  return [...new Set(texts)].map((text) => JSON.parse(text) as Body)
}

/** A few of the bodies, different ones for each record. */
const someOf = <Each>(all: readonly Each[], turn: number): Each[] =>
  all.length <= TRIED.bodies
    ? [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)]
    : Array.from(
        { length: TRIED.bodies },
        (_, index) => all[(turn * TRIED.bodies + index) % all.length] as Each,
      )

/** The records and the time of a workspace. */
interface WorkspaceState {
  readonly sections: Readonly<Record<string, readonly Body[]>>
  readonly now: number
}

/** The records of an interface by the name of their set, including its webhooks. */
function stateOf({ app: { records }, workspace }: FreshApp, name: string): WorkspaceState {
  const rowsOf = (set: RecordSet): readonly Body[] =>
    records.page(workspace, set, 0, MAX_LOOKED_AT).map(({ record }) => record)
  const webhooks = records.sets
    .filter((set) => set.section === 'webhooks')
    .flatMap(rowsOf)
    .filter((each) => each['interface'] === name)
  const own = records.sets.filter((set) => set.section === name).map((set) => [set.name, rowsOf(set)])
  return { sections: { webhooks, ...Object.fromEntries(own) }, now: workspace.now() }
}

/** More than the data has in any set. */
const MAX_LOOKED_AT = 10_000

/** Every path of conversations starts with the account, which follows from the key. */
export const inAccount = (path: string): string => path.replace('{account_id}', '1')

const plain = (text: string): string => text.replaceAll(/[_-]/g, '').toLowerCase()

const ENDING = /(ies|y|(?<=x)es|s)$/

/**
 * Ids of records of a kind, some in each state: the column named like the parameter, or else the id. "payment-links"
 * and "link" both refer to the set links.
 */
function idsOf(sections: WorkspaceState['sections'], kind: string, parameter: string): string[] {
  const stem = plain(kind).replace(ENDING, '')
  const [, rows = []] =
    Object.entries(sections).find(([name]) => {
      const set = plain(name).replace(ENDING, '')
      return stem !== '' && (stem.endsWith(set) || set.endsWith(stem))
    }) ?? []
  const byState = new Map<unknown, Body[]>()
  for (const row of rows) byState.set(row['status'], [...(byState.get(row['status']) ?? []), row])
  // One of each state comes before a second of the same state; the newest records are included as well as the oldest.
  const chosen = Array.from({ length: TRIED.records }, (_, turn) =>
    [...byState.values()].flatMap((each) =>
      turn < each.length ? [each.at(turn % 2 === 0 ? turn / 2 : -(turn + 1) / 2)] : [],
    ),
  ).flat()
  // A record has its number in a column only if it was assigned one; the others are counted.
  const numberOf = (row: Body) => ('number' in row ? (row['number'] ?? 1 + rows.indexOf(row)) : undefined)
  return chosen.flatMap((row) => (row ? [String(numberOf(row) ?? row[parameter] ?? row['id'])] : []))
}

/** Makes the call and returns the request with its response. */
export async function send(
  call: Call,
  method: Method,
  path: string,
  sent: CallOptions = {},
): Promise<Exchange> {
  return exchangeOf(method, path, sent, await call(method, path, sent))
}

/** The writing operations, each as a call with its published example. */
export const everyExample = (fresh: FreshApp): Action[] =>
  everyOperation()
    .filter(({ route }) => route.method !== 'GET')
    .map((subject) => ({
      title: subject.title,
      interface: subject.route.interface,
      do: () => doExample(fresh, subject),
    }))

/**
 * Calls the operation with its example, on a new record if its path names one. If other records exclude the new
 * record, it tries again after a day, and then with existing records.
 */
async function doExample(fresh: FreshApp, subject: Subject): Promise<Exchange> {
  const once = async (): Promise<Exchange | ExampleRefused> => {
    try {
      const { call, method, path, query, sent } = await preparedCall(fresh, subject)
      return await send(call, method, path + query, sent)
    } catch (error) {
      if (error instanceof ExampleRefused) return error
      throw error
    }
  }
  const first = await once()
  if (!(first instanceof ExampleRefused)) return first
  await timeStep(fresh, 1).do()
  const second = await once()
  if (!(second instanceof ExampleRefused)) return second
  let last = second.done
  for (const action of callsOf(fresh, subject)) {
    last = await action.do()
    if (last.status < 300) break
  }
  return last
}

/** Matches "links/{hashUrl}" in a path: the kind of a record and its parameter. */
const RECORD = /([\w-]+)\/\{(\w+)\}/

/** The calls of an operation to try on existing records: with a few bodies for each, or with all. */
export function callsOf(fresh: FreshApp, subject: Subject, round = 0, withAllBodies = false): Action[] {
  const { route, document, title } = subject
  const { method } = route
  const path = inAccount(route.path)
  if (method === 'GET' || takesForm(subject)) return []
  const at = stateOf(fresh, route.interface)
  const example = exampleBody(document, method, route.path)
  const bodies = example ? variantsOf(route.schema.body ?? {}, example, at) : [undefined]
  const chosen = (turn: number) => (withAllBodies ? bodies : someOf(bodies, turn))
  const call = fresh.at(route.interface)
  const callOf = (place: string, body: Body | undefined): Action => ({
    title,
    interface: route.interface,
    do: () => send(call, method, place, body === undefined ? {} : { body }),
  })
  const [, kind, parameter] = RECORD.exec(path) ?? []
  if (kind === undefined || parameter === undefined) {
    return chosen(round).map((body) => callOf(path, body))
  }
  return idsOf(at.sections, kind, parameter).flatMap((id, turn) =>
    chosen(turn + round).map((body) => callOf(withParts(at.sections, path, parameter, id), body)),
  )
}

/** The path with the id, and with ids that match it as the other parameters. */
function withParts(
  sections: WorkspaceState['sections'],
  path: string,
  parameter: string,
  id: string,
): string {
  const valueOf = (row: Body, name: string): unknown =>
    Object.entries(row).find(([column]) => plain(column) === plain(name))?.[1]
  const others = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).slice(1)
  const naming = Object.values(sections)
    .flat()
    .find((row) => valueOf(row, parameter) === id && others.every((name) => valueOf(row, name) !== undefined))
  return others.reduce(
    (filled, name) => filled.replace(`{${name}}`, String(valueOf(naming ?? {}, name))),
    path.replace(/\{\w+\}/, id),
  )
}

export function triggerActions(fresh: FreshApp, { name, body }: Trigger): Action[] {
  const [interfaceName = ''] = name.split('.')
  const at = stateOf(fresh, interfaceName)
  const schema = body as Schema
  const reference = schema.required?.find((field) => REFERENCE.test(field))
  const { [reference ?? '']: _named, ...properties } = schema.properties ?? {}
  const bodies = variantsOf({ ...schema, properties }, exampleOf(body, 'sent') as Body, at)
  const triggerAction = (sent: Body): Action => ({
    title: `trigger ${name}`,
    interface: interfaceName,
    do: () =>
      send(fresh.call, 'POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/${name}`, { body: sent }),
  })
  if (reference === undefined) return bodies.map(triggerAction)
  const isNumber = schema.properties?.[reference]?.type === 'integer'
  // A trigger without a record reference in its field name uses the name of the trigger: an application names a
  // vacancy.
  const [, ofName = ''] = name.split('.')
  const kind = reference.replace(REFERENCE, '') || ofName
  return idsOf(at.sections, kind, reference).flatMap((id, turn) =>
    someOf(bodies, turn).map((sent) => triggerAction({ ...sent, [reference]: isNumber ? Number(id) : id })),
  )
}

/** Sets the clock instead of advancing it, because an advance waits for webhooks that no receiver answers. */
export const timeStep = (fresh: FreshApp, days: number): Action => ({
  title: 'time',
  do: () =>
    send(fresh.call, 'PUT', `/_sim/workspaces/${fresh.workspace.id}/clock`, {
      body: { now: iso(fresh.workspace.now() + days * DAY_MS), frozen: true },
    }),
})

export async function everyTrigger(): Promise<Trigger[]> {
  const wires = await Promise.all(INTERFACES.map((entry) => entry.load()))
  return wires.flatMap(({ triggers = [] }) => triggers)
}

export type ActionListener = (action: Action, done: Exchange) => void | Promise<void>

/**
 * Runs every action and reports each: first what creates records, then what changes them, then the triggers, with
 * time between, and last the removals.
 */
export async function runAllActions(
  fresh: FreshApp,
  seen: ActionListener,
  beforeTimePasses: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const run = async (actions: readonly Action[]): Promise<void> => {
    for (const action of actions) await seen(action, await action.do())
  }
  const triggers = await everyTrigger()
  const removes = ({ route }: Subject): boolean => route.method === 'DELETE'
  const subjects = everyOperation()

  await run(everyExample(fresh).filter(({ title }) => !title.includes(' DELETE ')))
  for (const [round, days] of [0.1, 2, 400, 0.1].entries()) {
    // Alternates the order, so that each of two competing triggers (accept, reject) comes first once.
    const alternating = round % 2 === 0 ? triggers : triggers.toReversed()
    for (const trigger of alternating) await run(triggerActions(fresh, trigger))
    for (const subject of subjects.filter((each) => !removes(each))) await run(callsOf(fresh, subject, round))
    await beforeTimePasses()
    await run([timeStep(fresh, days)])
  }
  await run(everyExample(fresh))
  for (const subject of subjects.filter(removes)) await run(callsOf(fresh, subject))
}

/** Every interface with the names of its events. */
export const publishedEvents = (
  published: readonly Published[] = PUBLISHED,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    published.map(({ definition }) => [definition.name, (definition.events ?? []).map(({ name }) => name)]),
  )

/**
 * The paths of everything that can be read: each list and report, and some records of each kind, with the title of
 * the operation.
 */
export function everyReadablePath(fresh: FreshApp, records: number): Map<string, string> {
  const addresses = new Map<string, string>()
  for (const subject of everyOperation().filter(({ route }) => route.method === 'GET')) {
    const { route } = subject
    const { basePath } = publishedOf(route.interface).definition
    const place = inAccount(route.path)
    const [, kind, parameter] = RECORD.exec(place) ?? []
    const at = stateOf(fresh, route.interface)
    const paths =
      kind === undefined || parameter === undefined
        ? [place]
        : idsOf(at.sections, kind, parameter)
            .slice(0, records)
            .map((id) => withParts(at.sections, place, parameter, id))
    for (const path of paths) addresses.set(basePath + path + requiredQuery(subject), subject.title)
  }
  return addresses
}

/** A client of one workspace, with the id of that workspace. */
export type WorkspaceClient = Pick<FreshApp, 'call'> & { readonly workspace: { readonly id: string } }

/** The responses and their statuses, without ids and signatures that differ between workspaces. */
export async function responsesAt(
  { call, workspace }: WorkspaceClient,
  addresses: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const address of addresses.keys()) {
    const { status, text } = await call('GET', address)
    const common = text
      .replaceAll(workspace.id, 'WORKSPACE')
      .replaceAll(/"account_id":\d+/g, '"account_id":1')
      .replace(/"nextCursor":"[^"]+"/, '"nextCursor":""')
      .replaceAll(/signature=[\w-]+/g, 'signature=')
    answers[address] = `${String(status)} ${common}`
  }
  return answers
}

/** A new workspace with the same records, users and clock, and without cached responses. */
export async function uncachedCopyOf(fresh: FreshApp): Promise<WorkspaceClient> {
  const fixtures = await snapshotOf(fresh, fresh)
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures } })
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  const twin = fresh.app.workspaces.get(workspace.id)
  fresh.setClock(iso(fresh.workspace.now()), { workspace: twin })
  // Due jobs may have run before the clock was set.
  await putSnapshot(fresh, { workspace: twin }, fixtures)
  return { workspace, call: (method, url, options) => fresh.call(method, url, { key, ...options }) }
}

/** A copy made by the clone operation, which is faster and does not test snapshots. */
export async function cloneOf(fresh: FreshApp): Promise<WorkspaceClient> {
  const made = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clone`)
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  return {
    workspace: fresh.app.workspaces.get(workspace.id),
    call: (method, url, options) => fresh.call(method, url, { key, ...options }),
  }
}
