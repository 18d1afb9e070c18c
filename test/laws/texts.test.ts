/**
 * JSON has several writers: SQLite for gets and lists, the server for new and changed records, and the cache. All
 * must produce the same bytes as JSON.stringify.
 */
import { expect, test } from 'vitest'
import type { CallOptions, Method } from '../support/app.ts'
import {
  everyOperation,
  exampleBody,
  describeExchange,
  takesForm,
  type Exchange,
  type Subject,
} from '../support/examples.ts'
import { PUBLISHED } from '../support/published.ts'
import { demoWorkspace, timeStep, send } from './allActions.ts'
import { at, boundsOf, Reader, severalsOf, type List, type RecordBody } from './pages.ts'

type Body = Readonly<Record<string, unknown>>

interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: unknown
  readonly format?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly patternProperties?: object
  readonly additionalProperties?: unknown
}

/** Strings that JSON can represent in two ways. */
const TEXTS = [
  'a "b" \\ c / \' `',
  Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
  '\u2028\u2029\u007f</script> \ufeff',
  '𝒳 👩‍👩‍👧 é e\u0301',
  '{"a":1}',
]

/** A field with a shorter limit is a code, which must be in a catalog. */
const LONGEST = Math.max(...TEXTS.map((text) => text.length))

const typesOf = ({ type }: Schema): unknown[] => [type].flat()

/** Boundary values that a field may accept. */
function edgesOf(schema: Schema): unknown[] {
  const types = typesOf(schema)
  const none = types.includes('null') ? [null] : []
  if (schema.enum !== undefined || schema.format !== undefined) return none
  if (types.includes('string') && (schema.pattern === undefined || schema.pattern === '\\S')) {
    if ((schema.maxLength ?? LONGEST) < LONGEST) return none
    return [...TEXTS, ...none]
  }
  if (types.includes('integer') || types.includes('number')) {
    return [schema.minimum, schema.maximum, 0, ...none].filter((value) => value !== undefined)
  }
  if (types.includes('object') && !schema.properties) {
    return [Object.fromEntries(TEXTS.map((text, index) => [text, [text, index / 3, 1e21, -0, null, true]]))]
  }
  return none
}

/** The lists whose records the interface can create. */
const subjects = severalsOf(PUBLISHED).lists.flatMap((list): [string, List, Subject][] => {
  const making = everyOperation().find(
    ({ route }) =>
      route.interface === list.definition.name && route.method === 'POST' && route.path === list.route.path,
  )
  return making && !takesForm(making) ? [[making.title, list, making]] : []
})

/** The object in a response that has this id, and its JSON text. */
function recordIn(value: unknown, id?: string): Body | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id: own } = value as { id?: unknown }
  if (typeof own === 'string' && (id === undefined || own === id)) return value as Body
  return Object.values(value)
    .map((part) => recordIn(part, id))
    .find((found) => found !== undefined)
}

/** The fields that both show, as JSON, each in its own order. */
function shared(one: Body, other: Body): [string, string] {
  const names = new Set(Object.keys(one).filter((name) => name in other))
  const cut = (record: Body): string =>
    JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name))))
  expect(names.size).toBeGreaterThan(2)
  return [cut(one), cut(other)]
}

/** A test value in a reference field would name no record. */
const isReference = (name: string): boolean => /(_id|Id)$/.test(name)

test.each(subjects)('returns the same JSON from %s as from gets and lists', async (_title, list, making) => {
  let fresh = await demoWorkspace()
  const { name } = list.definition
  const { path } = list.route
  const page = `${path}?${list.paging.limit}=${String(boundsOf(list, list.paging.limit).max)}`
  const ofOne = (...methods: string[]) =>
    list.routes.find(
      ({ method, path: of }) =>
        methods.includes(method) && PARAMETER.test(of.slice(path.length)) && of.startsWith(path),
    )
  const updating = ofOne('PUT', 'PATCH')
  const example = exampleBody(making.document, 'POST', path) ?? {}
  const { properties = {} } = (making.route.schema.body ?? {}) as Schema
  const changes = Object.entries(properties)
    .filter(([name]) => !isReference(name))
    .flatMap(([name, schema]) => edgesOf(schema).map((value) => ({ [name]: value })))

  const call = (method: Method, address: string, options?: CallOptions): Promise<Exchange> =>
    send(fresh.at(name), method, address, options)

  /** The record as a path shows it, on any page of a list; undefined if it is not there. */
  const shownAt = async (address: string, id: string): Promise<[Exchange, RecordBody | undefined]> => {
    const answer = await call('GET', address)
    expect(answer.text, describeExchange(answer)).toBe(JSON.stringify(answer.body))
    const found = recordIn(at(answer.body, list.paging.items) ?? answer.body, id)
    if (found || address !== page) return [answer, found]
    const all = await new Reader(list, fresh.call, path).all()
    return [answer, all.find((each) => each['id'] === id)]
  }

  /** Checks that every reader gets the JSON that the writer got. */
  const mustBeShown = async (written: Exchange): Promise<string> => {
    const record = recordIn(written.body)
    if (!record) throw new Error(`${describeExchange(written)}, which holds no record`)
    const id = String(record['id'])
    expect(written.text, describeExchange(written)).toBe(JSON.stringify(written.body))
    // Three requests, because repeated responses are cached.
    for (let round = 0; round < 3; round += 1) {
      for (const address of [page, ...(ofOne('GET') ? [`${path}/${id}`] : [])]) {
        let [answer, found] = await shownAt(address, id)
        if (!found) {
          await timeStep(fresh, 1).do()
          ;[answer, found] = await shownAt(address, id)
        }
        if (!found) {
          throw new Error(
            `${describeExchange(written)}. A day later ${describeExchange(answer)}, which does not show the record ${id}.`,
          )
        }
        const [one, other] = shared(record, found)
        expect(other, `${describeExchange(written)}; ${describeExchange(answer)}`).toBe(one)
      }
    }
    return id
  }

  /** True if other records exclude the record. Some interfaces use the same error for an invalid body. */
  const isExcluded = ({ status, text }: Exchange): boolean => {
    const { conflict, wrong_state } = list.definition.dialect.refusals
    return [conflict, wrong_state].some((each) => each.status === status && text.includes(each.code))
  }

  /** Creates a record. If others exclude it, tries again after a day, and then in a new workspace. */
  const create = async (body: Body): Promise<Exchange> => {
    let made = await call('POST', path, { body })
    if (!isExcluded(made)) return made
    await timeStep(fresh, 1).do()
    made = await call('POST', path, { body })
    if (!isExcluded(made)) return made
    fresh = await demoWorkspace()
    return call('POST', path, { body })
  }

  let taken = 0
  const refused: string[] = []
  for (const change of [{}, ...changes]) {
    const made = await create({ ...example, ...change })
    if (made.status !== 201) {
      refused.push(describeExchange(made))
      continue
    }
    taken += 1
    const id = await mustBeShown(made)
    if (updating) {
      const changed = await call(updating.method, `${path}/${id}`, { body: change })
      if (changed.status === 200) await mustBeShown(changed)
    }
    // Removes the record, because it may exclude later ones.
    if (ofOne('DELETE')) await call('DELETE', `${path}/${id}`)
  }
  // At least half of the changed examples must be accepted. Some are refused because fields depend on each other.
  const words = `${String(taken)} of ${String(changes.length + 1)} bodies were taken. Refused:`
  expect(taken, [words, ...refused.slice(0, MAX_SHOWN)].join('\n  ')).toBeGreaterThan(
    (changes.length - 1) / 3,
  )
})

/** The maximum number of calls in a message. */
const MAX_SHOWN = 20

/** Matches the rest of the path of a record after the path of its list. */
const PARAMETER = /^\/\{\w+\}$/
