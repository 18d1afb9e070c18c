/** Pieces of wire shapes that the records of recruiting share. */
import { Type, type SchemaOptions, type StringOptions } from '@sinclair/typebox'
import { Assumed, Nullable, OneOf, SentEnd, SentInstant } from '../../../http/schemas.ts'
import { Text } from '../../../http/wireShapes.ts'
import { LARGEST_SALARY, LONGEST, MAX_YEARS } from '../../../state/recruiting/limits.ts'
import { WORD_PATTERN } from '../../../state/shapes.ts'
import { MODALITIES, SALARY_PERIODS } from '../../../state/recruiting/tables.ts'

/** The id of a user of the demo workspace. */
export const DEMO_USER = 'demo-user-00000000001'

/** Texts of a list, each not blank. */
export const Texts = (maxItems: number, maxLength: number, example: readonly string[]) =>
  Type.Array(Text(maxLength, example[0] ?? ''), { maxItems, examples: [example] })

/** Skills and tags, which are sought one by one: each of one line and without a comma. */
export const Words = (maxItems: number, example: readonly string[]) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: LONGEST.word,
      pattern: WORD_PATTERN,
      'x-wording': 'must be one line that is not blank and has no comma',
    }),
    { maxItems, examples: [example] },
  )

export const Email = (example: string, options: StringOptions = {}) =>
  Type.String({ format: 'email', maxLength: 254, examples: [example], ...options })

export const Years = (options: object = {}) =>
  Type.Number({ minimum: 0, maximum: MAX_YEARS, examples: [4], ...options })

export const Country = (options: StringOptions = {}) =>
  Type.String({ format: 'iso-3166', examples: ['PA'], ...options })

/** A place as it is sent. */
export const SentLocation = () =>
  Type.Object({
    country: Country(),
    city: Type.Optional(Nullable(Text(LONGEST.city, 'Panama City'))),
  })

/** A place as it is shown. */
export const Location = () =>
  Type.Object({
    country: Nullable(Type.String({ description: 'The name of the country.', examples: ['Panama'] })),
    city: Nullable(Type.String({ examples: ['Panama City'] })),
  })

export const Modality = (options: SchemaOptions = {}) => OneOf(MODALITIES, options)

export const SalaryPeriod = () =>
  Assumed(
    'The specification shows a period and none of its values: as others of the suite are called.',
    OneOf(SALARY_PERIODS, { examples: ['monthly'] }),
  )

export const Money = (example: number) =>
  Type.Number({ minimum: 0, maximum: LARGEST_SALARY, examples: [example] })

/** Filters of a list of candidates that several operations share. */
export const candidateQuery = {
  skills: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Separated by commas; a candidate has all of them, whatever their case (assumed).',
    }),
  ),
  min_experience: Type.Optional(Years({ description: 'In years; who does not say has none.' })),
  location: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'A part of the name of the city, or the country by its name or code (assumed).',
    }),
  ),
}

/** The first and the last moment of what is asked for; both belong to the span. */
export const spanQuery = (what: string) => ({
  from: Type.Optional(
    SentInstant({ maxLength: 40, description: `${what} at this moment or later.`, examples: ['2026-10-01'] }),
  ),
  to: Type.Optional(
    SentEnd({
      maxLength: 40,
      description: `${what} up to this moment, which is part of it.`,
      examples: ['2026-11-30'],
    }),
  ),
})
