/** Pieces of wire shapes that the records of signage share. */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { Assumed } from '../../../http/schemas.ts'
import { Text } from '../../../http/wireShapes.ts'

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
