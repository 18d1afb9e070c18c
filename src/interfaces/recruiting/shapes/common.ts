/** Wire shapes that several recruiting records share. */
import { Type, type SchemaOptions, type StringOptions, type TProperties } from '@sinclair/typebox'
import {
  Assumed,
  assumedValues,
  Nullable,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { SeparatedTexts, Text } from '../../../http/schemas/wireShapes.ts'
import { MAX_SALARY, MAX_LENGTH, MAX_YEARS } from '../../../state/recruiting/limits.ts'
import { countryName } from '../../../state/shared/countries.ts'
import { WORD_PATTERN } from '../../../state/storage/shapes.ts'
import type { Workspace } from '../../../state/workspace/workspace.ts'
import { SALARY_PERIODS } from '../../../state/recruiting/jsonColumns.ts'
import { MODALITIES } from '../../../state/recruiting/tables.ts'
import { MAX_EMAIL_LENGTH } from '../../../state/text/emailAddresses.ts'

/** The id of a user of the demo workspace. */
export const DEMO_USER = 'demo-user-00000000001'

/** Marks each field of an object that the specification shows without its content. */
export const assumedFields = <Of extends TProperties>(why: string, fields: Of): Of =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Assumed(why, schema)])) as Of

/** A list of non-blank strings. */
export const Texts = (maxItems: number, maxLength: number, example: readonly string[]) =>
  Type.Array(Text(maxLength, example[0] ?? ''), { maxItems, examples: [example] })

/** Skills or tags. Each is one line without a comma, because filters separate them by commas. */
export const Words = (maxItems: number, example: readonly string[]) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: MAX_LENGTH.word,
      pattern: WORD_PATTERN,
      'x-wording': 'must be one line with at least one non-blank character and no comma',
    }),
    {
      maxItems,
      description: 'Each is one line without a comma, because filters separate them by commas (assumed).',
      examples: [example],
    },
  )

export const Email = (example: string, options: StringOptions = {}) =>
  Type.String({ format: 'email', maxLength: MAX_EMAIL_LENGTH, examples: [example], ...options })

export const Years = (options: object = {}) =>
  Type.Number({ minimum: 0, maximum: MAX_YEARS, examples: [4], ...options })

export const Country = (options: StringOptions = {}) =>
  Type.String({ format: 'iso-3166', examples: ['PA'], ...options })

/** A location in a request body. */
export const SentLocation = () =>
  Type.Object({
    country: Nullable(Country()),
    city: Type.Optional(Nullable(Text(MAX_LENGTH.city, 'Panama City'))),
  })

/** A location in a response. */
export const Location = () =>
  Type.Object({
    country: Nullable(Type.String({ description: 'The name of the country.', examples: ['Panama'] })),
    city: Nullable(Type.String({ examples: ['Panama City'] })),
  })

export const locationOf = (country: string | null, city: string | null) => ({
  country: country === null ? null : countryName(country),
  city,
})

/** A user in a response. */
export const NamedUser = () =>
  Type.Object({ id: Type.String({ examples: [DEMO_USER] }), name: Nullable(Type.String()) })

export const userView = (id: string, workspace: Workspace) => ({ id, name: workspace.user(id)?.name ?? null })

export const Modality = (options: SchemaOptions = {}) => OneOf(MODALITIES, options)

export const SalaryPeriod = () =>
  OneOf(SALARY_PERIODS, {
    ...assumedValues(
      'The specification shows a period, but no values. The simulator has the usual ones.',
      ...SALARY_PERIODS,
    ),
    examples: ['monthly'],
  })

export const Money = (example: number) =>
  Type.Number({ minimum: 0, maximum: MAX_SALARY, examples: [example] })

/** Filters of a list of candidates that several operations share. */
export const candidateQuery = {
  skills: Type.Optional(
    SeparatedTexts(500, 'A candidate must have all of them. Ignores case and accents (assumed).'),
  ),
  min_experience: Type.Optional(Years({ description: 'In years. An unknown experience counts as 0.' })),
  location: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Matches a part of the name of the city, or the name or code of the country (assumed).',
    }),
  ),
}

/** The query parameters of a period; both ends are included. */
export const spanQuery = (subject: string) => ({
  from: Type.Optional(
    SentInstant({
      maxLength: 40,
      description: `${subject} at this time or later.`,
      examples: ['2026-10-01'],
    }),
  ),
  to: Type.Optional(
    SentEnd({
      maxLength: 40,
      description: `${subject} at this time or earlier.`,
      examples: ['2026-11-30'],
    }),
  ),
})
