/** Parts that the shapes of the catalog share. Specification part 1, "Endpoints", "Limits". */
import { Type, type StringOptions } from '@sinclair/typebox'
import { documentedLimits, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { made } from '../../../http/shapes/shape.ts'
import type { activities, products } from '../../../state/catalog/tables.ts'

// Examples name records of the demo workspace, so that they can be sent unchanged.
export const PRODUCT = 'demo-product-00000001'
export const ACTIVITY = 'demo-activity-0000005'
export const USER = 'demo-user-00000000001'

export const Id = (example: string) =>
  Type.String({ description: 'Unique identifier (nanoid).', examples: [example] })

/** The path parameter id. */
export const IdParameter = (example: string) => Type.Object({ id: Type.String({ examples: [example] }) })

/** The words of a name or title; the specification shows its maximum length. */
export const notBlank = (example: string): StringOptions => ({
  ...documentedLimits('maxLength'),
  'x-wording': 'must not be blank',
  examples: [example],
})

export const ownerName = (
  owner: typeof products.ownerId | typeof activities.ownerId,
  words: StringOptions = {},
) =>
  made(Nullable(Type.String({ ...words, examples: ['Ana Ríos'] })), [owner], ([id], workspace) =>
    id === null ? null : (workspace.user(id)?.name ?? null),
  )

/** Returns these fields, in this order. */
export const pick = <Of extends object, Name extends keyof Of>(fields: Of, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Of, Name>

export const pageQuery = {
  cursor: Type.Optional(
    Type.String({ description: 'pagination.nextCursor of the previous page. Empty for the first page.' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    ...documentedLimits('minimum', 'maximum'),
  }),
}

export const order = OneOf(['asc', 'desc'], { default: 'desc' })
