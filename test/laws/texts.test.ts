/**
 * Records as text have several writers: SQLite for gets and lists, the server for what was just made or changed, and
 * memory. Over the wire none can be told from another: whatever a record holds, each of its texts is the same, and as
 * JSON.stringify would write it.
 */
import { expect, test } from 'vitest'
import type { CallOptions, Method } from '../support/app.ts'
import {
  everyOperation,
  exampleBody,
  inWords,
  takesForm,
  type Done,
  type Subject,
} from '../support/examples.ts'
import { PUBLISHED } from '../support/published.ts'
import { furnishedDemo, passing, send } from './everything.ts'
import { at, boundsOf, Reader, severalsOf, type List, type Shown } from './pages.ts'

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

/** What is easily written in two ways. */
const TEXTS = [
  'a "b" \\ c / \' `',
  Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
  '\u2028\u2029\u007f</script> \ufeff',
  '𝒳 👩‍👩‍👧 é e\u0301',
  '{"a":1}',
]

/** A field that is shorter than one of them is a code, which has to be in some catalog. */
const LONGEST = Math.max(...TEXTS.map((text) => text.length))

const typesOf = ({ type }: Schema): unknown[] => [type].flat()

/** Values that a field may take, and that are at some edge. */
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

/** The lists whose records the interface makes itself. */
const subjects = severalsOf(PUBLISHED).lists.flatMap((list): [string, List, Subject][] => {
  const making = everyOperation().find(
    ({ route }) =>
      route.interface === list.definition.name && route.method === 'POST' && route.path === list.route.path,
  )
  return making && !takesForm(making) ? [[making.title, list, making]] : []
})

/** The object in an answer that has this id, and its text. */
function recordIn(value: unknown, id?: string): Body | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id: own } = value as { id?: unknown }
  if (typeof own === 'string' && (id === undefined || own === id)) return value as Body
  return Object.values(value)
    .map((part) => recordIn(part, id))
    .find((found) => found !== undefined)
}

/** What both show, as text, in their orders. */
function shared(one: Body, other: Body): [string, string] {
  const names = new Set(Object.keys(one).filter((name) => name in other))
  const cut = (record: Body): string =>
    JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name))))
  expect(names.size).toBeGreaterThan(2)
  return [cut(one), cut(other)]
}

/** What is sent in the place of a reference names no record. */
const isReference = (name: string): boolean => /(_id|Id)$/.test(name)

test.each(subjects)('%s answers with the text that gets and lists show', async (_title, list, making) => {
  let fresh = await furnishedDemo()
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

  const call = (method: Method, address: string, options?: CallOptions): Promise<Done> =>
    send(fresh.at(name), method, address, options)

  /** The record as an address shows it, on any page of a list; undefined if it does not show it. */
  const shownAt = async (address: string, id: string): Promise<[Done, Shown | undefined]> => {
    const answer = await call('GET', address)
    expect(answer.text, inWords(answer)).toBe(JSON.stringify(answer.body))
    const found = recordIn(at(answer.body, list.paging.items) ?? answer.body, id)
    if (found || address !== page) return [answer, found]
    const all = await new Reader(list, fresh.call, path).all()
    return [answer, all.find((each) => each['id'] === id)]
  }

  /** That whoever reads the record meets the text that its writer was answered with. */
  const mustBeShown = async (written: Done): Promise<string> => {
    const record = recordIn(written.body)
    if (!record) throw new Error(`${inWords(written)}, which holds no record`)
    const id = String(record['id'])
    expect(written.text, inWords(written)).toBe(JSON.stringify(written.body))
    // Asked three times, because what is asked for again is cached.
    for (let round = 0; round < 3; round += 1) {
      for (const address of [page, ...(ofOne('GET') ? [`${path}/${id}`] : [])]) {
        let [answer, found] = await shownAt(address, id)
        if (!found) {
          await passing(fresh, 1).do()
          ;[answer, found] = await shownAt(address, id)
        }
        if (!found) {
          throw new Error(
            `${inWords(written)}. A day later ${inWords(answer)}, which does not show the record ${id}.`,
          )
        }
        const [one, other] = shared(record, found)
        expect(other, `${inWords(written)}; ${inWords(answer)}`).toBe(one)
      }
    }
    return id
  }

  /**
   * Whether others exclude the record. Of an interface that gives both the same words, a refusal of the body may be one.
   */
  const isExcluded = ({ status, text }: Done): boolean => {
    const { conflict, wrong_state } = list.definition.dialect.refusals
    return [conflict, wrong_state].some((each) => each.status === status && text.includes(each.code))
  }

  /** Creates a record. If others exclude it, it is tried again after a day, and then in a workspace of its own. */
  const create = async (body: Body): Promise<Done> => {
    let made = await call('POST', path, { body })
    if (!isExcluded(made)) return made
    await passing(fresh, 1).do()
    made = await call('POST', path, { body })
    if (!isExcluded(made)) return made
    fresh = await furnishedDemo()
    return call('POST', path, { body })
  }

  let taken = 0
  const refused: string[] = []
  for (const change of [{}, ...changes]) {
    const made = await create({ ...example, ...change })
    if (made.status !== 201) {
      refused.push(inWords(made))
      continue
    }
    taken += 1
    const id = await mustBeShown(made)
    if (updating) {
      const changed = await call(updating.method, `${path}/${id}`, { body: change })
      if (changed.status === 200) await mustBeShown(changed)
    }
    // Makes room for records that this one excludes.
    if (ofOne('DELETE')) await call('DELETE', `${path}/${id}`)
  }
  // The example as it is, and at least half as many changes of it as are refused: fields depend on each other.
  const words = `${String(taken)} of ${String(changes.length + 1)} bodies were taken. Refused:`
  expect(taken, [words, ...refused.slice(0, MAX_SHOWN)].join('\n  ')).toBeGreaterThan(
    (changes.length - 1) / 3,
  )
})

/** Calls in a message. */
const MAX_SHOWN = 20

/** What is left of the path of one record behind that of its list. */
const PARAMETER = /^\/\{\w+\}$/
