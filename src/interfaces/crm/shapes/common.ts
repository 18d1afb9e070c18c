/** Wire shapes that the records of the CRM share. */
import { Type, type SchemaOptions, type StringOptions } from '@sinclair/typebox'
import {
  Assumed,
  assumedValues,
  FreeObject,
  OneOf,
  SentEnd,
  SentInstant,
} from '../../../http/schemas/schemas.ts'
import { assumedPage, pageQuery } from '../../../http/schemas/wireShapes.ts'
import { CRM_EVENTS, type CrmEventName } from '../../../state/crm/eventNames.ts'
import { VERTICALS } from '../../../state/crm/tables.ts'

/** The number of the demo record in examples, if the first one of its kind cannot be changed. */
const DEMO_NUMBERS: Readonly<Record<string, number>> = {
  // Open, in the pipeline of the first stage.
  deal_: 3,
}

/** Returns the id of a demo record, so that examples can be sent unchanged. */
export const demoId = (prefix: string, number = DEMO_NUMBERS[prefix] ?? 1): string =>
  `${prefix}demo${String(number).padStart(16, '0')}`

/** The id of a user of the demo workspace. */
export const DEMO_USER = 'demo-user-00000000001'

/** An id such as "deal_4kQ2nC8vT1sYx0ZbRj7m". */
export const Id = (prefix: string, options: SchemaOptions = {}) =>
  Type.String({ examples: [demoId(prefix)], ...options })

/** The words of a name or subject. */
export const notBlank = (example: string): StringOptions => ({
  'x-wording': 'must not be blank',
  examples: [example],
})

export const Vertical = (options: SchemaOptions = {}) => OneOf(VERTICALS, options)

/** The maximum number of custom fields that a record may have. */
const MAX_CUSTOM_FIELDS = 1000

export const CustomFields = () =>
  FreeObject({
    maxProperties: MAX_CUSTOM_FIELDS,
    description: 'Free key-value data. An update replaces all of it.',
  })

export const OwnerId = () =>
  Type.String({ description: 'A user of the workspace (assumed).', examples: [DEMO_USER] })

/** Labels the response of an operation that returns one record. */
export const AssumedRecord = <Schema extends object>(schema: Schema): Schema =>
  Assumed(
    'The specification does not show the response; the simulator returns the record without an envelope, as for a single deal.',
    schema,
  )

/** The pages of lists whose parameters the specification does not show. */
export const assumedPageQuery = assumedPage(
  'The specification shows no pages of this list; the simulator pages it like contacts and deals.',
  pageQuery,
)

const SHOWN_EVENTS: ReadonlySet<CrmEventName> = new Set([
  'contact.created',
  'deal.created',
  'deal.won',
  'deal.lost',
])

/** The event names that the specification does not show. */
export const ASSUMED_EVENTS = {
  why: 'The specification shows contact.created, deal.created, deal.won and deal.lost; the other names follow the operations that change records.',
  names: CRM_EVENTS.filter((name) => !SHOWN_EVENTS.has(name)),
}

/** Labels these names in the schema of an event name. */
export const assumedEvents = assumedValues(ASSUMED_EVENTS.why, ...ASSUMED_EVENTS.names)

/** The parameters from and to: the first and the last instant of creation, both inclusive. */
export const spanQuery = (what: string) => ({
  from: Type.Optional(
    SentInstant({
      description: `${what} created at this time or later.`,
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
  to: Type.Optional(
    SentEnd({
      description: `${what} created at this time or earlier.`,
      examples: ['2026-11-01T00:00:00Z'],
    }),
  ),
})
