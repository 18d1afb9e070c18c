/**
 * How the lists of an interface go on, as data: which parameters ask for a page, and where in an answer it stands. The
 * laws that hold for every list read its pages by this, so that a further list is under them as it is.
 */

/** Where something stands in an answer: "pagination.nextCursor". `*` is the one list in an object, whatever its name. */
type Place = string

interface OfEveryPage {
  /** Where the records are. */
  readonly items: Place
  /** The parameter that says how many of them are wanted at most. */
  readonly limit: string
  /** The parameters of the order, in lists that have a choice. */
  readonly sort: string
  readonly order: string
}

/** A page names what the next one is asked for with. */
export interface CursorPaging extends OfEveryPage {
  readonly kind: 'cursor'
  readonly cursor: string
  /** null on the last page. */
  readonly next: Place
  /** Whether there is another page. */
  readonly hasMore: Place
}

/** Pages have numbers, from 1. */
export interface NumberedPaging extends OfEveryPage {
  readonly kind: 'numbered'
  readonly page: string
  /** The number of the page, as the answer tells it. */
  readonly at: Place
  /** How many records there are on all pages. */
  readonly total: Place
  /** How many pages there are, where the answer tells it. */
  readonly pages?: Place
}

/** A page begins after so many records. */
export interface OffsetPaging extends OfEveryPage {
  readonly kind: 'offset'
  readonly offset: string
  /** How many records there are in all, where the answer tells it. */
  readonly total?: Place
}

/** Several records in one answer, which are no page of a list. */
export interface Unpaged {
  readonly kind: 'unpaged'
  readonly why: string
}

/** Pages of what is no record of a workspace, but the same for all of them: by its own tests, and not by the laws of lists. */
export interface FixedPages {
  readonly kind: 'fixed'
  readonly why: string
}

export type Paged = CursorPaging | NumberedPaging | OffsetPaging

export type Paging = Paged | Unpaged | FixedPages

const ORDER = { sort: 'sort', order: 'order' }

type Told<Of extends Paged> = Omit<Of, 'kind' | keyof typeof ORDER> & Partial<Pick<Of, keyof typeof ORDER>>

export const cursorPaging = (told: Told<CursorPaging>): CursorPaging => ({
  kind: 'cursor',
  ...ORDER,
  ...told,
})

export const numberedPaging = (told: Told<NumberedPaging>): NumberedPaging => ({
  kind: 'numbered',
  ...ORDER,
  ...told,
})

export const offsetPaging = (told: Told<OffsetPaging>): OffsetPaging => ({
  kind: 'offset',
  ...ORDER,
  ...told,
})

/** For answers that hold several records and have no pages; `why` says on what grounds. */
export const unpaged = (why: string): Unpaged => ({ kind: 'unpaged', why })

/** For lists of what all workspaces have alike; `why` says on what grounds. */
export const fixedPages = (why: string): FixedPages => ({ kind: 'fixed', why })
