/** Parts that the schemas of integration payments share. */
import { Type, type StringOptions } from '@sinclair/typebox'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { assumedDefault, documentedLimits, Int } from '../../../http/schemas/schemas.ts'
import { made, valueOf } from '../../../http/shapes/shape.ts'
import { customers } from '../../../state/integration-payments/tables.ts'

/** The schema of an id such as "cus_4kQ2nC8vT1sYx0ZbRj7m". The example is a record of the demo workspace. */
export const Id = (prefix: string) => Type.String({ examples: [`${prefix}demo0001`] })

export const ProjectId = () =>
  Type.String({ description: 'The id of the workspace, which is one project (assumed).', examples: ['demo'] })

/** The field `projectId` of a record. */
export const projectId = () => made(ProjectId(), [], (_none, { id }) => id)

export const Cents = (example: number) => Int({ description: 'In cents.', examples: [example] })

export const Email = (options: StringOptions = {}) =>
  Type.String({ format: 'email', examples: ['ana@example.com'], ...options })

/** The schema of a sent text that must have a visible character. */
export const filledValue = <Of extends SQLiteColumn>(
  column: Of,
  example: string,
  options: StringOptions = {},
) => valueOf(column, { 'x-wording': 'must not be blank', examples: [example], ...options })

/** The display data of a card. */
export const cardFields = {
  cardLast4: valueOf(customers.cardLast4, { 'x-wording': 'must be four digits', examples: ['4242'] }),
  cardBrand: filledValue(customers.cardBrand, 'network_1', documentedLimits('maxLength')),
  cardBin: valueOf(customers.cardBin, {
    ...documentedLimits('pattern'),
    'x-wording': 'must be 6 to 8 digits',
    examples: ['424242'],
  }),
  cardExp: valueOf(customers.cardExp, {
    ...documentedLimits('pattern'),
    'x-wording': 'must be a month as MMYY, such as 1229',
    examples: ['1229'],
  }),
}

const LARGEST_OFFSET = 1_000_000_000

/** The query of a page: at most `lim` records after the first `off`. */
export const pageQuery = {
  lim: Type.Integer({ minimum: 1, maximum: 100, default: 10, ...documentedLimits('maximum') }),
  off: Type.Integer({ minimum: 0, maximum: LARGEST_OFFSET, default: 0 }),
}

/** The query of a page for lists whose limits the specification does not show: those of payment links. */
export const assumedPageQuery = {
  lim: Type.Integer({ minimum: 1, maximum: 100, ...assumedDefault(10) }),
  off: Type.Integer({ minimum: 0, maximum: LARGEST_OFFSET, ...assumedDefault(0) }),
}
