/**
 * What an interface shows can be sent back: a body accepts null where its record can have it. Specification part 2,
 * "Integration payments: customer": "string or null".
 */
import { expect, test } from 'vitest'
import { problemsOf } from '../../src/http/schemas/validation.ts'
import { everyOperation } from '../support/examples.ts'
import { PUBLISHED } from '../support/published.ts'
import { demoWorkspace, everyReadablePath } from './allActions.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** Fields whose null is refused although records show it, with the reason. */
const REFUSED_NULLS: Readonly<Record<string, string>> = {
  'integration-payments createCustomer email': 'The specification requires it.',
  'integration-payments vaultCustomer customerVaultId': 'The specification requires it.',
  'payments createPaymentLink amount':
    'The specification: it must be a positive integer. open_amount opens it.',
}

const acceptsNull = (schema: Schema): boolean => problemsOf(schema, null).length === 0

/** All object schemas inside a schema: an envelope has the record in one of its fields. */
function objectsIn(schema: unknown, depth = 4): Schema[] {
  if (typeof schema !== 'object' || schema === null || depth === 0) return []
  const { properties = {}, items, anyOf = [] } = schema as Schema
  const inner = [...Object.values(properties), items, ...anyOf].flatMap((each) => objectsIn(each, depth - 1))
  return 'properties' in schema ? [schema as Schema, ...inner] : inner
}

/** The paths of the fields that can be null in `shown` and not in `sent`. */
function refusedNulls(sent: Schema, shown: Schema, path = ''): string[] {
  const partOf = (schema: Schema): Schema => schema.anyOf?.find((each) => 'properties' in each) ?? schema
  return Object.entries(partOf(sent).properties ?? {}).flatMap(([name, field]) => {
    const seen = partOf(shown).properties?.[name]
    if (!seen) return []
    const place = `${path}${name}`
    if (acceptsNull(seen) && !acceptsNull(field)) return [place]
    return field.items && seen.items
      ? refusedNulls(field.items, seen.items, `${place}[].`)
      : refusedNulls(field, seen, `${place}.`)
  })
}

/** The object that has the most fields of a body. */
function recordOf(body: Schema, objects: readonly Schema[]): Schema | undefined {
  const shared = ({ properties = {} }: Schema): number =>
    Object.keys(body.properties ?? {}).filter((name) => name in properties).length
  return objects.toSorted((one, other) => shared(other) - shared(one))[0]
}

test('bodies accept null where the record shows it', () => {
  const refused = PUBLISHED.flatMap(({ definition, routes }) =>
    routes.flatMap(({ path, schema, operation }) => {
      const body = schema.body as Schema | undefined
      // Fields of a form are texts.
      if (!body || 'contentMediaType' in body) return []
      const reading = routes.find((each) => each.method === 'GET' && each.path === path)
      const answers = [operation, reading?.operation].flatMap((each) => Object.values(each?.answers ?? {}))
      const shown = recordOf(
        body,
        answers.flatMap((each) => objectsIn(each)),
      )
      return shown
        ? refusedNulls(body, shown).map((field) => `${definition.name} ${operation.id} ${field}`)
        : []
    }),
  )
  expect(refused.sort()).toEqual(Object.keys(REFUSED_NULLS).sort())
})

const TOGETHER = 'The specification: both must be sent together.'

/** Fields that can't be sent back alone as they are shown, with the reason. */
const REFUSED_VALUES: Readonly<Record<string, string>> = {
  'catalog PUT /activities/{id} entityType': TOGETHER,
  'catalog PUT /activities/{id} entityId': TOGETHER,
  'recruiting PATCH /vacancies/{vacancy_id} location':
    'The specification: the country is sent as a code, and shown as a name.',
}

test('each field of a record can be sent back as it is shown', async () => {
  const fresh = await demoWorkspace()
  const paths = [...everyReadablePath(fresh, 3)]
  const refused = new Map<string, string>()
  let sent = 0
  for (const { route, title } of everyOperation()) {
    const { method, schema } = route
    if ((method !== 'PUT' && method !== 'PATCH') || !schema.body) continue
    const reading = title.replace(` ${method} `, ' GET ')
    for (const [address] of paths.filter(([, name]) => name === reading)) {
      const record = objectIn((await fresh.call('GET', address)).body)
      const { properties: fields = {} } = schema.body as Schema
      const names = Object.keys(fields).filter((name) => name in record)
      // Ends with the fields as they were.
      const bodies = [
        ...names.filter((name) => acceptsNull(fields[name] ?? {})).map((name) => ({ [name]: null })),
        ...names.map((name) => ({ [name]: record[name] })),
        Object.fromEntries(names.filter((name) => name !== 'location').map((name) => [name, record[name]])),
      ]
      for (const body of bodies) {
        const { status, text } = await fresh.call(method, address, { body })
        if (status === 400 || status === 422) refused.set(`${title} ${Object.keys(body).join()}`, text)
        sent++
      }
    }
  }
  expect([...refused.keys()].sort(), [...refused.values()].join('\n')).toEqual(
    Object.keys(REFUSED_VALUES).sort(),
  )
  expect(sent).toBeGreaterThan(100)
})

/** The record in a response: the response itself, or what its envelope has. */
function objectIn(body: unknown): Readonly<Record<string, unknown>> {
  const whole = body as Readonly<Record<string, unknown>>
  const inner = whole['data'] ?? whole['payload']
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    ? (inner as Readonly<Record<string, unknown>>)
    : whole
}
