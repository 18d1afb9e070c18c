/** Pieces of wire shapes that the records of the CRM share. */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { Assumed, FreeObject, OneOf, SentEnd, SentInstant } from '../../../http/schemas.ts'
import { VERTICALS } from '../../../state/crm/tables.ts'

/** Which of its kind in the demo workspace an example names; the first unless that one can't be changed. */
const DEMO_NUMBERS: Readonly<Record<string, number>> = {
  // Open, in the pipeline of the first stage.
  deal_: 3,
}

/** The id of a record of the demo workspace, so that examples can be sent as they stand. */
export const demoId = (prefix: string, number = DEMO_NUMBERS[prefix] ?? 1): string =>
  `${prefix}demo${String(number).padStart(16, '0')}`

/** The id of a user of the demo workspace. */
export const DEMO_USER = 'demo-user-00000000001'

/** An id such as "deal_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ examples: [demoId(prefix)], ...options })

/** A name or subject: not empty, not blank. */
export const Text = (maxLength: number, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: [example],
  })

export const Vertical = (options: SchemaOptions = {}) => OneOf(VERTICALS, options)

/** Names of free fields that a record may have. */
const MAX_CUSTOM_FIELDS = 1000

export const CustomFields = () =>
  FreeObject({
    maxProperties: MAX_CUSTOM_FIELDS,
    description: 'Free key-value data; replaced as a whole.',
  })

/** A person who owns a record, by id and name. */
export const Person = Type.Object({
  id: Type.String({ examples: [DEMO_USER] }),
  name: Type.String({ examples: ['Ana Ríos'] }),
})

export const OwnerId = () =>
  Assumed(
    'The specification does not say whose id it is: that of a user of the workspace.',
    Type.String({ description: 'A user of the workspace.', examples: [DEMO_USER] }),
  )

/** The first and the last moment of the creation of what is asked for; both belong to the span. */
export const spanQuery = (what: string) => ({
  from: Type.Optional(
    SentInstant({
      description: `${what} created at this moment or later.`,
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    SentEnd({
      description: `${what} created up to this moment, which is part of it.`,
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
})
