/**
 * Hints about filters that name a record that does not exist. Such a filter returns an empty list, which
 * looks the same as a list that is empty for another reason.
 */
import type { FastifyRequest } from 'fastify'
import type { Hint } from '../../state/timeline/causes.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'

type Query = Readonly<Record<string, unknown>>

/** The kind of record that a query parameter names. The declaration of a table is one. */
export interface NamedKind {
  /** "screen" */
  readonly noun: string
  /** Returns undefined if the workspace has no such record. */
  readonly find: (workspace: Workspace, name: string) => unknown
  /** Returns the names in a value that may contain several. */
  readonly namesIn?: (value: string) => readonly string[]
}

/** The query parameters of an operation that name other records; a kind may depend on the rest of the query. */
export type NamedRecords = Readonly<Record<string, NamedKind | ((query: Query) => NamedKind | undefined)>>

/**
 * Returns the kind of a text such as a tag, which exists while a record has it; `count` counts these records.
 */
export const usedText = (noun: string, count: (workspace: Workspace, text: string) => number): NamedKind => ({
  noun,
  find: (workspace, text) => (count(workspace, text) > 0 ? text : undefined),
})

/** Returns the same for a text that is a filter of a list, newest first. */
export const filteredText = <Filter extends string>(
  noun: string,
  { list }: { readonly list: (workspace: Workspace, page: FirstBy<Filter>) => { readonly total: number } },
  filter: Filter,
): NamedKind =>
  usedText(noun, (workspace, text) => {
    const filters = { [filter]: text } as Record<Filter, string>
    return list(workspace, { sort: 'created_at', order: 'desc', limit: 1, offset: 0, filters }).total
  })

/** The first record that has a text. */
interface FirstBy<Filter extends string> {
  readonly sort: 'created_at'
  readonly order: 'desc'
  readonly limit: 1
  readonly offset: 0
  readonly filters: Readonly<Record<Filter, string>>
}

export const users: NamedKind = { noun: 'user', find: (workspace, id) => workspace.user(id) }

/** Maximum characters of a response that may be an empty list. For a longer one, no record is looked up. */
const LONGEST_EMPTY = 1000

/**
 * Maximum number of names of one parameter that are looked up, because the search for a text may read all
 * records.
 */
const MAX_LOOKED_UP = 5

/** Maximum characters of a name in a hint. */
const LONGEST_SHOWN = 100

/** Returns a hint for each name in the query that no record of the workspace has. */
export function absentRecords(request: FastifyRequest, workspace: Workspace, payload: unknown): Hint[] {
  const { names } = request.routeOptions.config.operation ?? {}
  if (!names || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return []
  if (payload.length > LONGEST_EMPTY) return []
  const query = request.query as Query
  return Object.entries(names).flatMap(([parameter, named]) => {
    const kind = typeof named === 'function' ? named(query) : named
    const values = [query[parameter] ?? []].flat().map(String)
    if (!kind || values.length === 0) return []
    return values
      .flatMap((value) => kind.namesIn?.(value) ?? [value])
      .slice(0, MAX_LOOKED_UP)
      .filter((name) => kind.find(workspace, name) === undefined)
      .map((name) => ({
        code: 'no_such_record',
        message: `${parameter} names the ${kind.noun} ${shortened(name)}, which does not exist.`,
      }))
  })
}

const shortened = (name: string): string =>
  name.length <= LONGEST_SHOWN ? name : `${name.slice(0, LONGEST_SHOWN)}…`
