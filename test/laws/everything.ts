/**
 * Everything that can be done in a workspace, derived: each operation that writes and each trigger, with the published
 * example and its variants, on records of any state, and time that passes. What it does to which record is not known
 * here; laws look at what comes of it.
 */
import type { Published } from '../../src/http/definition.ts'
import type { Trigger } from '../../src/http/trigger.ts'
import { exampleOf } from '../../src/http/examples.ts'
import { iso } from '../../src/state/clock.ts'
import type { RecordSet } from '../../src/state/records.ts'
import { freshApp, type Call, type CallOptions, type FreshApp, type Method } from '../support/app.ts'
import {
  doneOf,
  everyOperation,
  exampleBody,
  ExampleRefused,
  isFurnished,
  preparedCall,
  requiredQuery,
  takesForm,
  type Done,
  type Subject,
} from '../support/examples.ts'
import { PUBLISHED, publishedOf } from '../support/published.ts'
import { INTERFACES } from '../support/subject.ts'
import { demoSnapshot, LOOKED_AT, putSnapshot, snapshotOf, type Snapshot } from './filled.ts'

type Body = Readonly<Record<string, unknown>>

/** Something that is done. */
export interface Deed {
  /** "catalog PUT /products/{id}", "trigger pos.event.emit", "time" */
  readonly title: string
  /** Whose records it is about; of no interface is what concerns the workspace as a whole. */
  readonly interface?: string
  readonly do: () => Promise<Done>
}

/** What automations have not finished is finished before anybody may look, unless it is due later: so one is. */
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

/** A workspace that was made with the demo data, which examples name, so that a reset gives back these. */
export async function furnishedDemo(): Promise<FreshApp> {
  const fresh = await freshApp()
  const fixtures = withUnfinishedChange(await demoSnapshot(fresh))
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures } })
  const { workspace: told, key } = made.body as { workspace: { id: string }; key: string }
  const workspace = fresh.app.workspaces.get(told.id)
  const [user = fresh.user] = workspace.users()
  const furnished: FreshApp = {
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
    dump: () => fresh.app.records.dump(workspace),
  }
  isFurnished(furnished)
  furnished.setClock(LOOKED_AT)
  return furnished
}

/** How many records of each state are tried, and with how many bodies each. */
const TRIED = { records: 4, bodies: 8 }

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
}

const DAY_MS = 86_400_000

/** Values of a field beside its example: each of a few, a time that is yet to come, none, other records. */
function valuesOf(name: string, { enum: values, type, format }: Schema, at: Whereabouts): unknown[] {
  if (values) return [...values]
  if (type === 'boolean') return [true, false]
  const types = [type].flat()
  const more = types.includes('null') ? [null] : []
  if (format === 'instant') return [iso(at.now + DAY_MS), ...more]
  if (types.includes('string') && REFERENCE.test(name))
    return [...idsOf(at.sections, name.replace(REFERENCE, ''), name), ...more]
  return more
}

const REFERENCE = /(_id|Id|HashUrl|hashUrl)$/

/** The example as it is, without what may be left out, and with each other value of a field, one at a time. */
function variantsOf(schema: Schema, example: Body, at: Whereabouts): Body[] {
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

/** Some of the bodies, others for each record. */
const someOf = <Each>(all: readonly Each[], turn: number): Each[] =>
  all.length <= TRIED.bodies
    ? [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)]
    : Array.from(
        { length: TRIED.bodies },
        (_, index) => all[(turn * TRIED.bodies + index) % all.length] as Each,
      )

/** What is there, and when. */
interface Whereabouts {
  readonly sections: Readonly<Record<string, readonly Body[]>>
  readonly now: number
}

/** The records of an interface by the name of their set, those of webhooks as well. */
function whereabouts({ app: { records }, workspace }: FreshApp, name: string): Whereabouts {
  const rowsOf = (set: RecordSet): readonly Body[] =>
    records.page(workspace, set, 0, MAX_LOOKED_AT).map(({ record }) => record)
  const webhooks = records.sets
    .filter((set) => set.section === 'webhooks')
    .flatMap(rowsOf)
    .filter((each) => each['interface'] === name)
  const own = records.sets.filter((set) => set.section === name).map((set) => [set.name, rowsOf(set)])
  return { sections: { webhooks, ...Object.fromEntries(own) }, now: workspace.now() }
}

/** Records of a set; the data has fewer. */
const MAX_LOOKED_AT = 10_000

/** Every path of conversations begins with the account, which is that of the key. */
export const inAccount = (path: string): string => path.replace('{account_id}', '1')

const plain = (text: string): string => text.replaceAll(/[_-]/g, '').toLowerCase()

const ENDING = /(ies|y|(?<=x)es|s)$/

/**
 * What names records of a kind, of each state some: the column that the parameter is called by, else the id.
 * "payment-links" and "link" are of the set links.
 */
function idsOf(sections: Whereabouts['sections'], kind: string, parameter: string): string[] {
  const stem = plain(kind).replace(ENDING, '')
  const [, rows = []] =
    Object.entries(sections).find(([name]) => {
      const set = plain(name).replace(ENDING, '')
      return stem !== '' && (stem.endsWith(set) || set.endsWith(stem))
    }) ?? []
  const byState = new Map<unknown, Body[]>()
  for (const row of rows) byState.set(row['status'], [...(byState.get(row['status']) ?? []), row])
  // One of each state before others of the same, and the last made as well as the first.
  const chosen = Array.from({ length: TRIED.records }, (_, turn) =>
    [...byState.values()].flatMap((each) =>
      turn < each.length ? [each.at(turn % 2 === 0 ? turn / 2 : -(turn + 1) / 2)] : [],
    ),
  ).flat()
  // What is called by a number has it in its record only where it was given one; the others are counted.
  const numberOf = (row: Body) => ('number' in row ? (row['number'] ?? 1 + rows.indexOf(row)) : undefined)
  return chosen.flatMap((row) => (row ? [String(numberOf(row) ?? row[parameter] ?? row['id'])] : []))
}

/** Makes the call, and keeps what was sent beside the answer. */
export async function send(call: Call, method: Method, path: string, sent: CallOptions = {}): Promise<Done> {
  return doneOf(method, path, sent, await call(method, path, sent))
}

/** The operations that write, each with its example as a call of its own. */
export const everyExample = (fresh: FreshApp): Deed[] =>
  everyOperation()
    .filter(({ route }) => route.method !== 'GET')
    .map((subject) => ({
      title: subject.title,
      interface: subject.route.interface,
      do: () => doExample(fresh, subject),
    }))

/**
 * Calls the operation with its example, on a new record where its path names one. If other records exclude the new one, it
 * is tried again after a day, and then one that exists takes its place.
 */
async function doExample(fresh: FreshApp, subject: Subject): Promise<Done> {
  const once = async (): Promise<Done | ExampleRefused> => {
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
  await passing(fresh, 1).do()
  const second = await once()
  if (!(second instanceof ExampleRefused)) return second
  let last = second.done
  for (const deed of attemptsOf(fresh, subject)) {
    last = await deed.do()
    if (last.status < 300) break
  }
  return last
}

/** "links/{hashUrl}" in a path: the kind of a record, and the parameter that names it. */
const RECORD = /([\w-]+)\/\{(\w+)\}/

/** Whatever a person could try with an operation on records that are there. */
export function attemptsOf(fresh: FreshApp, subject: Subject, round = 0): Deed[] {
  const { route, document, title } = subject
  const { method } = route
  const path = inAccount(route.path)
  if (method === 'GET' || takesForm(subject)) return []
  const at = whereabouts(fresh, route.interface)
  const example = exampleBody(document, method, route.path)
  const bodies = example ? variantsOf(route.schema.body ?? {}, example, at) : [undefined]
  const call = fresh.at(route.interface)
  const attempt = (place: string, body: Body | undefined): Deed => ({
    title,
    interface: route.interface,
    do: () => send(call, method, place, body === undefined ? {} : { body }),
  })
  const [, kind, parameter] = RECORD.exec(path) ?? []
  if (kind === undefined || parameter === undefined) {
    return someOf(bodies, round).map((body) => attempt(path, body))
  }
  return idsOf(at.sections, kind, parameter).flatMap((id, turn) =>
    someOf(bodies, turn + round).map((body) => attempt(withParts(at.sections, path, parameter, id), body)),
  )
}

/** The path with the id, and with that of a record which names it in the place of each other parameter. */
function withParts(sections: Whereabouts['sections'], path: string, parameter: string, id: string): string {
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

export function pullsOf(fresh: FreshApp, { name, body }: Trigger): Deed[] {
  const [interfaceName = ''] = name.split('.')
  const at = whereabouts(fresh, interfaceName)
  const schema = body as Schema
  const reference = schema.required?.find((field) => REFERENCE.test(field))
  const { [reference ?? '']: _named, ...properties } = schema.properties ?? {}
  const bodies = variantsOf({ ...schema, properties }, exampleOf(body, 'sent') as Body, at)
  const pull = (sent: Body): Deed => ({
    title: `trigger ${name}`,
    interface: interfaceName,
    do: () =>
      send(fresh.call, 'POST', `/_sim/workspaces/${fresh.workspace.id}/triggers/${name}`, { body: sent }),
  })
  if (reference === undefined) return bodies.map(pull)
  const isNumber = schema.properties?.[reference]?.type === 'integer'
  // What is applied for is a vacancy, though candidates do it.
  const [, ofName = ''] = name.split('.')
  const kind = reference.replace(REFERENCE, '') || ofName
  return idsOf(at.sections, kind, reference).flatMap((id, turn) =>
    someOf(bodies, turn).map((sent) => pull({ ...sent, [reference]: isNumber ? Number(id) : id })),
  )
}

/** Time, set and not advanced, for an advance waits for webhooks, and nobody answers these. */
export const passing = (fresh: FreshApp, days: number): Deed => ({
  title: 'time',
  do: () =>
    send(fresh.call, 'PUT', `/_sim/workspaces/${fresh.workspace.id}/clock`, {
      body: { now: iso(fresh.workspace.now() + days * DAY_MS), frozen: true },
    }),
})

export async function everyTrigger(): Promise<Trigger[]> {
  const wires = await Promise.all(INTERFACES.map((entry) => entry.wire()))
  return wires.flatMap(({ triggers = [] }) => triggers)
}

export type Seen = (deed: Deed, done: Done) => void | Promise<void>

/**
 * Does everything, and tells of each deed when it is done: what makes records first, then what changes them, then what
 * outside actors do, with time between, and what removes records at last.
 */
export async function doEverything(
  fresh: FreshApp,
  seen: Seen,
  beforeTimePasses: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const run = async (deeds: readonly Deed[]): Promise<void> => {
    for (const deed of deeds) await seen(deed, await deed.do())
  }
  const triggers = await everyTrigger()
  const removes = ({ route }: Subject): boolean => route.method === 'DELETE'
  const subjects = everyOperation()

  await run(everyExample(fresh).filter(({ title }) => !title.includes(' DELETE ')))
  for (const [round, days] of [0.1, 2, 400, 0.1].entries()) {
    // Of two that decide the same, such as accept and reject, each is first once.
    const inTurn = round % 2 === 0 ? triggers : triggers.toReversed()
    for (const trigger of inTurn) await run(pullsOf(fresh, trigger))
    for (const subject of subjects.filter((each) => !removes(each)))
      await run(attemptsOf(fresh, subject, round))
    await beforeTimePasses()
    await run([passing(fresh, days)])
  }
  await run(everyExample(fresh))
  for (const subject of subjects.filter(removes)) await run(attemptsOf(fresh, subject))
}

/** Every interface with the name of each of its events. */
export const publishedEvents = (
  published: readonly Published[] = PUBLISHED,
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    published.map(({ definition }) => [definition.name, (definition.events ?? []).map(({ name }) => name)]),
  )

/**
 * The addresses of everything that can be read: each list and report, and some records of each kind. Tells the
 * operation of each.
 */
export function everyAddress(fresh: FreshApp, records: number): Map<string, string> {
  const addresses = new Map<string, string>()
  for (const subject of everyOperation().filter(({ route }) => route.method === 'GET')) {
    const { route } = subject
    const { basePath } = publishedOf(route.interface).definition
    const place = inAccount(route.path)
    const [, kind, parameter] = RECORD.exec(place) ?? []
    const at = whereabouts(fresh, route.interface)
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

/** Somebody who asks: with calls of one workspace, and that workspace's id. */
export type Asker = Pick<FreshApp, 'call'> & { readonly workspace: { readonly id: string } }

/** What is answered there, with its status, but for what names the workspace itself or is sealed for it. */
export async function answersAt(
  { call, workspace }: Asker,
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

/** Another workspace with the same records, users and clock, of which nobody has asked anything yet. */
export async function twinOf(fresh: FreshApp): Promise<Asker> {
  const fixtures = await snapshotOf(fresh, fresh)
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures } })
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  const twin = fresh.app.workspaces.get(workspace.id)
  fresh.setClock(iso(fresh.workspace.now()), { workspace: twin })
  // Until its clock was set, what falls due between now and then may have been done.
  await putSnapshot(fresh, { workspace: twin }, fixtures)
  return { workspace, call: (method, url, options) => fresh.call(method, url, { key, ...options }) }
}

/** The same, made by a clone, which is quicker and says nothing of snapshots. */
export async function cloneOf(fresh: FreshApp): Promise<Asker> {
  const made = await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clone`)
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  return {
    workspace: fresh.app.workspaces.get(workspace.id),
    call: (method, url, options) => fresh.call(method, url, { key, ...options }),
  }
}
