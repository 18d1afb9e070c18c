/**
 * Validation of requests. A schema is compiled on first use, because compiling all of them would dominate the
 * start. Bodies are checked strictly; query and path parameters are coerced. Unknown fields of bodies and
 * queries are dropped.
 */
import { nounFor } from '@suite-sim/kit/text/counted'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { parseInstant, parseOffsetInstant, UTC } from '@suite-sim/kit/time/instants'
import { isCountry } from '../../state/shared/countries.ts'
import { invisibleIn, isEmailAddress } from '../../state/text/emailAddresses.ts'
import type { FieldProblem } from '../../state/model/refusal.ts'
import { urlProblem } from '@suite-sim/kit/text/parseUrl'
import { ofItsShape } from './alternatives.ts'
import { boundKeywords, MAX_PROBLEMS } from './boundedKeywords.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { limited, LONGEST_OF_FORMAT, LONGEST_PARAMETER } from './limits.ts'

interface Format {
  readonly check: (text: string) => boolean
  /** The rule that an error states; of a text, if the format has several rules. */
  readonly wording: string | ((text: string) => string)
}

/** What each format accepts, and the rule that its error states. */
export const FORMATS: Readonly<Record<string, Format>> = {
  /** The format of responses and snapshots. */
  'date-time': {
    check: (text) => parseOffsetInstant(text) !== null,
    wording: 'must be a date-time with its offset, such as 2026-01-31T09:30:00Z',
  },
  /** The format of requests. */
  instant: {
    // The time zone does not matter for the check.
    check: (text) => parseInstant(text, UTC) !== null,
    wording: 'must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z',
  },
  /** The format of requests whose time must not depend on a time zone. */
  'offset-instant': {
    check: (text) => parseOffsetInstant(text) !== null,
    wording: 'must be a date-time and must have an offset, such as 2026-01-31T09:30:00-05:00',
  },
  date: {
    check: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text, UTC) !== null,
    wording: 'must be a date, such as 2026-01-31',
  },
  uri: {
    check: (text) => urlProblem(text) === null,
    wording: (text) => urlProblem(text) ?? 'must be a URL',
  },
  email: {
    check: isEmailAddress,
    wording(text) {
      const words = 'must be an e-mail address'
      const invisible = invisibleIn(text)
      return invisible === undefined ? words : `${words} without invisible characters, such as ${invisible}`
    },
  },
  'email-or-empty': {
    check: (text) => text === '' || isEmailAddress(text),
    wording: 'must be an e-mail address, or empty',
  },
  'iso-4217': {
    check: (text) => currencies().has(text),
    wording: 'must be an ISO 4217 currency code, such as USD',
  },
  'iso-3166': { check: isCountry, wording: 'must be an ISO 3166 country code of two letters, such as PA' },
  timezone: { check: isTimeZone, wording: 'must be an IANA time zone, such as America/Panama' },
}

let knownCurrencies: ReadonlySet<string> | undefined
const currencies = (): ReadonlySet<string> =>
  (knownCurrencies ??= new Set(Intl.supportedValuesOf('currency')))

function isTimeZone(text: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}

/** Formats for which the `maxLength` of `limited` reports a longer text. */
const LENGTH_EXPLAINED_ABOVE = new Set(['uri', 'email', 'email-or-empty'])

/** Counts characters like `maxLength`, because a text of emoji has twice as many code units. */
const isLonger = (text: string, max: number): boolean =>
  text.length > 2 * max || Array.from(text).length > max

function makeAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    allErrors: true,
    // Errors include their schema, which may have a wording.
    verbose: true,
    // The schemas have keywords for the published documents (x-fidelity, examples) that a validator does not
    // know.
    strict: false,
    // The schemas are constants of this program, checked by the type checker.
    meta: false,
    validateSchema: false,
    formats: Object.fromEntries(
      Object.entries(FORMATS).map(([name, { check }]) => [
        name,
        (text: string) => {
          const max = LONGEST_OF_FORMAT[name] ?? 0
          if (text.length <= max) return check(text)
          return LENGTH_EXPLAINED_ABOVE.has(name) && isLonger(text, max)
        },
      ]),
    ),
  })
  boundKeywords(ajv)
  return ajv
}

let strictAjv: Ajv | undefined
let coercingAjv: Ajv | undefined
const strict = (): Ajv => (strictAjv ??= makeAjv(false))
const coercing = (): Ajv => (coercingAjv ??= makeAjv(true))

/** Compiled once per process, because every app of a test suite mounts the same schemas. */
const compiled = new WeakMap<object, ValidateFunction>()

/** Returns the validator of a schema. It checks bodies as they are, and converts parameters from text. */
function validatorOf(schema: object, isBody: boolean): ValidateFunction {
  let found = compiled.get(schema)
  if (!found) {
    found = isBody
      ? strict().compile(limited(schema))
      : coercing().compile(limited(schema, LONGEST_PARAMETER))
    compiled.set(schema, found)
  }
  return found
}

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const known = httpPart === 'params' ? null : knownFields(schema)
  const numbers = httpPart === 'body' ? [] : numberFields(schema)
  const trimmed = httpPart === 'body' ? [] : trimmedFields(schema)
  const lists = httpPart === 'querystring' ? listFields(schema) : []

  const validate = (data: unknown): boolean | { value: unknown } => {
    for (const name of trimmed) {
      const value = (data as Record<string, unknown>)[name]
      if (typeof value === 'string') (data as Record<string, unknown>)[name] = value.trim()
    }
    for (const { name, separator } of lists) readList(data as Record<string, unknown>, name, separator)
    const misspelt = numbers.filter(({ name, pattern }) => {
      const value = (data as Record<string, unknown>)[name]
      return typeof value === 'string' && !pattern.test(value)
    })
    if (misspelt.length > 0) {
      validate.errors = misspelt.map(notANumber)
      return false
    }
    const check = validatorOf(schema, httpPart === 'body')
    if (!check(data)) {
      validate.errors = check.errors ?? null
      return false
    }
    return known && typeof data === 'object' && data !== null ? { value: onlyKnown(data, known) } : true
  }
  validate.errors = null as ErrorObject[] | null
  return validate
}

/**
 * Validates a value outside a request, with the rules of bodies, and returns its first problems (about 20).
 * It visits each part of the value once; for a long list, the caller should validate each record separately,
 * in slices.
 */
export function problemsOf(schema: object, data: unknown): FieldProblem[] {
  const check = validatorOf(schema, true)
  return check(data) ? [] : fieldProblems(check.errors ?? [])
}

function knownFields(schema: object): ReadonlySet<string> | null {
  const { type, properties } = schema as { type?: unknown; properties?: Record<string, unknown> }
  return type === 'object' && properties ? new Set(Object.keys(properties)) : null
}

/** A query parameter with several values: an array, or a text with this separator (`x-separator`). */
interface SentList {
  readonly name: string
  readonly separator: string | undefined
}

function listFields(schema: object): SentList[] {
  const { properties = {} } = schema as {
    properties?: Record<string, { type?: unknown; 'x-separator'?: string }>
  }
  return Object.entries(properties).flatMap(([name, { type, 'x-separator': separator }]) =>
    type === 'array' || separator !== undefined ? [{ name, separator }] : [],
  )
}

/** Reads `a=1` as a list of one value, and `a=1&a=2` as the text "1,2" if the parameter has a separator. */
function readList(query: Record<string, unknown>, name: string, separator: string | undefined): void {
  const sent = query[name]
  if (separator === undefined) {
    if (typeof sent === 'string') query[name] = [sent]
  } else if (Array.isArray(sent)) query[name] = sent.join(separator)
}

/**
 * A numeric parameter and its valid form. JavaScript also parses "0x10" and " 5" as numbers, which no caller
 * intends.
 */
interface SentNumber {
  readonly name: string
  readonly type: 'integer' | 'number'
  readonly pattern: RegExp
}

/** Returns the names of the parameters without the blanks around them. */
function trimmedFields(schema: object): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { 'x-trimmed'?: true }> }
  return Object.keys(properties).filter((name) => properties[name]?.['x-trimmed'])
}

const WRITTEN = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ }

function numberFields(schema: object): SentNumber[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'number' ? [{ name, type, pattern: WRITTEN[type] }] : [],
  )
}

const notANumber = ({ name, type }: SentNumber): ErrorObject => ({
  keyword: 'type',
  instancePath: `/${name}`,
  schemaPath: '',
  params: { type },
})

function onlyKnown(data: object, known: ReadonlySet<string>): object {
  for (const field in data) {
    if (!known.has(field)) return Object.fromEntries(Object.entries(data).filter(([name]) => known.has(name)))
  }
  return data
}

/**
 * Converts Ajv's errors to field problems, each with the path of its field. `context` is the part of the
 * request.
 */
export function fieldProblems(errors: readonly ErrorObject[], context?: string): FieldProblem[] {
  return onePerValue(ofItsShape(errors))
    .slice(0, MAX_PROBLEMS)
    .map((error) => {
      const path = error.instancePath
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      const { missingProperty, dependentRequired, additionalProperty } = error.params as Record<
        string,
        string | undefined
      >
      const member = missingProperty ?? dependentRequired ?? additionalProperty
      const field = (member === undefined ? path : [...path, member]).join('.')
      const { code, words } = wording(error)
      const hint = context === 'querystring' && isWithoutPlus(error) ? LOST_PLUS : ''
      return { field, code, message: `${field || 'the body'} ${ruleOf(error) ?? words}${hint}` }
    })
}

/** The rules of one value in the order in which they explain it. */
const EXPLAINING = ['type', 'minLength', 'maxLength', 'format']

/** Drops all but one error of each value, because one wrong value often breaks several rules. */
function onePerValue(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const rank = ({ keyword }: ErrorObject): number =>
    EXPLAINING.includes(keyword) ? EXPLAINING.indexOf(keyword) : EXPLAINING.length
  const first = new Map<string, ErrorObject>()
  for (const error of errors) {
    const known = first.get(error.instancePath)
    if (isOfMember(error)) continue
    if (!known || rank(error) < rank(known)) first.set(error.instancePath, error)
  }
  return errors.filter((error) => isOfMember(error) || first.get(error.instancePath) === error)
}

/** Checks whether the error is about a member of the value. */
const isOfMember = ({ keyword }: ErrorObject): boolean =>
  ['required', 'dependentRequired', 'additionalProperties', 'x-names'].includes(keyword)

/** Checks for an offset whose plus was decoded as a space: "2026-01-31T09:30:00 02:00". */
const isWithoutPlus = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'format' &&
  (params as { format?: string }).format === 'instant' &&
  typeof data === 'string' &&
  data.includes('T') &&
  / \d{2}:?\d{2}$/.test(data)

const LOST_PLUS = '; in a query, write the plus of an offset as %2B'

/** Errors that say more than an `x-rule`: the field is absent, or the value is beyond an assumed maximum. */
const BEYOND_RULE: ReadonlySet<string> = new Set(['required', 'maximum'])

/** Returns the schema's `x-rule`, which states all other rules of a value together. */
function ruleOf({ keyword, parentSchema }: ErrorObject): string | undefined {
  if (BEYOND_RULE.has(keyword)) return undefined
  return (parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule']
}

/** Returns the values of a list that can be shown: not null or an empty string. */
const named = (values: readonly unknown[]): unknown[] =>
  values.filter((value) => value !== null && value !== '')

/** Returns "1 item", "2 items". */
const limitOf = ({ limit }: Record<string, unknown>, noun: string): string =>
  `${String(limit)} ${nounFor(Number(limit), noun)}`

function wording(error: ErrorObject): { code: string; words: string } {
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return { code: 'required', words: 'is required' }
    case 'type':
      return { code: 'invalid_type', words: `must be ${typeWords(params['type'] as string | string[])}` }
    case 'enum':
      return {
        code: 'not_allowed',
        words: `must be one of ${named(params['allowedValues'] as unknown[]).join(', ')}`,
      }
    case 'const':
      return { code: 'not_allowed', words: `must be ${String(params['allowedValue'])}` }
    case 'maxLength':
      return { code: 'too_long', words: `must have at most ${limitOf(params, 'character')}` }
    case 'minLength':
      return params['limit'] === 1
        ? { code: 'empty', words: 'must not be empty' }
        : { code: 'too_short', words: `must have at least ${limitOf(params, 'character')}` }
    case 'maxItems':
      return { code: 'too_many', words: `must have at most ${limitOf(params, 'item')}` }
    case 'minItems':
      return { code: 'too_few', words: `must have at least ${limitOf(params, 'item')}` }
    case 'uniqueItems':
      return { code: 'duplicate', words: 'must not hold anything twice' }
    case 'maxProperties':
      return { code: 'too_many', words: `must have at most ${limitOf(params, 'field')}` }
    case 'x-max-size':
      return { code: 'too_long', words: `must have at most ${largestOf(error)} characters as JSON` }
    case 'minProperties':
      return { code: 'too_few', words: minPropertiesWords(error) }
    case 'minimum':
      return { code: 'too_small', words: `must be at least ${String(params['limit'])}` }
    case 'maximum':
      return { code: 'too_large', words: `must be at most ${String(params['limit'])}` }
    case 'exclusiveMinimum':
      return { code: 'too_small', words: `must be greater than ${String(params['limit'])}` }
    case 'format':
      return { code: 'invalid_format', words: formatWords(String(params['format']), error.data) }
    case 'pattern':
      return digitsProblem(error) ?? { code: 'invalid_format', words: patternWords(error) }
    case 'anyOf':
      return { code: 'required', words: anyOfWords(error) }
    case 'additionalProperties':
      return { code: 'unknown', words: `is not a known field${nearestKnown(error)}` }
    case 'x-names':
      return { code: 'invalid_format', words: namesWords(error) }
    default:
      return { code: 'invalid', words: error.message ?? 'is not valid' }
  }
}

function formatWords(format: string, data: unknown): string {
  const { wording = `must be a valid ${format}` } = FORMATS[format] ?? {}
  return typeof wording === 'string' ? wording : wording(String(data))
}

/** Returns "; did you mean duration?" if a known field has a similar name. */
function nearestKnown({ params }: ErrorObject): string {
  const { additionalProperty, known } = params as { additionalProperty: string; known: readonly string[] }
  const found = nearestName(additionalProperty, known)
  return found === null ? '' : `; did you mean ${found}?`
}

/** The longest name that an error quotes. */
const MAX_QUOTED_NAME = 100

/** Returns the schema's `x-names`, the rule of the names of a record, with the wrong name if it is short. */
function namesWords({ params }: ErrorObject): string {
  const { name, rule } = params as { name: string; rule: string }
  return name.length <= MAX_QUOTED_NAME ? `${rule}, not ${JSON.stringify(name)}` : rule
}

/** Returns which limit of a decimal number was met: zero, that of its whole digits or that of its decimals. */
function digitsProblem({ parentSchema, data }: ErrorObject): { code: string; words: string } | null {
  const { 'x-digits': digits, minimum = 0 } = (parentSchema ?? {}) as {
    'x-digits'?: readonly [number, number]
    minimum?: number
  }
  const [isDecimal, sign, whole = '', decimals = ''] = /^(-)?(\d+)(?:\.(\d+))?$/.exec(String(data)) ?? []
  if (isDecimal === undefined || !digits || (sign && minimum > 0)) return null
  if (sign) return { code: 'invalid_format', words: 'must be a decimal number that is not negative' }
  return whole.length > digits[0]
    ? { code: 'too_large', words: `must have at most ${String(digits[0])} digits before the decimal point` }
    : decimals.length > digits[1]
      ? { code: 'too_precise', words: `must have at most ${String(digits[1])} decimals` }
      : null
}

/** Returns the schema's `x-wording`, which explains its pattern, or else the pattern. */
function patternWords(error: ErrorObject): string {
  const schema = error.parentSchema as { 'x-wording'?: string } | undefined
  return schema?.['x-wording'] ?? `must match ${(error.params as { pattern: string }).pattern}`
}

function anyOfWords(error: ErrorObject): string {
  const schema = error.parentSchema as { 'x-wording'?: string } | undefined
  return schema?.['x-wording'] ?? 'must match one of the shapes that the documentation shows'
}

function minPropertiesWords(error: ErrorObject): string {
  const schema = error.parentSchema as { 'x-wording'?: string } | undefined
  return (
    schema?.['x-wording'] ?? `must have at least ${String((error.params as { limit: number }).limit)} field`
  )
}

const largestOf = ({ parentSchema }: ErrorObject): string =>
  String((parentSchema as { 'x-max-size'?: number } | undefined)?.['x-max-size'])

function typeWords(type: string | readonly string[]): string {
  const types = typeof type === 'string' ? type.split(',') : type
  return types
    .map((name) => (name === 'null' ? 'null' : /^[aio]/.test(name) ? `an ${name}` : `a ${name}`))
    .join(' or ')
}
