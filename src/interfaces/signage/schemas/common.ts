/** Pieces of wire shapes that the records of signage share. */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { Assumed } from '../../../http/schemas.ts'

/** Beyond any honest list, and far from where a position in one could not be counted any more. */
const LAST_PAGE = 1_000_000_000

export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: LAST_PAGE, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
}

/** The id of a record of the demo workspace, so that examples can be sent as they stand. */
export const demoId = (prefix: string, number = 1): string =>
  `${prefix}demo${String(number).padStart(16, '0')}`

/** Far more than an id of this interface has. */
const LONGEST_ID = 100

/** An id such as "scr_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ maxLength: LONGEST_ID, examples: [demoId(prefix)], ...options })

/** A name: not empty, not blank. */
export const Text = (maxLength: number, example: string, options: SchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: [example],
    ...options,
  })

export const Name = (example: string) =>
  Assumed('The specification shows no length: at most 200 characters.', Text(200, example))

export const Search = () =>
  Type.Optional(
    Type.String({ maxLength: 200, description: 'Looks into the name, without case and accents (assumed).' }),
  )

/** "1920x1080" */
export const Resolution = (options: SchemaOptions = {}) =>
  Type.String({
    pattern: '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$',
    maxLength: 11,
    'x-wording': 'must be of the form <width>x<height>, such as 1920x1080',
    examples: ['1920x1080'],
    ...options,
  })

/** Seconds, to the millisecond. */
export const seconds = (ms: number): number => ms / 1000
export const inMs = (sent: number): number => Math.round(sent * 1000)
