/** What a simulator answers at an operation: the samples that decide which drift is possible there. */
import type { Connections } from './connections.ts'
import { UNKNOWN_ID } from './kinds/answers.ts'
import { isObject, nameOf, valuesAt, wordOf } from './json.ts'
import { isSuccess, type Answer } from './kind.ts'
import type { QueryParameter, Readable } from './readable.ts'

/** A call that was made, and its answer. */
export interface Sample {
  readonly path: string
  readonly query: URLSearchParams
  readonly answer: Answer
}

export interface Probed {
  readonly readable: Readable
  readonly all: readonly Readable[]
  /** The answer without optional parameters. */
  readonly plain: Answer
  readonly samples: readonly Sample[]
  /** The statuses of the samples. */
  readonly statuses: readonly number[]
  /** Returns the values at a place in all successful samples. */
  readonly values: (place: string) => readonly unknown[]
}

export type Send = (path: string, query: URLSearchParams) => Promise<Answer>

/** Returns a function that makes calls with a key. */
export const sendingWith =
  (connections: Connections, headers: Readonly<Record<string, string>>): Send =>
  (path, query) =>
    connections.send({ method: 'GET', url: query.size > 0 ? `${path}?${query.toString()}` : path, headers })

/** Calls each operation for records, pages, filters and errors. */
export async function probeAll(all: readonly Readable[], send: Send): Promise<Probed[]> {
  const lists = new Map<string, Answer>()
  const probed: Probed[] = []
  // Lists first: their rows have the ids of the other operations.
  for (const readable of all.toSorted((one, other) => depthOf(one) - depthOf(other))) {
    const found = await probe(readable, all, lists, send)
    lists.set(readable.path, found.plain)
    probed.push(found)
  }
  return probed
}

const depthOf = ({ path }: Readable): number => path.split('{').length

async function probe(
  readable: Readable,
  all: readonly Readable[],
  lists: ReadonlyMap<string, Answer>,
  send: Send,
): Promise<Probed> {
  const samples: Sample[] = []
  const sample = async (path: string, query: URLSearchParams): Promise<Answer> => {
    const answer = await send(path, query)
    samples.push({ path, query, answer })
    return answer
  }
  const paths = pathsOf(readable, all, lists)
  const required = new URLSearchParams(
    readable.query
      .filter(({ isRequired }) => isRequired)
      .map((parameter): [string, string] => [parameter.name, exampleOf(parameter) ?? 'a']),
  )
  let plain = await sample(paths[0] ?? readable.path, required)
  let path = paths[0] ?? readable.path
  for (const other of paths.slice(1)) {
    const answer = await sample(other, required)
    if (answer.raw.length <= plain.raw.length || !isSuccess(answer)) continue
    plain = answer
    path = other
  }
  if (readable.path.includes('{')) await sample(withUnknownId(readable, path), required)
  for (const parameter of readable.query) {
    for (const value of valuesFor(parameter, readable, plain)) {
      await sample(path, new URLSearchParams([...without(required, parameter.name), [parameter.name, value]]))
    }
  }
  return {
    readable,
    all,
    plain,
    samples,
    statuses: [...new Set(samples.map(({ answer }) => answer.status))],
    values: (place) =>
      samples.flatMap(({ answer }) => (isSuccess(answer) ? valuesAt(answer.json, place) : [])),
  }
}

const without = (query: URLSearchParams, name: string): [string, string][] =>
  [...query].filter(([each]) => each !== name)

function exampleOf({ schema }: { readonly schema: Readonly<Record<string, unknown>> }): string | undefined {
  const [example] = (schema['examples'] ?? schema['enum'] ?? []) as unknown[]
  return example === undefined ? undefined : wordOf(example)
}

/** The unknown id keeps the segments behind it: "/invoices/999999999/xml". */
function withUnknownId(readable: Readable, path: string): string {
  const last = readable.path.split('/').findLastIndex((part) => part.startsWith('{'))
  return path
    .split('/')
    .map((part, index) => (index === last ? UNKNOWN_ID : part))
    .join('/')
}

const MAX_RECORDS = 5

/** Full paths with ids: those of the examples, and those of the first rows of the list above. */
function pathsOf(readable: Readable, all: readonly Readable[], lists: ReadonlyMap<string, Answer>): string[] {
  const examples = readable.operation.inPath.reduce(
    (path, parameter) => path.replace(`{${parameter.name}}`, encodeURIComponent(exampleOf(parameter) ?? '1')),
    readable.path,
  )
  const parts = readable.path.split('/')
  const last = parts.findLastIndex((part) => part.startsWith('{'))
  if (last < 0) return [examples]
  const listPath = parts.slice(0, last).join('/')
  const list = all.find(({ path }) => path === listPath)
  const rows = list ? valuesAt(lists.get(listPath)?.json, list.record).slice(0, MAX_RECORDS) : []
  const name = parts[last]?.slice(1, -1) ?? ''
  const ids = rows.map((row) => (isObject(row) ? (row[name] ?? row['id']) : undefined))
  const paths = ids
    .filter((id) => id !== undefined)
    .map((id) => {
      const segments = examples.split('/')
      segments[last] = encodeURIComponent(wordOf(id))
      return segments.join('/')
    })
  return [...new Set([examples, ...paths])]
}

const MAX_VALUES = 6

/** Values that are likely to change the answer: listed ones, those of rows, and wrong ones. */
function valuesFor(parameter: QueryParameter, readable: Readable, plain: Answer): string[] {
  const { role, schema } = parameter
  const [minimum, maximum] = [Number(schema['minimum'] ?? 1), Number(schema['maximum'] ?? 100)]
  if (role === 'size') return ['2', String(maximum), String(maximum + 1), 'abc']
  if (role === 'page') return ['1', '2', '3', String(minimum - 1)]
  if (role === 'offset') return ['1', '20', '-1']
  if (role === 'cursor') {
    const [cursor] = valuesAt(plain.json, '/pagination/nextCursor')
    return [...(typeof cursor === 'string' ? [cursor] : []), 'no such cursor']
  }
  const words = (schema['enum'] ?? []) as unknown[]
  if (words.length > 0) return [...words.map(String), 'no such value']
  if (schema['type'] === 'boolean') return ['true', 'false', 'no such value']
  const wrong = schema['type'] === 'integer' || schema['type'] === 'number' ? ['abc'] : []
  const examples = ((schema['examples'] ?? []) as unknown[]).map(String)
  return [...new Set([...examples, ...valuesOfRows(parameter, readable, plain), ...wrong])]
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]|(s|ids?)$/g, '')

/** Values of fields that are named like the parameter; for a search, words; for days and amounts, those in the middle. */
function valuesOfRows({ name, role, schema }: QueryParameter, readable: Readable, plain: Answer): string[] {
  const found = readable.fields
    .filter(({ place }) => place.startsWith(readable.record))
    .map(({ place }) => ({ place, values: valuesAt(plain.json, place).flat() }))
  if (role === 'search') {
    const words = found
      .flatMap(({ values }) => values)
      .filter((value): value is string => typeof value === 'string' && /^[A-Z][a-z]+ /.test(value))
    return words.map((text) => text.split(' ')[0] ?? '').slice(0, MAX_VALUES)
  }
  if (/(^|_)(from|to|date)$/.test(name))
    return middle(found.flatMap(({ values }) => values).filter(isDayOrTime))
  if (/^(min|max)_/.test(name) || schema['type'] === 'number') {
    return middle(
      found
        .flatMap(({ values }) => values)
        .filter((value) => typeof value === 'number')
        .map(String),
    )
  }
  const wanted = plainName(name)
  const named = found.filter(({ place }) => {
    const own = plainName(nameOf(place))
    const parts = place.slice(readable.record.length).split('/').map(plainName)
    return own === wanted || parts.includes(wanted) || parts.join('') === wanted
  })
  const values = named
    .flatMap(({ values: each }) => each)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
  return [...new Set(values.map(String))].slice(0, MAX_VALUES)
}

const isDayOrTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)

function middle(values: readonly string[]): string[] {
  const sorted = [...new Set(values.map((value) => value.slice(0, 10)))].toSorted()
  return [0.5, 0.25, 0.75]
    .map((share) => sorted[Math.floor(sorted.length * share)])
    .filter((value) => value !== undefined)
}
