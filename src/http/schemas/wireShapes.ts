/** Pieces of wire shapes that several interfaces share. */
import { Type, type SchemaOptions, type StringOptions, type TSchema } from '@sinclair/typebox'
import { MAX_ID_LENGTH } from '../../state/storage/shapes.ts'
import type { PageFacts } from '../lists/pages.ts'
import type { Bound } from './limits.ts'
import { Assumed, assumedDefault, documentedLimits, named } from './schemas.ts'

/** Larger than any real list, and small enough for exact offsets. */
const LAST_PAGE = 1_000_000_000

/** What the specification shows of the parameters of a page. */
interface ShownPage {
  /** The bounds of the page size. */
  readonly sizes: readonly Bound[]
  /** Whether it shows that the first page is the default. */
  readonly first: boolean
}

/** Returns the query parameters of a numbered page with this default size. */
export const pageQueryOf = (perPage: number, shown: ShownPage) => ({
  page: Type.Integer({
    minimum: 1,
    maximum: LAST_PAGE,
    ...(shown.first ? { default: 1 } : assumedDefault(1)),
  }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: perPage,
    ...documentedLimits(...shown.sizes),
  }),
})

/** The pages of specification part 1, "Limits". */
export const pageQuery = pageQueryOf(25, { sizes: ['minimum', 'maximum'], first: false })

/** Returns the parameters of a page for a list whose parameters the specification does not show. */
export const assumedPage = (why: string, query: typeof pageQuery): typeof pageQuery => ({
  page: Assumed(why, query.page),
  per_page: Assumed(why, query.per_page),
})

const PageMeta = named(
  'PageMeta',
  Type.Object({
    current_page: Type.Integer({ minimum: 1 }),
    total_pages: Type.Integer({ minimum: 0, description: '0 if the list is empty.' }),
    total_count: Type.Integer({ minimum: 0 }),
  }),
)

/** {data: [...], meta: {current_page, total_pages, total_count}} */
export const PageOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ data: Type.Array(schema), meta: PageMeta })

/** Returns the `meta` of a page. */
export const pageMeta = ({ page, pages, total }: PageFacts) => ({
  current_page: page,
  total_pages: pages,
  total_count: total,
})

/** Returns the id of a record of the demo workspace, so that examples work without changes. */
export const demoId = (prefix: string, number = 1): string =>
  `${prefix}demo${String(number).padStart(16, '0')}`

/** An id such as "vac_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ maxLength: MAX_ID_LENGTH, examples: [demoId(prefix)], ...options })

/** A query parameter with several texts, in one value or in several: `skills=wood,glue` or `skills=wood&skills=glue`. */
export const SeparatedTexts = (maxLength: number, description: string, options: StringOptions = {}) =>
  Type.String({
    maxLength,
    'x-separator': ',',
    description: `Separated by commas, or repeated. ${description}`,
    ...options,
  })

/** Not empty, not blank. */
export const Text = (maxLength: number, example: string, options: StringOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: [example],
    ...options,
  })
