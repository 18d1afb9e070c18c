/** The operations of the interfaces as agents call them: found by words, described, called, and confined. */
import { beforeAll, describe, expect, test } from 'vitest'
import { answerOf, MAX_RESPONSE_BYTES } from '../../src/mcp/operations/answering.ts'
import { Operations } from '../../src/mcp/operations/operations.ts'
import { operationTool, searchTools, type OperationCalls } from '../../src/mcp/operations/operationTools.ts'
import type { CallRequest } from '../../src/mcp/operations/requests.ts'
import { LongAnswers } from '../../src/mcp/shared/answers.ts'
import type { Document } from '../../src/mcp/shared/document.ts'
import type { Interface } from '../../src/mcp/shared/interfaces.ts'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { build } from '../../../../test/support/process.ts'
import {
  connected,
  everyOperation,
  keysOf,
  parsed,
  requestsOf,
  serverUrl,
  sessionAt,
  statusOf,
  type Found,
  type Session,
} from './connected.ts'

beforeAll(build)

const PAGE = 20_000

interface Example {
  readonly interface: string
  readonly operation: string
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly files?: unknown
}

interface Described {
  readonly method: string
  readonly scopes: readonly string[]
  readonly example: Example
  readonly parameters: Readonly<Record<'path' | 'query', readonly { name: string; required: boolean }[]>>
  readonly answers: Readonly<Record<string, unknown>>
  readonly refusals: readonly { status: number; reason?: string; when: string; body?: unknown }[]
  readonly fidelity: { readonly level: string; readonly why?: string }
  readonly schemas?: { readonly leftOut: readonly string[]; readonly next: string }
}

/** The arguments of an operation's own tool. */
const flat = ({ path, query, body, files }: Example) => ({
  ...Object.fromEntries(
    Object.entries({ ...path, ...query }).map(([name, value]) => [name.replace('[]', ''), value]),
  ),
  ...(body !== undefined && { body }),
  ...(files !== undefined && { files }),
})

/** What a tool sends to an interface, in a form that can be compared. */
const sentBy = async ({ path, init: { body, ...init } }: CallRequest) => ({
  path,
  ...init,
  body:
    body instanceof FormData
      ? await Promise.all(
          [...body].map(async ([name, value]) =>
            typeof value === 'string' ? [name, value] : [name, value.name, value.type, await value.text()],
          ),
        )
      : body,
})

/** The tools of all operations, which only note what they would send. */
async function noting(url: string) {
  const sent: CallRequest[] = []
  const calls: OperationCalls = {
    workspace: 'demo',
    defaultWorkspace: 'demo',
    caller: () => 'test',
    keyOf: () => Promise.resolve('key'),
    renew: () => Promise.resolve(null),
    send: (request) => {
      sent.push(request)
      return Promise.resolve(new Response('{}'))
    },
    control: () => Promise.reject(new Error('not called')),
    hintsOf: null,
  }
  const { interfaces } = (await (await fetch(url)).json()) as { interfaces: Interface[] }
  const operations = new Operations(
    interfaces,
    { workspace: 'demo', isReadOnly: false, mayReset: false },
    async (name) => (await (await fetch(`${url}/_sim/openapi/${name}.json`)).json()) as Document,
  )
  const answers = new LongAnswers()
  const found = [
    ...searchTools(operations, calls, answers),
    ...(await operations.all()).map((each) => operationTool(each, calls, answers)),
  ]
  const tools = new Map(found.map((tool) => [tool.name, tool]))
  return async (name: string, args: Readonly<Record<string, unknown>>) => {
    const tool = tools.get(name)
    if (!tool) throw new Error(`There is no tool ${name}.`)
    const { required, properties } = tool.inputSchema
    expect(Object.keys(args), name).toEqual(expect.arrayContaining([...required]))
    expect(Object.keys(properties), name).toEqual(expect.arrayContaining(Object.keys(args)))
    await tool.run(args)
    const last = sent.at(-1)
    return last && sentBy(last)
  }
}

/**
 * Calls the example of an operation; a path parameter without one gets an id that no record has. The operation's own
 * tool would send the same.
 */
async function callExample(
  session: Session,
  { interface: of, operation }: Found['data'][number],
  note: Awaited<ReturnType<typeof noting>>,
) {
  const answer = await session.call('describe_operation', { interface: of, operation })
  expect(answer.texts).toHaveLength(1)
  const { example, method, answers, parameters } = parsed<Described>(answer)
  const missing = parameters.path.filter(({ name }) => example.path?.[name] === undefined)
  const path = { ...Object.fromEntries(missing.map(({ name }) => [name, 'missing-1'])), ...example.path }
  const args = { ...example, path }
  const called = await session.call('call_operation', args)
  const isKnown = missing.length === 0
  const expected = isKnown ? Object.keys(answers).map(Number) : [404]
  expect(expected, `${of} ${operation}: ${called.texts.join('\n').slice(0, 500)}`).toContain(statusOf(called))
  expect(called.isError).toBe(!isKnown)
  const sent = await note('call_operation', args)
  expect(sent?.path).toContain('/')
  expect(await note(`${of}_${operation}`, flat(args))).toEqual(sent)
  if (method !== 'GET') await session.post('/_sim/workspaces/demo/reset', {})
}

describe('every operation of every interface', () => {
  test('is found, described, and callable with the example of its description', async () => {
    const url = await serverUrl({ rateLimits: false, fixtures: 'small' })
    const flags = ['--workspace', 'demo', '--interface', INTERFACE_NAMES.join(',')]
    const session = await sessionAt(url, ...flags)
    const own = await sessionAt(url, ...flags, '--tools', 'all')
    const all = await everyOperation(session)
    const published = await Promise.all(
      INTERFACE_NAMES.map(async (name) => {
        const document = (await (await fetch(`${url}/_sim/openapi/${name}.json`)).json()) as {
          paths: Record<string, Record<string, { operationId: string }>>
        }
        return Object.values(document.paths).flatMap((each) =>
          Object.values(each).map(({ operationId }) => `${name}_${operationId}`),
        )
      }),
    )
    const names = all.map((each) => `${each.interface}_${each.operation}`)
    expect(names.sort()).toEqual(published.flat().sort())
    expect((await own.names()).sort()).toEqual([...names, ...(await session.names())].sort())
    const note = await noting(url)
    for (const each of all) await callExample(session, each, note)
    const { client } = own
    for (const { name, inputSchema, annotations } of (await client.listTools()).tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      for (const argument of Object.keys(inputSchema.properties ?? {}))
        expect(argument).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
      const found = all.find((each) => `${each.interface}_${each.operation}` === name)
      const isReading = found ? found.method === 'GET' : name !== 'call_operation'
      expect([name, annotations]).toEqual([name, { readOnlyHint: isReading, destructiveHint: !isReading }])
      expect(JSON.stringify(inputSchema)).not.toContain('"$ref"')
      expect(JSON.stringify(inputSchema).length).toBeLessThan(PAGE)
    }
  }, 600_000)
})

describe('search_operations', () => {
  test.each([
    ['refund a payment', 'payments', 'refundTransaction'],
    ['create contact', 'crm', 'createContact'],
    ['createPaymentLink', 'payments', 'createPaymentLink'],
    ['cancel invoice', 'tax-invoicing', 'cancelInvoice'],
  ])('finds %s first', async (words, of, operation) => {
    const { call } = await connected()
    const { data } = parsed<Found>(await call('search_operations', { words }))
    expect(data.length).toBeLessThanOrEqual(10)
    expect(data.slice(0, 2)).toContainEqual(expect.objectContaining({ interface: of, operation }))
  })

  test('is bounded, says how to go on, and names near words if nothing matches', async () => {
    const { call } = await connected()
    const first = parsed<Found>(await call('search_operations', { words: 'list', limit: 3 }))
    expect(first.data).toHaveLength(3)
    expect(first.total).toBeGreaterThan(3)
    expect(first.next).toBe('search_operations {"words":"list","limit":3,"offset":3}')
    const next = JSON.parse(String(first.next).replace('search_operations ', '')) as Record<string, unknown>
    const second = parsed<Found>(await call('search_operations', next))
    expect(second.data[0]).not.toEqual(first.data[0])
    const last = parsed<Found>(await call('search_operations', { ...next, offset: first.total - 1 }))
    expect([last.data.length, last.next]).toEqual([1, undefined])
    expect(parsed<Found>(await call('search_operations', { words: 'contct' }))).toEqual({
      total: 0,
      data: [],
      nearestWords: ['contact'],
    })
    const own = parsed<Found>(
      await call('search_operations', { words: 'contact', interface: 'crm', limit: 50 }),
    )
    expect(new Set(own.data.map((each) => each.interface))).toEqual(new Set(['crm']))
  })

  test.each([
    [{ words: 'x'.repeat(201) }, 'words must be a text with at most 200 characters'],
    [{ words: 7 }, 'words must be a text with at most 200 characters'],
    [{ limit: 0 }, 'limit must be a whole number from 1 to 50'],
    [{ limit: 51 }, 'limit must be a whole number from 1 to 50'],
    [{ offset: -1 }, 'offset must be a whole number from 0'],
    [{ interface: 'crn' }, 'interface must be one of catalog, crm'],
    [{ word: 'a' }, 'word is not a known argument'],
  ])('refuses %j', async (args, words) => {
    const { call } = await connected()
    const answer = await call('search_operations', args)
    expect(answer).toMatchObject({ isError: true })
    expect(answer.text).toContain(words)
  })

  test('accepts 200 characters', async () => {
    const { call } = await connected()
    expect(await call('search_operations', { words: 'x'.repeat(200) })).toMatchObject({ isError: false })
  })
})

describe('describe_operation', () => {
  test('has parameters, body, answers, refusals, scopes and fidelity', async () => {
    const { call } = await connected()
    const described = parsed<Described & { body: object }>(
      await call('describe_operation', { interface: 'crm', operation: 'createContact' }),
    )
    expect(described).toMatchObject({
      method: 'POST',
      path: '/crm/v1/contacts',
      scopes: ['crm:write'],
      fidelity: { level: 'documented' },
      body: { required: true, 'application/json': { properties: { name: { type: 'string' } } } },
      answers: { 201: { 'application/json': { properties: { id: { type: 'string' } } } } },
    })
    expect(described.refusals).toContainEqual(
      expect.objectContaining({ status: 409, body: expect.objectContaining({ error: expect.anything() }) }),
    )
    expect(JSON.stringify(described)).not.toContain('#/components')
  })

  test('leaves out schemas beyond a limit, and returns one of them by its name', async () => {
    const { call } = await connected()
    const of = 'conversations'
    const { schemas } = parsed<Described>(
      await call('describe_operation', { interface: of, operation: 'createConversation' }),
    )
    expect(schemas?.leftOut).toContain('Message')
    expect(schemas?.next).toBe('describe_operation {"interface":"conversations","schema":"Message"}')
    const { schema } = parsed<{ schema: object }>(
      await call('describe_operation', { interface: of, schema: 'Message' }),
    )
    expect(schema).toMatchObject({ properties: { content: expect.anything() } })
  })

  test.each([
    [{ interface: 'crm', operation: 'getContcat' }, 'The nearest name is getContact.'],
    [{ interface: 'crm', operation: 'constructor' }, 'crm has no operation "constructor"'],
    [{ interface: 'crm', schema: 'toString' }, 'crm has no schema "toString"'],
    [{ interface: 'crm' }, 'must have either operation or schema'],
    [{ operation: 'getContact' }, 'interface is required'],
  ])('refuses %j', async (args, words) => {
    const { call } = await connected()
    const answer = await call('describe_operation', args)
    expect(answer.isError).toBe(true)
    expect(answer.text).toContain(words)
  })
})

describe('call_operation', () => {
  const crm = (operation: string, rest: object = {}) => ({ interface: 'crm', operation, ...rest })

  test('returns a refusal as an error with the status and the body of the interface', async () => {
    const { call } = await connected()
    const answer = await call('call_operation', crm('getContact', { path: { contact_id: 'con_none' } }))
    expect([answer.isError, statusOf(answer)]).toEqual([true, 404])
    expect(JSON.parse(answer.page ?? '')).toMatchObject({ error: { code: expect.any(String) } })
    const invalid = await call('call_operation', crm('createContact', { body: { name: 7 } }))
    expect([invalid.isError, invalid.page?.includes('name')]).toEqual([true, true])
  })

  test('adds the hints of the simulator', async () => {
    const { call } = await connected()
    const { texts } = await call(
      'call_operation',
      crm('createContact', { body: { name: 'Zoe', colour: 'red' }, headers: { 'If-Match': '"1"' } }),
    )
    expect(texts.at(-1)).toBe(
      [
        'Hints of the simulator, which are not part of the response:',
        '- unknown_body_field: createContact has no field colour. It was ignored.',
        '- unknown_header: The specification has no header if-match: the last change wins.',
      ].join('\n'),
    )
  })

  test('splits a long body into pages', async () => {
    const { call } = await connected()
    const answer = await call('call_operation', {
      interface: 'crm',
      operation: 'listContacts',
      query: { per_page: 100 },
    })
    const [head = '', summary = '', page = ''] = answer.texts
    expect(head).toMatch(/^HTTP 200 OK\n/)
    expect(page.length).toBe(PAGE)
    const on = JSON.parse(/readAnswer (\{.+?\})/.exec(summary)?.[1] ?? '') as Record<string, unknown>
    const rest = await call('readAnswer', on)
    expect(() => JSON.parse(page + (rest.page ?? '')) as unknown).not.toThrow()
  })

  test('sends files as base64 and as text, and returns a file as base64', async () => {
    const { call } = await connected()
    const csv = 'name,email\nNuria Solís,nuria@example.com\n'
    for (const file of [{ base64: Buffer.from(csv).toString('base64') }, { text: csv }]) {
      const answer = await call(
        'call_operation',
        crm('importContacts', {
          files: { file: { ...file, filename: 'c.csv', contentType: 'text/csv' } },
          body: { duplicate_strategy: 'skip' },
        }),
      )
      expect(statusOf(answer)).toBe(200)
      expect(JSON.parse(answer.page ?? '')).toMatchObject({ total_rows: 1 })
    }
    const wanted = { interface: 'tax-invoicing', operation: 'getInvoicePdf' }
    const { example } = parsed<Described>(await call('describe_operation', wanted))
    const pdf = await call('call_operation', { ...example })
    expect(pdf.text).toMatch(/content-type: application\/pdf[^]*The body is a file of \d+ bytes, as base64\./)
    const body = pdf.texts.find((text) => text.startsWith('JVBERi0')) ?? ''
    expect(Buffer.from(body, 'base64').toString('latin1', 0, 5)).toBe('%PDF-')
  })

  test('refuses wrong arguments without a call', async () => {
    const { call, url } = await connected()
    for (const [args, words] of [
      [crm('getContact'), 'path.contact_id is required in /crm/v1/contacts/{contact_id}'],
      [crm('getContact', { path: { id: 1 } }), 'its path parameters: contact_id'],
      [crm('getContact', { path: { contact_id: '..' } }), 'must not be ".."'],
      [crm('getContact', { path: 'x' }), 'path must be an object'],
      [crm('getContact', { path: { contact_id: 'a' }, body: {} }), 'getContact takes no body'],
      [crm('createContact', { files: {} }), 'createContact takes no files'],
      [
        crm('listContacts', { headers: { AUTHORIZATION: 'Bearer demo-key' } }),
        'headers.AUTHORIZATION must be left out',
      ],
      [
        crm('listContacts', { headers: { 'x-sim-caller': 'other' } }),
        'headers.x-sim-caller must be left out',
      ],
      [crm('listContacts', { headers: { 'a b': 'x' } }), 'a b is not the name of a header'],
      [crm('listContacts', { headers: { accept: 'a\nb' } }), 'printable ASCII'],
      [crm('listContacts', { headers: { accept: 'a'.repeat(4001) } }), 'at most 4,000 printable ASCII'],
      [
        crm('importContacts', { files: { file: Array.from({ length: 101 }, () => ({ text: 'a' })) } }),
        'files must have at most 100 files',
      ],
      [crm('importContacts', { files: { file: { base64: 'abc' } } }), 'files.file.base64 must be base64'],
      [crm('importContacts', { files: { file: 'abc' } }), 'files.file must be an object with base64 or text'],
      [
        crm('importContacts', { files: { file: { text: 'a', base64: 'YQ==' } } }),
        'must be an object with base64 or text',
      ],
      [crm('listContacts', { workspace: 'gone' }), 'There is no workspace gone.'],
      [crm('listContacts', { workspace: '..' }), 'workspace must not be ".."'],
      [
        {
          interface: 'forms',
          operation: 'submitForm',
          path: { formId: 'a' },
          query: { workspace: 'x' },
          body: {},
        },
        'query.workspace must be demo',
      ],
    ] as const) {
      const answer = await call('call_operation', args)
      expect(answer.isError, JSON.stringify(args)).toBe(true)
      expect(answer.text).toContain(words)
    }
    expect(await requestsOf(url)).toEqual([])
  })

  test('accepts headers of 4,000 characters, 100 files, and 16 MiB of files', async () => {
    const { call } = await connected()
    const accept = 'a'.repeat(4000)
    expect(statusOf(await call('call_operation', crm('listContacts', { headers: { accept } })))).toBe(200)
    const upload = (files: object) =>
      call('call_operation', { interface: 'signage', operation: 'uploadMedia', files: { file: files } })
    const hundred = await upload(Array.from({ length: 100 }, () => ({ text: 'a' })))
    expect(statusOf(hundred)).toBeGreaterThan(0)
    const text = 'a'.repeat(16_777_216)
    expect(statusOf(await upload({ text }))).toBeGreaterThan(0)
    expect(await upload({ text: `${text}a` })).toMatchObject({
      isError: true,
      text: 'files must have at most 16777216 bytes',
    })
  })

  test('reads at most 16 MiB of a response', async () => {
    const answers = new LongAnswers()
    const body = 'a'.repeat(MAX_RESPONSE_BYTES)
    const headers = { 'content-type': 'text/csv' }
    const whole = await answerOf(new Response(body, { headers }), answers)
    const cut = await answerOf(new Response(`${body}b`, { headers }), answers)
    expect(whole.texts[0]).not.toContain('left out')
    expect(cut.texts[0]).toContain('These are its first 16777216 bytes; the rest is left out.')
    expect(cut.texts[1]).toContain('of 16777216.')
  })

  test('makes a key for each workspace that it is told, and deletes them at the end', async () => {
    const { call, post, url, client } = await connected()
    const { workspace } = (await (await post('/_sim/workspaces', { name: 'second' })).json()) as {
      workspace: { id: string }
    }
    const before = [await keysOf(url), await keysOf(url, workspace.id)]
    const answer = await call('call_operation', crm('listContacts', { workspace: workspace.id }))
    expect(JSON.parse(answer.page ?? '')).toMatchObject({ data: [] })
    await call('call_operation', crm('listContacts'))
    expect((await keysOf(url)).length).toBe((before[0]?.length ?? 0) + 1)
    await client.close()
    expect([await keysOf(url), await keysOf(url, workspace.id)]).toEqual(before)
  })

  test('makes another key if the server lost the first one', async () => {
    const { call, url } = await connected('--workspace', 'demo')
    await call('call_operation', crm('listContacts'))
    const { key } = (await keysOf(url)).at(-1) ?? { key: '' }
    await fetch(`${url}/_sim/keys/${key}`, { method: 'DELETE' })
    expect(statusOf(await call('call_operation', crm('listContacts')))).toBe(200)
  })

  test('returns a fault with 401 once', async () => {
    const { call, post, url } = await connected('--workspace', 'demo')
    await post('/_sim/workspaces/demo/faults', { interface: 'crm', status: 401, times: 1 })
    expect(statusOf(await call('call_operation', crm('listContacts')))).toBe(401)
    expect(await requestsOf(url)).toHaveLength(1)
  })

  test('returns an error if the connection is closed', async () => {
    const { call, post } = await connected('--workspace', 'demo')
    await post('/_sim/workspaces/demo/faults', { interface: 'crm', reset: true, times: 1 })
    const answer = await call('call_operation', crm('listContacts'))
    expect(answer).toMatchObject({ isError: true })
    expect(answer.text).toContain('does not respond')
  })
})
