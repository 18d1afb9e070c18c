/**
 * The paging of an interface's lists as data: the parameters of a page, and the fields of its response. The
 * tests of all lists use it, so a new list is tested without more code.
 */

/**
 * The path of a field in a response: "pagination.nextCursor". `*` stands for the only list of an object that has
 * one list.
 */
type FieldPath = string

interface OfEveryPage {
  /** The path of the records. */
  readonly items: FieldPath
  /** The parameter for the maximum number of records. */
  readonly limit: string
  /** The parameters of the order, for lists that can be sorted. */
  readonly sort: string
  readonly order: string
}

/** A page contains the cursor of the next page. */
export interface CursorPaging extends OfEveryPage {
  readonly kind: 'cursor'
  readonly cursor: string
  /** null on the last page. */
  readonly next: FieldPath
  /** Whether there is another page. */
  readonly hasMore: FieldPath
}

/** Pages have numbers, from 1. */
export interface NumberedPaging extends OfEveryPage {
  readonly kind: 'numbered'
  readonly page: string
  /** The path of the page number in the response. */
  readonly at: FieldPath
  /** The path of the number of all records. */
  readonly total: FieldPath
  /** The path of the number of pages, if the response has it. */
  readonly pages?: FieldPath
}

/** A page starts at an offset. */
export interface OffsetPaging extends OfEveryPage {
  readonly kind: 'offset'
  readonly offset: string
  /** The path of the number of all records, if the response has it. */
  readonly total?: FieldPath
}

/** A response with several records that is no page of a list. */
export interface Unpaged {
  readonly kind: 'unpaged'
  readonly why: string
  /** Whether it still is a part of a list, of a size that no parameter changes. */
  readonly isPart: boolean
}

/**
 * Pages of data that are the same for all workspaces. They have their own tests, without the general tests of
 * lists.
 */
export interface FixedPages {
  readonly kind: 'fixed'
  readonly why: string
}

export type Paged = CursorPaging | NumberedPaging | OffsetPaging

export type Paging = Paged | Unpaged | FixedPages

const ORDER = { sort: 'sort', order: 'order' }

type Options<Of extends Paged> = Omit<Of, 'kind' | keyof typeof ORDER> & Partial<Pick<Of, keyof typeof ORDER>>

export const cursorPaging = (options: Options<CursorPaging>): CursorPaging => ({
  kind: 'cursor',
  ...ORDER,
  ...options,
})

export const numberedPaging = (options: Options<NumberedPaging>): NumberedPaging => ({
  kind: 'numbered',
  ...ORDER,
  ...options,
})

export const offsetPaging = (options: Options<OffsetPaging>): OffsetPaging => ({
  kind: 'offset',
  ...ORDER,
  ...options,
})

/** For responses with several records and no pages; `why` gives the reason. */
export const unpaged = (why: string): Unpaged => ({ kind: 'unpaged', why, isPart: false })

/** For pages of a size that no parameter changes. */
export const partOfList = (why: string): Unpaged => ({ kind: 'unpaged', why, isPart: true })

/** For lists of data that all workspaces share; `why` gives the reason. */
export const fixedPages = (why: string): FixedPages => ({ kind: 'fixed', why })
