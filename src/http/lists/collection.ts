/** The lists of an interface. A collection says once how its records become JSON text and how they are sorted. */
import type { Filters, List, NumberedList } from '../../state/storage/queries/listing.ts'
import type { ListOrder } from '../definition/operation.ts'
import type { Caller } from '../../state/workspace/keys.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Rendering } from '../shapes/renderings.ts'
import { cursorPage, numberedPage, type CursorQuery, type PageFacts } from './pages.ts'

interface CollectionOptions<Row, Sort extends string, Filter extends string> {
  readonly records: {
    readonly list: NumberedList<Sort, Filter>
    readonly get: (workspace: Workspace, id: string) => Row
  }
  readonly rendering: Rendering<Row>
  readonly sort: NoInfer<Sort>
  readonly order?: 'asc' | 'desc'
  /** Formats the facts of a page. */
  readonly meta: (facts: PageFacts) => object
}

interface PageQuery<Sort extends string> {
  readonly page: number
  readonly per_page: number
  /** In place of the sort of the collection. */
  readonly sort_by?: Sort
  readonly sort_order?: 'asc' | 'desc'
}

export interface Collection<Row, Sort extends string, Filter extends string> {
  /** The order of a page if the caller chooses none. */
  readonly order: ListOrder
  /** Returns a page as JSON text. */
  page(caller: Caller, query: PageQuery<Sort>, filters: Filters<Filter>): string
  /** Returns the record with this id as JSON text, or throws the refusal for an unknown id. */
  get(workspace: Workspace, id: string): string
  /** Returns a record as JSON text. */
  text(workspace: Workspace, row: Row): string
}

export function numberedCollection<Row, Sort extends string, Filter extends string>({
  records,
  rendering,
  sort,
  order = 'desc',
  meta,
}: CollectionOptions<Row, Sort, Filter>): Collection<Row, Sort, Filter> {
  return {
    order: { field: sort, direction: order },
    page(caller, query, filters) {
      const { page, per_page: perPage, sort_by = sort, sort_order = caller.direction ?? order } = query
      const sorted = { page, perPage, sort: sort_by, order: sort_order }
      return numberedPage(records.list, rendering, caller.workspace, sorted, filters, meta)
    },
    get: (workspace, id) => rendering.one(workspace, records.get(workspace, id)),
    text: (workspace, row) => rendering.one(workspace, row),
  }
}

interface CursorOptions<Row, Sort extends string, Filter extends string> {
  /** Identifies the list in cursors. */
  readonly name: string
  readonly list: List<Sort, Filter>
  readonly rendering: Rendering<Row>
}

interface CursorCollection<Row, Sort extends string, Filter extends string> {
  /** Returns a page as JSON text. */
  page(caller: Caller, query: CursorQuery<Sort>, filters: Filters<Filter>): string
  /** Returns a record as JSON text. */
  text(workspace: Workspace, row: Row): string
}

export const cursorCollection = <Row, Sort extends string, Filter extends string>({
  name,
  list,
  rendering,
}: CursorOptions<Row, Sort, Filter>): CursorCollection<Row, Sort, Filter> => ({
  page: ({ workspace }, query, filters) => cursorPage(name, list, rendering, workspace, query, filters),
  text: (workspace, row) => rendering.one(workspace, row),
})
