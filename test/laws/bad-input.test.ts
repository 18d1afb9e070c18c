/**
 * Sends bad input of every kind to every operation. The response must be an error with the right status in the shape
 * of the interface (checked against its document), and nothing may change.
 */
import { OptionalKind } from '@sinclair/typebox'
import { beforeEach, describe, expect, test } from 'vitest'
import { INTERFACES } from '../../src/app.ts'
import { queryProperties } from '../../src/http/openapi/reasons.ts'
import { freshApp, type FreshApp } from '../support/app.ts'
import { everyOperation, takesForm } from '../support/examples.ts'
import { PUBLISHED } from '../support/published.ts'
import { Cases } from './cases.ts'
import { Prepared } from './prepared.ts'

const MEBIBYTE = 1_048_576

const operations = everyOperation()

const BROKEN_JSON = [
  '{',
  '{"a":',
  '{a:1}',
  "{'a':1}",
  '{"a":1}}',
  '[1,]',
  'text',
  'undefined',
  'NaN',
  '\uFEFF{}',
]

const UNSTORABLE_JSON = [
  ['a NUL character', String.raw`{"x":"\u0000"}`],
  ['a NUL character in a name', String.raw`{"a\u0000b":1}`],
  ['half of a surrogate pair', String.raw`{"x":"\ud800"}`],
  ['half of a surrogate pair deep inside', String.raw`{"x":[{"y":"a\udfffb"}]}`],
  ['a field named __proto__', '{"__proto__":{"name":"x"}}'],
  ['a field named __proto__ deep inside', '{"x":{"__proto__":{"a":1}}}'],
  ['a number out of range', '{"x":1e400}'],
  ['nesting a hundred deep', `{"x":${'['.repeat(100)}${']'.repeat(100)}}`],
  ['nesting a hundred objects deep', `${'{"x":'.repeat(100)}1${'}'.repeat(100)}`],
] as const

const OTHER_CONTENT_TYPES = [
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonp',
  'nonsense',
]

const NO_FORMS = ['application/json', ...OTHER_CONTENT_TYPES.filter((type) => !type.startsWith('multipart'))]

for (const subject of operations) {
  const { route } = subject
  const operation = new Prepared(subject)
  const cases = new Cases()
  const { dialect } = operation
  const writes = route.method !== 'GET'
  const hasForm = takesForm(subject)
  const takesBody = Boolean(route.schema.body)
  const takesBoth = 'x-form' in (route.schema.body ?? {})
  const otherTypes = hasForm
    ? NO_FORMS
    : OTHER_CONTENT_TYPES.filter((type) => !takesBoth || !type.startsWith('multipart'))
  const takesJson = takesBody && !hasForm
  const isOptional = OptionalKind in (route.schema.body ?? {})
  const namesRecord = route.path.includes('{')

  cases.when(writes && !hasForm)('refuses broken JSON', async () => {
    await operation.refuses('malformed', ({ send }) => BROKEN_JSON.map((raw) => send({ raw })))
  })

  cases.when(writes && !hasForm)('refuses JSON that cannot be stored unchanged', async () => {
    await operation.refuses('malformed', ({ send }) => UNSTORABLE_JSON.map(([, raw]) => send({ raw })))
  })

  cases.when(writes)('refuses a body with another content type or without one', async () => {
    await operation.refuses('unsupported_media_type', ({ send }) =>
      [...otherTypes, null].map((contentType) => send({ raw: '{"a":1}', contentType })),
    )
  })

  cases.when(writes && !hasForm)('refuses a body of more than 1 MiB', async () => {
    await operation.refuses('too_large', ({ send, body }) => [
      send({ raw: padded(body, MEBIBYTE + 1) }),
      send({ raw: padded(body, 3 * MEBIBYTE) }),
    ])
  })

  cases.when(takesJson)('accepts a body of 1 MiB', async () => {
    const { send, body } = await operation.fresh()
    operation.mustSucceed(await send({ raw: padded(body, MEBIBYTE) }))
  })

  cases.when(takesJson && !isOptional)('refuses an empty body', async () => {
    await operation.refuses(dialect.misshapenBody ?? 'invalid', ({ send }) => [send({ raw: '' }), send({})])
  })

  cases.when(takesJson)('refuses a body that is not an object', async () => {
    await operation.refuses(dialect.misshapenBody ?? 'invalid', ({ send }) =>
      ['[]', '[{}]', '1', '"text"', 'null', 'true'].map((raw) => send({ raw })),
    )
  })

  cases.when(true)('refuses a path with a NUL byte', async () => {
    await operation.refuses('malformed', ({ get, path }) => [
      get(`${path}?x=%00`),
      get(`${path}?%00=x`),
      get(`${path}?search=a%00b`),
    ])
  })

  cases.when(namesRecord)('refuses a path parameter with a NUL byte or broken percent-encoding', async () => {
    await operation.refuses('malformed', ({ get }) =>
      ['%00', 'a%00b', '%', '%zz', '%E0%A4', '%ff', '%ED%A0%80'].map((id) => get(withId(route.path, id))),
    )
  })

  cases.when(true)('refuses a query with broken percent-encoding', async () => {
    await operation.refuses('malformed', ({ get, path }) =>
      ['%', '%zz', '%E0%A4', '%ff', '%ED%A0%80'].map((value) => get(`${path}?search=${value}`)),
    )
  })

  cases.when(Object.keys(queryProperties(route)).length > 0)(
    'refuses query values of a wrong type',
    async () => {
      const wrong = Object.entries(queryProperties(route)).flatMap(([name, schema]) =>
        wrongQueryValues(name, schema),
      )
      expect(wrong).not.toEqual([])
      await operation.refuses('invalid_query', ({ get, path, query }) =>
        wrong.map((wrongQuery) => get(`${path}${query === '' ? '?' : `${query}&`}${wrongQuery}`)),
      )
    },
  )

  cases.when(Object.keys(queryProperties(route)).length > 0)('ignores unknown query parameters', async () => {
    const { get, path, query } = await operation.accepting()
    const unknown = 'unknown=1&unknown&constructor=x&__proto__=x&toString=x&id=1'
    operation.mustSucceed(await get(`${path}${query === '' ? '?' : `${query}&`}${unknown}`))
  })

  cases.when(namesRecord)('returns not found for an id that does not exist', async () => {
    await operation.refuses('not_found', ({ get }) =>
      [
        'nobody',
        '0',
        '-1',
        '__proto__',
        'constructor',
        '..%2F..',
        "'%20OR%201=1--",
        '%F0%9F%A6%86',
        'x'.repeat(90),
      ].map((id) => get(withId(route.path, id))),
    )
  })

  // A submission without a key looks for its form in all workspaces.
  cases.when(namesRecord && takesJson && route.operation.open !== true)(
    'looks for the record first',
    async () => {
      await operation.refuses('not_found', ({ call, method }) =>
        ['[]', '{"unknown":1}', JSON.stringify(wrongBody(route.schema.body))].map((raw) =>
          call(method, withId(route.path, 'nobody'), { raw }),
        ),
      )
    },
  )

  cases.test(`${subject.title} refuses bad input`)
}

describe.each(PUBLISHED.map(({ definition }) => [definition.name, definition] as const))(
  'the %s interface',
  (name, { dialect, basePath }) => {
    let fresh: FreshApp

    beforeEach(async () => {
      fresh = await freshApp()
    })

    const paths = [
      ...new Set(operations.filter(({ route }) => route.interface === name).map(({ route }) => route.path)),
    ]

    test.each(paths)(
      'refuses methods that %s does not support, and lists the supported ones',
      async (path) => {
        // "/contacts/import" also matches "/contacts/{contact_id}".
        const known = [
          ...new Set(
            operations
              .filter(({ route }) => route.interface === name && isAddressOf(withId(path, 'any'), route.path))
              .map(({ route }) => route.method),
          ),
        ]
        const call = fresh.at(name)
        const before = fresh.rows()
        const reads = INTERFACES.find((entry) => entry.name === name)?.parsing
        const address = basePath + withId(path, 'any')
        const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const).filter(
          // Some interfaces treat a PUT as a PATCH.
          (method) => !known.includes(method) && (reads?.(method, address).method ?? method) === method,
        )
        for (const method of others) {
          const answer = await call(method, withId(path, 'any'))
          expect(answer.status).toBe(dialect.refusals.method_not_allowed.status)
          expect(answer.headers['allow']?.split(', ').sort()).toEqual([...known].sort())
        }
        expect(fresh.rows()).toEqual(before)
      },
    )

    test('returns not found for an unknown path', async () => {
      const call = fresh.at(name)
      for (const path of ['', '/', '/nothing', `${paths[0] ?? ''}/a/b/c/d/e`, '/..%2f', '/__proto__', '//']) {
        for (const method of ['GET', 'POST', 'DELETE'] as const) {
          const answer = await call(method, path)
          expect(answer.status, `${method} ${path}`).toBe(dialect.refusals.no_such_path.status)
        }
      }
    })

    test('refuses an unreadable path with an error of the interface', async () => {
      for (const path of ['/%zz', '/%', '/%ff', `${paths[0] ?? ''}/%zz`]) {
        const answer = await fresh.at(name)('GET', path)
        expect(answer.status).toBe(dialect.refusals.malformed.status)
        expect(answer.text).toContain(`"${dialect.refusals.malformed.code}"`)
      }
    })
  },
)

/** The path with the id as its last parameter, and any value as the parameters before it. */
function withId(path: string, id: string): string {
  const last = path.lastIndexOf('{')
  const end = path.indexOf('}', last)
  if (last < 0) return path
  return path.slice(0, last).replaceAll(/\{\w+\}/g, 'any') + id + path.slice(end + 1)
}

const isAddressOf = (address: string, path: string): boolean =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address)

/** The body as JSON of exactly this many bytes. */
function padded(body: unknown, bytes: number): string {
  const text = JSON.stringify(body ?? {})
  return text + ' '.repeat(bytes - Buffer.byteLength(text))
}

/** Query string values that the schema of a query parameter refuses. */
function wrongQueryValues(name: string, schema: object): string[] {
  const { type, enum: values, format, minLength, maxLength, maximum } = schema as Record<string, unknown>
  if (type === 'integer' || type === 'number') {
    const beyond = typeof maximum === 'number' ? [String(maximum + 1)] : []
    return ['', 'ten', ...(type === 'integer' ? ['1.5'] : []), '1e400', 'NaN', '-1', ...beyond, '10,'].map(
      (text) => `${name}=${text}`,
    )
  }
  if (Array.isArray(values)) {
    const [first] = values as string[]
    return ['', 'nonsense', String(first).toUpperCase(), `${String(first)}%20`, `${String(first)},`]
      .filter((text) => text !== first)
      .map((text) => `${name}=${text}`)
      .concat(`${name}=${String(first)}&${name}=${String(first)}`)
  }
  if (type === 'boolean') return ['', 'yes', '1.5'].map((text) => `${name}=${text}`)
  // A list parameter may be repeated. Its items must not be empty.
  if (type === 'array') return [`${name}=`]
  // A text with several values may be repeated, too.
  if ('x-separator' in schema) return [`${name}=a&${name}=${'b'.repeat(Number(maxLength))}`]
  const twice = `${name}=a&${name}=b`
  return format !== undefined ? [`${name}=nonsense`, twice] : minLength === 1 ? [`${name}=`, twice] : [twice]
}

/** A body in which every field has a value that none accepts. */
const wrongBody = (schema: unknown): object =>
  Object.fromEntries(
    Object.keys((schema as { properties?: object }).properties ?? {}).map((name) => [name, [[]]]),
  )
