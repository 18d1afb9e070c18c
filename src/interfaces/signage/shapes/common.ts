/** Parts that the shapes of signage share. */
import { Type } from '@sinclair/typebox'
import { SearchText } from '../../../http/schemas/schemas.ts'

/** The name of a record. */
export const nameField = (example: string) =>
  ({
    bounded: true,
    words: { 'x-wording': 'must not be blank', examples: [example] },
  }) as const

/** Why the page parameters of some lists are assumed. */
export const PAGED_LIKE_ALL =
  'The specification shows no page parameters of this list. It has those of the other lists, because its response has pages.'

export const Search = () =>
  Type.Optional(
    SearchText({ maxLength: 200, description: 'Matches the name. Ignores case and accents (assumed).' }),
  )

export const resolutionField = {
  bounded: true,
  words: {
    maxLength: 11,
    'x-wording': 'must have the form <width>x<height>, such as 1920x1080',
    examples: ['1920x1080'],
  },
} as const

/** Converts between seconds on the wire and whole milliseconds. */
export const seconds = (ms: number): number => ms / 1000
export const inMs = (value: number): number => Math.round(value * 1000)
