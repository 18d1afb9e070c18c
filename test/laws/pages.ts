/** Reads the pages of any list, as its dialect describes them (src/http/definition/paging.ts). */
import { expect } from 'vitest'
import type { LoadedInterface, MountedRoute, Published } from '../../src/http/definition/definition.ts'
import type { Paged, Paging } from '../../src/http/definition/paging.ts'
import { queryProperties } from '../../src/http/openapi/reasons.ts'
import type { Answer, Call } from '../support/app.ts'

/** A record in a response. */
export type RecordBody = Readonly<Record<string, unknown>>

/** The part of a query parameter's schema that the tests use. */
export interface Parameter {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

/** An operation that returns a page. */
export interface List {
  /** "catalog GET /products" */
  readonly title: string
  readonly definition: LoadedInterface
  readonly route: MountedRoute
  /** All routes of its interface. */
  readonly routes: readonly MountedRoute[]
  readonly paging: Paged
  readonly parameters: Readonly<Record<string, Parameter>>
}

const pagingOf = ({ dialect }: LoadedInterface, { operation }: MountedRoute): Paging | undefined =>
  operation.paging ?? dialect.paging

/** The value at a path of a response, "pagination.nextCursor"; `*` is the only list in an object. */
export function at(value: unknown, place: string): unknown {
  let found = value
  for (const part of place.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = part === '*' ? Object.values(found).find(Array.isArray) : (found as RecordBody)[part]
  }
  return found
}

interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** The schema at the same path of the response schema. */
function schemaAt(schema: Shape, place: string): Shape | undefined {
  let found: Shape | undefined = schema
  for (const part of place.split('.')) {
    const properties: Readonly<Record<string, Shape>> = found?.properties ?? {}
    found = part === '*' ? Object.values(properties).find(({ type }) => type === 'array') : properties[part]
  }
  return found
}

const holdsRecords = ({ type, items }: Shape): boolean => type === 'array' && items?.properties !== undefined

/** True if the response holds several records, at its top or in the one object of its envelope. */
function holdsSeveral(schema: Shape): boolean {
  const top = Object.values(schema.properties ?? {})
  const inEnvelope = schema.properties?.['data']?.properties ?? {}
  return [...top, ...Object.values(inEnvelope)].some(holdsRecords)
}

/** An operation that returns the record that its path names. */
const isOfOneRecord = ({ path }: MountedRoute): boolean => path.endsWith('}')

/** True if the published response of the operation is a page of the dialect. */
function isPage(route: MountedRoute, paging: Paged): boolean {
  const schema = (route.operation.answers[200] ?? {}) as Shape
  const items = schemaAt(schema, paging.items)
  return items !== undefined && holdsRecords(items) && paging.limit in queryProperties(route)
}

/** The GET operations that return several records: the lists, and those that state why they are not paged. */
export function severalsOf(published: readonly Published[]): {
  readonly lists: readonly List[]
  /** Operations that are not paged and do not state why. */
  readonly unexplained: readonly string[]
  /** Operations that state that they are not paged, but are. */
  readonly contradicting: readonly string[]
} {
  const lists: List[] = []
  const unexplained: string[] = []
  const contradicting: string[] = []
  for (const { definition, routes } of published) {
    for (const route of routes) {
      const schema = route.operation.answers[200] as Shape | null | undefined
      if (route.method !== 'GET' || !schema || isOfOneRecord(route) || !holdsSeveral(schema)) continue
      const title = `${definition.name} ${route.method} ${route.path}`
      const paging = pagingOf(definition, route)
      if (paging?.kind === 'fixed') continue
      if (paging?.kind === 'unpaged') {
        const usual = definition.dialect.paging
        if (usual && usual.kind !== 'unpaged' && usual.kind !== 'fixed' && isPage(route, usual))
          contradicting.push(title)
      } else if (paging && isPage(route, paging)) {
        lists.push({ title, definition, route, routes, paging, parameters: queryProperties(route) })
      } else {
        unexplained.push(title)
      }
    }
  }
  return { lists, unexplained, contradicting }
}

/** The query parameters of a list, without those of paging and order. */
export function filtersOf({ paging, parameters }: List): [name: string, parameter: Parameter][] {
  const { limit, sort, order } = paging
  const others = [limit, sort, order, positionParameter(paging)]
  return Object.entries(parameters).filter(([name]) => !others.includes(name))
}

/** The parameter that holds the position of a page. */
export function positionParameter(paging: Paged): string {
  switch (paging.kind) {
    case 'cursor':
      return paging.cursor
    case 'numbered':
      return paging.page
    case 'offset':
      return paging.offset
  }
}

/** The published bounds of an integer parameter. */
export function boundsOf({ parameters }: List, name: string): { min: number; max: number; default: unknown } {
  const { type, minimum, maximum, default: usual } = parameters[name] ?? {}
  if (type !== 'integer' || minimum === undefined || maximum === undefined) {
    throw new Error(`${name} publishes no bounds`)
  }
  return { min: minimum, max: maximum, default: usual }
}

type Query = Readonly<Record<string, string | number>>

const written = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

export interface Page {
  readonly items: readonly RecordBody[]
  /** The query of the next page; null at the end. */
  readonly next: Query | null
  readonly body: unknown
}

/** Reads the pages of a list. */
export class Reader {
  readonly list: List
  readonly path: string
  readonly #call: Call

  /** `call` takes full paths and has a default key; `path` is relative to the interface. */
  constructor(list: List, call: Call, path: string) {
    this.list = list
    this.path = path
    this.#call = call
  }

  /** `query` is the raw query string. */
  ask(query: string, key?: string): Promise<Answer> {
    const url = `${this.list.definition.basePath}${this.path}?${query}`
    return this.#call('GET', url, key === undefined ? {} : { key })
  }

  async page(query: Query = {}, key?: string): Promise<Page> {
    const answer = await this.ask(written(query), key)
    expect(answer.status, `${written(query)}: ${answer.text}`).toBe(200)
    const { body } = answer
    const items = at(body, this.list.paging.items) as readonly RecordBody[]
    return { items, next: this.#next(query, items.length, body), body }
  }

  /** All pages, starting with the one that the query selects. */
  async pages(query: Query = {}, key?: string): Promise<Page[]> {
    const pages: Page[] = []
    let nextQuery: Query | null = query
    while (nextQuery !== null) {
      const page: Page = await this.page(nextQuery, key)
      // A list without a total ends with an incomplete page, which may be empty.
      if (page.items.length === 0 && pages.length > 0 && isWithoutTotal(this.list)) break
      pages.push(page)
      if (pages.length > 1000) throw new Error('the list has no end')
      nextQuery = page.next
    }
    return pages
  }

  async all(query: Query = {}, key?: string): Promise<RecordBody[]> {
    const { paging } = this.list
    const { max } = boundsOf(this.list, paging.limit)
    return (await this.pages({ ...query, [paging.limit]: max }, key)).flatMap(({ items }) => items)
  }

  #next(query: Query, count: number, body: unknown): Query | null {
    const { paging } = this.list
    switch (paging.kind) {
      case 'cursor': {
        const next = at(body, paging.next) as string | null
        expect(at(body, paging.hasMore)).toBe(next !== null)
        return next === null ? null : { ...query, [paging.cursor]: next }
      }
      case 'numbered': {
        const number = Number(query[paging.page] ?? 1)
        const limit = Number(query[paging.limit] ?? this.list.parameters[paging.limit]?.default)
        const total = at(body, paging.total) as number
        const last = Math.ceil(total / limit)
        expect(at(body, paging.at)).toBe(number)
        if (paging.pages !== undefined) expect(at(body, paging.pages)).toBe(last)
        return number < last ? { ...query, [paging.page]: number + 1 } : null
      }
      case 'offset': {
        const reached = Number(query[paging.offset] ?? 0) + count
        const limit = Number(query[paging.limit] ?? this.list.parameters[paging.limit]?.default)
        const total = paging.total === undefined ? Infinity : (at(body, paging.total) as number)
        return count > 0 && reached < total && (paging.total !== undefined || count === limit)
          ? { ...query, [paging.offset]: reached }
          : null
      }
    }
  }
}

const isWithoutTotal = ({ paging }: List): boolean => paging.kind === 'offset' && paging.total === undefined

/** The total of the list, or null if it shows none. */
export function totalOf({ paging }: List, { body }: Page): number | null {
  return paging.kind === 'cursor' || paging.total === undefined ? null : (at(body, paging.total) as number)
}
