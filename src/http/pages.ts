/** Pages of a list that goes on from a cursor: `{data, pagination: {nextCursor, hasMore}}`. */
import type { Head, List, ListQuery } from '../state/listing.ts'
import type { Workspace } from '../state/workspaces.ts'
import { cursors, type Cursors } from './cursors.ts'
import { remembered, type Rendering } from './renderings.ts'

export interface CursorQuery<Sort extends string> {
  readonly cursor?: string
  readonly limit: number
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
}

const sealers = new WeakMap<object, Cursors>()

function cursorsOf(workspace: Workspace): Cursors {
  let found = sealers.get(workspace.registry)
  if (!found) sealers.set(workspace.registry, (found = cursors(workspace.registry.secret)))
  return found
}

/** The page as JSON text. `name` tells this list from others, so that no cursor of one opens another. */
export function cursorPage<Row extends Head, Sort extends string, Filter extends string>(
  name: string,
  list: List<Sort, Filter>,
  rendering: Rendering<Row>,
  workspace: Workspace,
  query: CursorQuery<Sort>,
  filters: ListQuery<Sort, Filter>['filters'],
): string {
  const { sort, order, limit } = query
  const scope = JSON.stringify([workspace.id, name, sort, order, filters])
  return remembered(workspace, `${scope} ${String(limit)} ${query.cursor ?? ''}`, () => {
    const after = query.cursor === undefined ? null : cursorsOf(workspace).open(query.cursor, scope)
    const page = list(workspace, { sort, order, limit, filters, after })
    const nextCursor = page.next === null ? 'null' : `"${cursorsOf(workspace).seal(page.next, scope)}"`
    const hasMore = String(page.next !== null)
    return `{"data":[${rendering.many(workspace, page.heads)}],"pagination":{"nextCursor":${nextCursor},"hasMore":${hasMore}}}`
  })
}
