/**
 * Records as text have several writers: SQLite for gets and lists, the server for what was just made or changed, and
 * memory. Over the wire none can be told from another: whatever a record holds, each of its texts is the same, and as
 * JSON.stringify would write it.
 */
import { expect, test } from 'vitest'
import type { Answer } from '../support/app.ts'
import { everyOperation, exampleBody, takesForm, type Subject } from '../support/examples.ts'
import { PUBLISHED } from '../support/published.ts'
import { furnishedDemo } from './everything.ts'
import { at, boundsOf, severalsOf, type List } from './pages.ts'

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
  const fresh = await furnishedDemo()
  const call = fresh.at(list.definition.name)
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

  /** That whoever reads the record meets the text that its writer was answered with. */
  const mustBeShown = async (written: Answer): Promise<string> => {
    const record = recordIn(written.body)
    if (!record) throw new Error(`${written.text} holds no record`)
    const id = String(record['id'])
    expect(written.text).toBe(JSON.stringify(written.body))
    // Asked three times, for what is asked for again is remembered.
    for (let round = 0; round < 3; round += 1) {
      for (const address of [page, ...(ofOne('GET') ? [`${path}/${id}`] : [])]) {
        const answer = await call('GET', address)
        expect(answer.text).toBe(JSON.stringify(answer.body))
        const found = recordIn(at(answer.body, list.paging.items) ?? answer.body, id)
        if (!found) throw new Error(`${address} does not show ${id}`)
        const [one, other] = shared(record, found)
        expect(other).toBe(one)
      }
    }
    return id
  }

  let taken = 0
  for (const change of [{}, ...changes]) {
    const made = await call('POST', path, { body: { ...example, ...change } })
    if (made.status !== 201) continue
    taken += 1
    const id = await mustBeShown(made)
    if (updating) {
      const changed = await call(updating.method, `${path}/${id}`, { body: change })
      if (changed.status === 200) await mustBeShown(changed)
    }
    // What no two records may share is free again.
    if (ofOne('DELETE')) await call('DELETE', `${path}/${id}`)
  }
  // The example as it is, and at least half as many changes of it as are refused: fields depend on each other.
  expect(taken).toBeGreaterThan((changes.length - 1) / 3)
})

/** What is left of the path of one record behind that of its list. */
const PARAMETER = /^\/\{\w+\}$/
