/**
 * Validation of what comes in. A schema is compiled when it is first needed, because compiling all of them would
 * cost more than the rest of the start. Bodies are checked strictly; query strings and path parameters, which are
 * all text, are coerced. What the schema of a body or a query does not name is dropped, so that no handler ever sees
 * it.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import { parseInstant, parseWritten, UTC } from '../state/clock.ts'
import { isCountry } from '../state/countries.ts'
import { isEmailAddress } from '../state/emailAddresses.ts'
import type { FieldProblem } from '../state/refusal.ts'
import { writtenUrl } from '../state/urlTexts.ts'
import { ofItsShape } from './alternatives.ts'
import { boundKeywords, MAX_PROBLEMS } from './boundedKeywords.ts'
import { nearestName } from './nearestName.ts'
import { limited, LONGEST_OF_FORMAT, LONGEST_PARAMETER } from './limits.ts'

/** What each format accepts, and how a refusal words it. */
export const FORMATS: Readonly<Record<string, { check: (text: string) => boolean; wording: string }>> = {
  /** As it is answered, and as snapshots have it. */
  'date-time': {
    check: (text) => parseWritten(text) !== null,
    wording: 'must be a date-time with its offset, such as 2026-01-31T09:30:00Z',
  },
  /** As callers send it. */
  instant: {
    // What names an instant anywhere names one everywhere.
    check: (text) => parseInstant(text, UTC) !== null,
    wording: 'must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z',
  },
  date: {
    check: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text, UTC) !== null,
    wording: 'must be a date, such as 2026-01-31',
  },
  uri: {
    check: (text) => writtenUrl(text) !== null,
    wording: 'must be a URL including its protocol, such as https://example.com/path',
  },
  email: {
    check: isEmailAddress,
    wording: 'must be an e-mail address',
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

/** Formats that `limited` gives a `maxLength`, which tells of a longer text. */
const LENGTH_EXPLAINED_ABOVE = new Set(['uri', 'email'])

function makeAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    allErrors: true,
    // Errors carry their schema, which may word them.
    verbose: true,
    // The schemas carry words for the published documents (x-fidelity, examples) that mean nothing to a validator.
    strict: false,
    // They are this program's own, and the compiler has checked them.
    meta: false,
    validateSchema: false,
    formats: Object.fromEntries(
      Object.entries(FORMATS).map(([name, { check }]) => [
        name,
        (text: string) =>
          text.length > (LONGEST_OF_FORMAT[name] ?? 0) ? LENGTH_EXPLAINED_ABOVE.has(name) : check(text),
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

/** Compiled once a process for each schema, for every app of a test suite mounts the same ones. */
const compiled = new WeakMap<object, ValidateFunction>()

/** What is in a body is checked as it came; what is in an address is text, and may become a number. */
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

  const validate = (data: unknown): boolean | { value: unknown } => {
    const misspelt = numbers.filter(({ name, isWell }) => {
      const value = (data as Record<string, unknown>)[name]
      return typeof value === 'string' && !isWell.test(value)
    })
    if (misspelt.length > 0) {
      validate.errors = misspelt.map(isNone)
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
 * Validates a value by a schema outside a request, as bodies are; returns its first problems. However large the value,
 * the work is one look at each of its parts and the answer some twenty problems. A list of records is looked at
 * piece by piece by whoever must not hold others up, with the schema of one record.
 */
export function problemsOf(schema: object, data: unknown): FieldProblem[] {
  const check = validatorOf(schema, true)
  return check(data) ? [] : fieldProblems(check.errors ?? [])
}

function knownFields(schema: object): ReadonlySet<string> | null {
  const { type, properties } = schema as { type?: unknown; properties?: Record<string, unknown> }
  return type === 'object' && properties ? new Set(Object.keys(properties)) : null
}

/** A number in an address, and how it is written there. JavaScript reads "0x10" and " 5" as numbers too; no caller means them. */
interface SentNumber {
  readonly name: string
  readonly type: 'integer' | 'number'
  readonly isWell: RegExp
}

const WRITTEN = { integer: /^-?\d+$/, number: /^-?\d+(?:\.\d+)?$/ }

function numberFields(schema: object): SentNumber[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  return Object.entries(properties).flatMap(([name, { type }]) =>
    type === 'integer' || type === 'number' ? [{ name, type, isWell: WRITTEN[type] }] : [],
  )
}

const isNone = ({ name, type }: SentNumber): ErrorObject => ({
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

/** Ajv's errors in the words of this server, each with the path of its field. `context` is the part of the request. */
export function fieldProblems(errors: readonly ErrorObject[], context?: string): FieldProblem[] {
  return ofItsShape(errors)
    .filter(saysMore)
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

/** An empty text breaks whatever pattern it is held to as well. */
const saysMore = (
  { keyword, instancePath }: ErrorObject,
  _index: number,
  all: readonly ErrorObject[],
): boolean =>
  keyword !== 'pattern' ||
  !all.some(
    (other) =>
      other.keyword === 'minLength' && other.instancePath === instancePath && other.params['limit'] === 1,
  )

/** In a query a plus stands for a space, and so it is read: "2026-01-31T09:30:00 02:00". */
const isWithoutPlus = ({ keyword, params, data }: ErrorObject): boolean =>
  keyword === 'format' &&
  (params as { format?: string }).format === 'instant' &&
  typeof data === 'string' &&
  data.includes('T') &&
  / \d{2}:?\d{2}$/.test(data)

const LOST_PLUS = '; in a query, the plus of an offset is written as %2B'

/** A schema of one value says in `x-rule` what all of its rules together ask for. */
function ruleOf({ keyword, parentSchema }: ErrorObject): string | undefined {
  return keyword === 'required' ? undefined : (parentSchema as { 'x-rule'?: string } | undefined)?.['x-rule']
}

/** Of the values of a list those that have a name: neither none nor an empty text. */
const named = (values: readonly unknown[]): unknown[] =>
  values.filter((value) => value !== null && value !== '')

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
      return { code: 'too_long', words: `must have at most ${String(params['limit'])} characters` }
    case 'minLength':
      return params['limit'] === 1
        ? { code: 'empty', words: 'must not be empty' }
        : { code: 'too_short', words: `must have at least ${String(params['limit'])} characters` }
    case 'maxItems':
      return { code: 'too_many', words: `must have at most ${String(params['limit'])} items` }
    case 'minItems':
      return { code: 'too_few', words: `must have at least ${String(params['limit'])} item` }
    case 'uniqueItems':
      return { code: 'duplicate', words: 'must not hold anything twice' }
    case 'maxProperties':
      return { code: 'too_many', words: `must have at most ${String(params['limit'])} fields` }
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
      return {
        code: 'invalid_format',
        words: FORMATS[String(params['format'])]?.wording ?? `must be a valid ${String(params['format'])}`,
      }
    case 'pattern':
      return { code: 'invalid_format', words: patternWords(error) }
    case 'anyOf':
      return { code: 'required', words: anyOfWords(error) }
    case 'additionalProperties':
      return { code: 'unknown', words: `is not a known field${nearestKnown(error)}` }
    default:
      return { code: 'invalid', words: error.message ?? 'is not valid' }
  }
}

/** "; did you mean duration?" where a known field is called much the same. */
function nearestKnown({ params }: ErrorObject): string {
  const { additionalProperty, known } = params as { additionalProperty: string; known: readonly string[] }
  const found = nearestName(additionalProperty, known)
  return found === null ? '' : `; did you mean ${found}?`
}

/** A schema says in `x-wording` what its pattern, alternatives or least number of fields mean to a person. */
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
