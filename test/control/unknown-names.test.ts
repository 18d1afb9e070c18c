/** Invariants: no call of the control plane accepts unknown query parameters or body fields. */
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../src/http/openapi/examples.ts'
import { controlApp, makeWorkspace, type ControlApp, type Method } from './app.ts'

const RECEIVER = 'receiveWebhook'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of all objects in a schema that list fields but allow others. */
function* openObjects(schema: unknown, path: string): Generator<string> {
  if (!isObject(schema)) return
  if ('properties' in schema && schema['additionalProperties'] !== false) yield path
  for (const [name, held] of Object.entries((schema['properties'] as Json | undefined) ?? {})) {
    yield* openObjects(held, `${path}.${name}`)
  }
  yield* openObjects(schema['items'], `${path}[]`)
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    for (const each of (schema[word] as unknown[] | undefined) ?? []) yield* openObjects(each, path)
  }
}

/** A schema's example with every field, and copies of it with an unknown field in one object. */
function* withUnknownField(
  schema: unknown,
  value: unknown,
  path: readonly string[],
): Generator<[string, unknown]> {
  if (!isObject(schema)) return
  if (Array.isArray(value)) {
    for (const [field, changed] of withUnknownField(schema['items'], value[0], [...path, '0'])) {
      yield [field, [changed, ...(value as unknown[]).slice(1)]]
    }
    return
  }
  if (!isObject(value) || !('properties' in schema)) return
  yield [[...path, 'zzz'].join('.'), { ...value, zzz: 1 }]
  for (const [name, held] of Object.entries(schema['properties'] as Json)) {
    for (const [field, changed] of withUnknownField(held, value[name], [...path, name])) {
      yield [field, { ...value, [name]: changed }]
    }
  }
}

/** The example of a schema including optional fields. */
function wholeExample(schema: Json): unknown {
  const properties = schema['properties'] as Record<string, Json> | undefined
  if (properties && !('examples' in schema)) {
    return Object.fromEntries(Object.entries(properties).map(([name, held]) => [name, wholeExample(held)]))
  }
  if (isObject(schema['items']) && !('examples' in schema)) return [wholeExample(schema['items'])]
  return exampleOf(schema, 'sent')
}

const routesOf = async (app: ControlApp) => (await app.published('control')).routes
/** The pages, whose links may carry parameters of other tools. */
const PAGES = ['getDashboard', 'getDocsPage']
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x')

describe('unknown query parameters', () => {
  test('are refused by every call before any lookup, except by the receiver of webhooks and pages', async () => {
    const app = await controlApp()
    // A receiver does not choose its URL.
    expect((await app.sim('POST', '/receiver?zzzzzzzz=1', { body: {} })).status).toBe(200)
    const calls = (await routesOf(app)).filter(
      ({ operation }) => ![RECEIVER, ...PAGES].includes(operation.id),
    )
    const answers = await Promise.all(
      calls.map(async ({ method, path }) => {
        const { status, body } = await app.sim(method as Method, `${filled(path)}?zzzzzzzz=1`)
        return [method, path, status, body.error.details[0].field]
      }),
    )
    expect(answers.length).toBeGreaterThan(50)
    expect(answers.filter(([, , status, field]) => status !== 400 || field !== 'zzzzzzzz')).toEqual([])
  })

  test('are refused with the nearest name', async () => {
    const app = await controlApp()
    let count = 0
    for (const { method, path, schema } of await routesOf(app)) {
      const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
      for (const name of Object.keys(properties).filter(({ length }) => length > 2)) {
        const { body } = await app.sim(method as Method, `${filled(path)}?${name}x=1`)
        expect(body.error.message).toBe(`${name}x is not a known query parameter; did you mean ${name}?`)
        count++
      }
    }
    expect(count).toBeGreaterThan(20)
  })

  test('are refused with the known names, or a note that there are none', async () => {
    const { sim } = await controlApp()
    expect((await sim('GET', '/health?qqqqqqqq=1')).body.error.message).toBe(
      'qqqqqqqq is not a known query parameter; this call accepts none',
    )
    expect((await sim('GET', '/keys?qqqqqqqq=1')).body.error.message).toBe(
      'qqqqqqqq is not a known query parameter; this call accepts workspaceId',
    )
  })

  test('do not affect pages and their parts, and unknown paths return 404', async () => {
    const { app } = await setup()
    const get = async (url: string): Promise<number> => (await app.fastify.inject(url)).statusCode
    for (const page of ['docs', '', 'docs/start.js']) {
      expect({ page, status: await get(`/_sim/${page}?utm_source=mail`) }).toEqual({ page, status: 200 })
    }
    expect(await get('/_sim/nowhere?v=1')).toBe(404)
  })

  test('do not affect known ones', async () => {
    const { sim, path } = await setup()
    for (const query of ['deliveries?status=dead&limit=1', 'requests?status=5xx&wait=0&count=1']) {
      expect((await sim('GET', `${path}/${query}`)).status).toBe(200)
    }
  })
})

describe('bodies', () => {
  test('of all calls are closed at any depth', async () => {
    const open = (await routesOf(await controlApp())).flatMap(({ operation, schema }) => [
      ...openObjects(schema.body, operation.id),
    ])
    expect(open).toEqual([])
  })

  test('are refused by calls without one', async () => {
    const app = await controlApp()
    let count = 0
    for (const { method, path, operation, schema } of await routesOf(app)) {
      if (method === 'GET' || schema.body || operation.open) continue
      const { status, body } = await app.sim(method as Method, filled(path), { body: { fixtures: 'demo' } })
      expect([path, status, body.error?.message]).toEqual([
        path,
        400,
        'fixtures is not a known field; this call accepts none',
      ])
      count++
    }
    expect(count).toBeGreaterThan(8)
  })

  test('are accepted by calls without one if they are empty', async () => {
    const { sim, path } = await setup()
    expect((await sim('POST', `${path}/reset`, { body: {} })).status).toBe(204)
    expect((await sim('POST', `${path}/reset`)).status).toBe(204)
  })
})

async function setup() {
  const app = await controlApp()
  const { id } = await makeWorkspace(app)
  return { app, ...app, path: `/workspaces/${id}` }
}

describe('bodies of triggers', () => {
  test('refuse unknown fields at any depth', async () => {
    const { sim, path } = await setup()
    const triggers = (await sim('GET', '/triggers')).body.data as { name: string; body: Json }[]
    const taken: string[] = []
    let nested = 0
    for (const { name, body } of triggers) {
      for (const [field, sent] of withUnknownField(body, wholeExample(body), [])) {
        const answer = await sim('POST', `${path}/triggers/${name}`, { body: sent })
        const fields = ((answer.body.error?.details ?? []) as { field: string }[]).map((each) => each.field)
        if (answer.status !== 400 || !fields.includes(field)) taken.push(`${name} ${field}`)
        if (field.includes('.')) nested++
      }
    }
    expect(taken).toEqual([])
    expect(nested).toBeGreaterThan(4)
  })

  test.each([
    [
      'conversations.message.receive',
      { inbox_id: 1, content: 'Hello', contact: { name: 'Ana', mail: 'ana@example.com' } },
      'contact.mail is not a known field; did you mean email?',
    ],
    [
      'forms.form.publish',
      { formId: 'x', fields: [{ type: 'text', label: 'Name', requird: true }] },
      'fields.0.requird is not a known field; did you mean required?',
    ],
    ['pos.event.emit', { evnt: 'sale.completed' }, 'evnt is not a known field; did you mean event?'],
  ])('of %s suggest the right field', async (name, body, message) => {
    const { sim, path } = await setup()
    const answer = await sim('POST', `${path}/triggers/${name}`, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(message)
  })

  test('accept any free-form data', async () => {
    const { sim, path } = await setup()
    const body = { event: 'sale.completed', data: { metadata: { anything: 1 } } }
    const { body: answered } = await sim('POST', `${path}/triggers/pos.event.emit`, { body })
    expect(JSON.stringify(answered)).not.toContain('is not a known field')
  })
})
