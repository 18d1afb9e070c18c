/** The dialect of recruiting. Specification part 1, "Authentication", "Errors", and the last lines of "Recruiting". */
import { Type, type TSchema } from '@sinclair/typebox'
import { COMMON_REFUSALS, FieldProblemShape, snakeCase, type Dialect } from '../../http/definition/dialect.ts'
import type { PageFacts } from '../../http/lists/pages.ts'
import { numberedPaging } from '../../http/definition/paging.ts'
import { Assumed, named } from '../../http/schemas/schemas.ts'

/** Properties of the state that are nested on the wire. */
const NESTED: Readonly<Record<string, string>> = { country: 'location.country', city: 'location.city' }

export const recruitingDialect: Dialect = {
  credential: { kind: 'bearer' },
  documentedStatuses: [400, 401, 403, 404, 422, 429, 500],
  refusals: {
    ...COMMON_REFUSALS,
    invalid: { status: 422, code: 'validation_error' },
    invalid_query: { status: 422, code: 'validation_error' },
  },
  paging: numberedPaging({
    items: 'data',
    limit: 'per_page',
    page: 'page',
    at: 'meta.current_page',
    total: 'meta.total',
    pages: 'meta.total_pages',
    sort: 'sort_by',
    order: 'sort_order',
  }),
  nameOf: (property) => NESTED[property] ?? snakeCase(property),
  body({ code, message, details, facts }) {
    const existing = facts?.['existing_id']
    return {
      error: {
        code: existing === undefined ? code : 'duplicate',
        message,
        ...(details && { details }),
        ...(existing !== undefined && { existing_id: existing }),
      },
    }
  },
  errorSchema: named(
    'Error',
    Assumed(
      'The specification shows the statuses, but no error body.',
      Type.Object({
        error: Type.Object({
          code: Type.String({ examples: ['validation_error'] }),
          message: Type.String({ examples: ['name is required'] }),
          details: Type.Optional(Type.Array(FieldProblemShape)),
          existing_id: Type.Optional(
            Type.String({ description: 'With the code duplicate: the id of the existing record.' }),
          ),
        }),
      }),
    ),
  ),
}

/** {data: [...], meta: {current_page, per_page, total, total_pages}} */
export const PageOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ data: Type.Array(schema), meta: PageMeta })

/** {data: {...}} */
export const One = <Schema extends TSchema>(schema: Schema) => Type.Object({ data: schema })

const PageMeta = named(
  'PageMeta',
  Type.Object({
    current_page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1, maximum: 100 }),
    total: Type.Integer({ minimum: 0 }),
    total_pages: Type.Integer({ minimum: 0, description: '0 if the list is empty.' }),
  }),
)

/** Serializes the position of a page in the list. */
export const pageMeta = ({ page, perPage, pages, total }: PageFacts) => ({
  current_page: page,
  per_page: perPage,
  total,
  total_pages: pages,
})
