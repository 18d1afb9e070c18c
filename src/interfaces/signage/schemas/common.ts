/** Wire shapes that several signage records share. */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { Assumed } from '../../../http/schemas/schemas.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'

export const Name = (example: string) =>
  Assumed('The specification does not show a length. The maximum is 200 characters.', Text(200, example))

export const Search = () =>
  Type.Optional(
    Type.String({ maxLength: 200, description: 'Matches the name. Ignores case and accents (assumed).' }),
  )

/** "1920x1080" */
export const Resolution = (options: SchemaOptions = {}) =>
  Type.String({
    pattern: '^[1-9]\\d{0,4}x[1-9]\\d{0,4}$',
    maxLength: 11,
    'x-wording': 'must have the form <width>x<height>, such as 1920x1080',
    examples: ['1920x1080'],
    ...options,
  })

/** Converts between seconds on the wire and whole milliseconds. */
export const seconds = (ms: number): number => ms / 1000
export const inMs = (value: number): number => Math.round(value * 1000)
