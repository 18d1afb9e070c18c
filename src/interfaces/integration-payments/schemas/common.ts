/** Parts that the schemas of integration payments share. */
import { Type, type StringOptions } from '@sinclair/typebox'
import { Int } from '../../../http/schemas/schemas.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'

/** The schema of an id such as "cus_4kQ2nC8vT1sYx0ZbRj7m". The example is a record of the demo workspace. */
export const Id = (prefix: string) => Type.String({ examples: [`${prefix}demo0001`] })

export const ProjectId = () =>
  Type.String({ description: 'The id of the workspace, which is one project (assumed).', examples: ['demo'] })

export const Cents = (example: number) => Int({ description: 'In cents.', examples: [example] })

export const Email = (options: StringOptions = {}) =>
  Type.String({ format: 'email', examples: ['ana@example.com'], ...options })

/** The display data of a card. */
export const cardFields = {
  cardLast4: Type.String({
    pattern: '^\\d{4}$',
    'x-wording': 'must be four digits',
    examples: ['4242'],
  }),
  cardBrand: Text(40, 'network_1'),
  cardBin: Type.String({
    pattern: '^\\d{6,8}$',
    'x-wording': 'must be 6 to 8 digits',
    examples: ['424242'],
  }),
  cardExp: Type.String({
    pattern: '^(0[1-9]|1[0-2])\\d{2}$',
    'x-wording': 'must be a month as MMYY, such as 1229',
    examples: ['1229'],
  }),
}
