/** Pages of lists as JSON text, with cursors or with page numbers. */
import type { Filters, List, NumberedList } from '../../state/storage/queries/listing.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { cursors, type Cursors } from './cursors.ts'
import type { Rendering } from '../shapes/renderings.ts'

export interface CursorQuery<Sort extends string> {
  readonly cursor?: string
  readonly limit: number
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

const cursorsByDatabase = new WeakMap<object, Cursors>()

function cursorsOf({ database, secret }: Workspace): Cursors {
  let found = cursorsByDatabase.get(database)
  if (!found) cursorsByDatabase.set(database, (found = cursors(secret)))
  return found
}

/**
 * Returns `{data, pagination: {nextCursor, hasMore}}`. `name` identifies the list, so that a cursor works for
 * one list only.
 */
export function cursorPage<Row, Sort extends string, Filter extends string>(
  name: string,
  list: List<Sort, Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  query: CursorQuery<Sort>,
  filters: Filters<Filter>,
): string {
  const { sort, order, limit, cursor = '' } = query
  const scope = JSON.stringify([workspace.id, name, sort, order, filters])
  // Clients that keep the cursor in a variable send an empty one for the first page.
  const after = cursor === '' ? null : cursorsOf(workspace).open(cursor, scope)
  const selection = { sort, order, limit, filters, after }
  const { rows, next } = list.read(workspace, selection, rendering.select)
  const nextCursor = next === null ? 'null' : `"${cursorsOf(workspace).seal(next, scope)}"`
  return `{"data":[${rendering.join(workspace, rows)}],"pagination":{"nextCursor":${nextCursor},"hasMore":${String(next !== null)}}}`
}

export interface NumberedPageQuery<Sort extends string> {
  /** From 1. */
  readonly page: number
  readonly perPage: number
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

/** The facts for the `meta` of a page. */
export interface PageFacts {
  readonly page: number
  readonly perPage: number
  readonly total: number
  /** 0 if the list is empty. */
  readonly pages: number
}

const factsOf = (page: number, perPage: number, total: number): PageFacts => ({
  page,
  perPage,
  total,
  pages: Math.ceil(total / perPage),
})

/** Returns a page of a list that is in memory. */
export function pageOf<Item>(
  all: readonly Item[],
  page: number,
  perPage: number,
): { readonly items: readonly Item[]; readonly facts: PageFacts } {
  const start = (page - 1) * perPage
  return { items: all.slice(start, start + perPage), facts: factsOf(page, perPage, all.length) }
}

/** Returns `{data, meta}`; a page beyond the end is empty. `meta` formats the facts for the interface. */
export function numberedPage<Row, Sort extends string, Filter extends string>(
  list: NumberedList<Sort, Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  { page, perPage, sort, order }: NumberedPageQuery<Sort>,
  filters: Filters<Filter>,
  meta: (facts: PageFacts) => object,
): string {
  const selection = { sort, order, limit: perPage, offset: (page - 1) * perPage, filters }
  const { rows, total } = list.read(workspace, selection, rendering.select)
  const facts = meta(factsOf(page, perPage, total))
  return `{"data":[${rendering.join(workspace, rows)}],"meta":${JSON.stringify(facts)}}`
}
