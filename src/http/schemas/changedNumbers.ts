/**
 * Hints about whole numbers that JSON parsers round: JavaScript represents whole numbers exactly only up to 2^53. Fields with
 * a type refuse larger ones; free-form values such as metadata store the rounded number.
 */
import type { FastifyRequest } from 'fastify'
import type { Hint } from '../../state/timeline/causes.ts'

/** A number of at least 16 digits, outside of most texts. 2^53 has 16. Rules out almost every body without parsing it. */
const LONG_NUMBER = /[:,[\s]-?\d{16}/

/** The texts and numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Marks a text that was a number. Bodies cannot contain this character. */
const MARK = '\0'

/** Returns a hint for each stored number of an accepted JSON body that is not the one that was sent. */
export function changedNumbers({
  sentText,
  routeOptions: { config, schema },
}: Pick<FastifyRequest, 'sentText' | 'routeOptions'>): Hint[] {
  if (sentText === undefined || !schema?.body || !LONG_NUMBER.test(sentText)) return []
  const marked = sentText.replace(TOKENS, (token) =>
    isRounded(token) ? JSON.stringify(MARK + token) : token,
  )
  return [...marksIn(JSON.parse(marked), schema.body as Schema, '')].map(({ path, sent }) => ({
    code: 'number_changed',
    message: `${config.operation?.id ?? 'The call'}: ${path} changed from ${sent} to ${asShown(sent)}, because numbers are exact only up to 2^53.`,
  }))
}

/** Returns a number as responses have it: the shortest text that is parsed as the stored number. */
const asShown = (token: string): string => JSON.stringify(Number(token))

const isRounded = (token: string): boolean =>
  /^-?\d{16,308}$/.test(token) && asShown(token) !== token && BigInt(token) !== BigInt(Number(token))

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

const FREE: Schema = {}

/** Yields the marked numbers that are stored: not those of fields that the schema does not have. */
function* marksIn(value: unknown, schema: Schema, path: string): Generator<{ path: string; sent: string }> {
  if (typeof value === 'string' && value.startsWith(MARK)) yield { path, sent: value.slice(MARK.length) }
  if (typeof value !== 'object' || value === null) return
  const { properties, items = FREE } = schema
  for (const [name, child] of Object.entries(value)) {
    const isOpen = properties === undefined || 'patternProperties' in schema
    const of = Array.isArray(value) ? items : (properties?.[name] ?? (isOpen ? FREE : null))
    if (of) yield* marksIn(child, of, path === '' ? name : `${path}.${name}`)
  }
}
