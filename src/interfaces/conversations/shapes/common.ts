/** Parts that the schemas of conversations share. Specification part 3. */
import { Type, type IntegerOptions, type TSchema } from '@sinclair/typebox'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Assumed, assumedDefault, FreeObject } from '../../../http/schemas/schemas.ts'
import { made } from '../../../http/shapes/shape.ts'
import { LARGEST_ATTRIBUTES, MAX_ATTRIBUTES } from '../../../state/conversations/contacts.ts'
import { PHONE } from '../../../state/conversations/limits.ts'
import { PRIORITIES } from '../../../state/conversations/tables.ts'
import { MAX_EMAIL_LENGTH } from '../../../state/text/emailAddresses.ts'

export const Id = (example = 1, options: IntegerOptions = {}) =>
  Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, examples: [example], ...options })

/** Seconds since the epoch. */
export const Seconds = (example = 1_795_000_000) => Type.Integer({ examples: [example] })

export const seconds = (instant: number): number => Math.floor(instant / 1000)

export const secondsOrNull = (instant: number | null): number | null =>
  instant === null ? null : seconds(instant)

/** The id of a record in a path. Any string is allowed, because an invalid id is a 404. */
const PathId = (example = 1) => Type.String({ maxLength: 100, examples: [String(example)] })

const account_id = PathId()

export const AccountParams = Type.Object({ account_id })
export const IdParams = (example = 1) => Type.Object({ account_id, id: PathId(example) })
export const ConversationParams = Type.Object({ account_id, conversation_id: PathId() })

export const Attributes = () =>
  FreeObject({
    maxProperties: MAX_ATTRIBUTES,
    'x-max-size': LARGEST_ATTRIBUTES,
    examples: [{ plan: 'office' }],
  })

const page = () => Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1], ...assumedDefault(1) })

export const Page = () => Type.Optional(page())

/** The page of a search. */
export const PageFound = () =>
  Type.Optional(Assumed('The specification does not show this parameter; it is that of the list.', page()))

/** Labels the response of a search. */
export const Found = <Schema extends TSchema>(list: Schema) =>
  Assumed('The specification does not show the response; it is that of the list.', list)

/** Labels the response of an operation with one record. */
export const Returned = <Schema extends TSchema>(what: string, schema: Schema) =>
  Assumed(`The specification does not show the response; the simulator returns ${what}.`, schema)

/** A name or its number. */
export const NameOrNumber = <const Names extends readonly string[]>(names: Names, example: string) =>
  Type.Unsafe<Names[number] | number>({
    enum: [...names, ...names.keys()],
    examples: [example],
    description: `A name or its number: ${names.map((name, index) => `${name} ${String(index)}`).join(', ')}.`,
  })

/** Returns the name for a sent name or number. */
export const nameOf = <Name extends string>(names: readonly Name[], sent: string | number): Name => {
  const found = typeof sent === 'number' ? names[sent] : names.find((name) => name === sent)
  if (found === undefined) throw new Error(`${String(sent)} is none of ${names.join(', ')}`)
  return found
}

export const SentPriority = () =>
  Type.Unsafe<(typeof PRIORITIES)[number] | number | null>({
    enum: [...PRIORITIES, ...PRIORITIES.keys(), null],
    examples: ['high'],
    description: 'A name or its number: low 0, medium 1, high 2, urgent 3. null removes the priority.',
  })

/** Forms send an empty text for what was not entered. */
const PHONE_OR_EMPTY = `^(${PHONE.slice(1, -1)})?$`

export const Phone = (example = '+50760001234') =>
  Type.String({ pattern: PHONE_OR_EMPTY, 'x-wording': 'should be in e164 format', examples: [example] })

export const Email = (example = 'ana.rios@example.com') =>
  Type.String({ format: 'email', maxLength: MAX_EMAIL_LENGTH, examples: [example] })

/** The address of a contact, who may have none. */
export const ContactEmail = (example?: string) => ({ ...Email(example), format: 'email-or-empty' })

export const Person = (example: string) =>
  Type.Object({ id: Id(), name: Type.String({ examples: [example] }) })

export const NOT_SHOWN = 'The specification does not show this field; it follows similar products.'

export const NotShown = <Schema extends TSchema>(schema: Schema) => Assumed(NOT_SHOWN, schema)

/** The field `id`, which the table stores as a text. */
export const numericId = (column: SQLiteColumn) => made(Id(), [column], ([id]) => Number(id))

/** The field `account_id`. */
export const accountId = () => made(NotShown(Id()), [], (_none, { tenantId }) => tenantId)
