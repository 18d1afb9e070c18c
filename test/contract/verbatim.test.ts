/**
 * Published examples work unchanged in a terminal: each is sent as is to an untouched demo workspace, and once more
 * through Prism, a proxy that validates request and response against the document.
 */
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  everyDocument,
  sentContent,
  type DocumentedOperation,
  type PublishedDocument,
} from '../support/documents.ts'
import { IS_FULL } from '../support/extent.ts'
import { buildApp } from '../support/subject.ts'
import { exampleRequest, type ExampleRequest } from '../support/verbatim.ts'

const KEY = 'demo-key'

const app = await buildApp({ fixtures: 'demo', rateLimits: false })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

const documents = everyDocument(address)

/** The path that undoes the examples sent since the last reset; null if they only read. */
let undoing: string | null = null

/** Resets the demo workspace after an example of an interface, and the whole server after one of the control plane. */
async function reset(): Promise<void> {
  if (undoing === null) return
  const { status } = await fetch(address + undoing, { method: 'POST' })
  expect(status).toBe(204)
  undoing = null
}

/** Sends an example to the untouched demo. */
async function sendTo(url: string, { name }: PublishedDocument, init: RequestInit): Promise<Response> {
  await reset()
  if (init.method !== 'GET') undoing = name === 'control' ? '/_sim/reset' : '/_sim/workspaces/demo/reset'
  return fetch(url, init)
}

/** Starts a Prism proxy that returns an error for each violation, and returns its base URL. */
async function proxied({
  document,
}: PublishedDocument): Promise<{ url: string; close: () => Promise<void> }> {
  const [server] = document.servers
  if (!server) throw new Error('the document names no server')
  const operations = await getHttpOperationsFromSpec(document)
  const prism = createServer(operations, {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(server.url),
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
    components: { logger: createLogger('prism', { enabled: false }) },
  })
  return { url: await prism.listen(0, '127.0.0.1'), close: () => prism.close() }
}

/** Its example names a directory of the reader's machine; see test/control/server/backup.test.ts. */
const BACKUP = 'backUp'

/** Returns the URLs of this server in a JSON text, without those that take only POST. */
const linksIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/"(http[^"\s\\]*)"/g)]
      .flatMap(([, url = '']) => url)
      .filter((url) => url.startsWith(`${address}/`) && !url.includes('/submit?')),
  )

/** The operations that have an example, with its request. */
const examplesOf = ({ document, operations }: PublishedDocument) =>
  operations.flatMap((each) => {
    if (each.operation.operationId === BACKUP) return []
    const request = exampleRequest(document, each, KEY)
    return request ? [[each.title, each, request] as const] : []
  })

const successesOf = (responses: object): number[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300)

const known = new Set<string>()

/** False for examples of the whole suite that are those of an interface: the same request with the same success. */
function isNew(base: string, { operation }: DocumentedOperation, { path, init }: ExampleRequest): boolean {
  const sent = Object.entries(sentContent(operation)).map(([type, { example }]) => [type, example])
  const parts = [init.method, base + path, init.headers, sent, successesOf(operation.responses)]
  const text = JSON.stringify(parts)
  return known.size < known.add(text).size
}

describe.each(documents.map((each) => [each.name, each] as const))('%s', (_name, published) => {
  const { document, operations } = published
  const base = document.servers[0]?.url ?? ''
  const examples = examplesOf(published)
  test.each(examples.filter(([, each, request]) => isNew(base, each, request)))(
    'accepts the example of %s unchanged',
    async (_title, { operation }, request) => {
      const answer = await sendTo(base + request.path, published, request.init)
      const text = await answer.text()
      expect(successesOf(operation.responses), text).toContain(answer.status)
      // Documents of the control plane name the base paths of interfaces.
      for (const url of published.name === 'control' ? [] : linksIn(text)) {
        undoing ??= '/_sim/workspaces/demo/reset'
        const { status } = await fetch(url, { headers: request.init.headers ?? {}, redirect: 'manual' })
        // A draft has no page yet.
        expect(url.includes('/recruiting/jobs/') ? [200, 404] : [200], url).toContain(status)
      }
    },
  )

  test('omits an example only if the list that it refers to is empty in the demo', async () => {
    await reset()
    for (const each of operations.filter(
      ({ title, operation }) =>
        operation.operationId !== BACKUP && !examples.some(([exampleTitle]) => exampleTitle === title),
    )) {
      const words = each.operation.parameters?.map(({ description }) => String(description)).join(' ') ?? ''
      const [, path = ''] = /\bGET (\/\S*[\w}])/.exec(words) ?? []
      if (HISTORY.test(path)) continue
      const found = examples.find(([title]) => title === `GET ${path}`)
      expect(found, `${each.title} says which list has what its parameters name`).toBeDefined()
      const [, , { path: list = '', init = {} } = {}] = found ?? []
      const answer = await fetch(base + list, init)
      expect(Object.values((await answer.json()) as object), each.title).toContainEqual([])
    }
  })
})

/** Prism needs ten times as long per example, so it runs only in the full run. */
const SEEN_BY_PRISM = IS_FULL ? documents : []

describe.each(SEEN_BY_PRISM.map((each) => [each.name, each] as const))('%s', (_name, published) => {
  let proxy: Awaited<ReturnType<typeof proxied>>
  beforeAll(async () => {
    proxy = await proxied(published)
  })
  afterAll(() => proxy.close())

  test.each(examplesOf(published))(
    'finds no violation with Prism in the example of %s and its response',
    async (_title, { operation }, request) => {
      const answer = await sendTo(proxy.url + request.path, published, request.init)
      expect(answer.headers.get('sl-violations')).toBeNull()
      expect(successesOf(operation.responses), await answer.text()).toContain(answer.status)
    },
  )
})

/** Ids of deliveries and e-mails change with each demo, so no document contains them. */
const HISTORY = /\/(?:deliveries|emails)$/

test('reports an invalid request and an invalid response with Prism', async () => {
  const [published] = documents
  const [subject] =
    published?.operations.filter(({ method, path }) => method === 'GET' && !path.includes('{')) ?? []
  const request = published && subject && exampleRequest(published.document, subject, KEY)
  if (!request) throw new Error('there is nothing to ask for')
  const { paths } = published.document
  const content = { 'application/json': { schema: { type: 'string' } } }
  const asking = { name: 'missed', in: 'query', required: true, schema: { type: 'string' } }
  const broken = [
    { ...subject.operation, parameters: [asking] },
    { ...subject.operation, responses: { 200: { description: 'OK', content } } },
  ]
  for (const operation of broken) {
    const document = { ...published.document, paths: { ...paths, [subject.path]: { get: operation } } }
    const proxy = await proxied({ ...published, document })
    const answer = await fetch(proxy.url + request.path, request.init)
    expect(await answer.json()).toMatchObject({ title: expect.stringMatching(/violat|valid/i) })
    await proxy.close()
  }
})
