/** What the specification shows of the requests of an interface, for the hints of refused calls. */
import type { FastifyRequest } from 'fastify'
import { parseSpec, type DocumentedList, type Shown } from './documentedList.ts'

export class DocumentedRequests {
  readonly #basePath: string
  readonly #load: () => string | null
  #list: DocumentedList | null | undefined

  /** `load` reads the list of documented facts, null if there is none, at the first refusal that needs it. */
  constructor(basePath: string, load: () => string | null) {
    this.#basePath = basePath
    this.#load = load
  }

  /**
   * Returns what is shown of a part of the request: null if the specification does not show it, undefined if the
   * interface has no specification.
   */
  of({ routeOptions, method }: FastifyRequest, part: 'body' | 'query'): Shown | null | undefined {
    if (this.#list === undefined) this.#list = JSON.parse(this.#load() ?? 'null') as DocumentedList | null
    if (!this.#list) return undefined
    const path = pathOf(routeOptions.url ?? '', this.#basePath)
    return parseSpec(this.#list.operations[`${method} ${path}`]?.[part], this.#list.records)
  }
}

/** Returns the path of a route relative to the base path, with parameters in braces: "/products/{id}". */
export const pathOf = (url: string, basePath: string): string =>
  url.slice(basePath.length).replace(/:(\w+)/g, '{$1}')
