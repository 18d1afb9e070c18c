/** Prism, a proxy that validates request and response against the document, finds no violation in published examples. */
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublishedDocument } from '../test/support/documents.ts'
import { KEY, successesOf, untouchedDemo } from '../test/support/untouchedDemo.ts'
import { exampleRequest } from '../test/support/verbatim.ts'

const demo = await untouchedDemo()
const { documents, examplesOf } = demo
afterAll(demo.close)

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

describe.each(documents.map((each) => [each.name, each] as const))('%s', (_name, published) => {
  let proxy: Awaited<ReturnType<typeof proxied>>
  beforeAll(async () => {
    proxy = await proxied(published)
  })
  afterAll(() => proxy.close())

  test.each(examplesOf(published))(
    'finds no violation with Prism in the example of %s and its response',
    async (_title, { operation }, request) => {
      const answer = await demo.send(proxy.url + request.path, published, request.init)
      expect(answer.headers.get('sl-violations')).toBeNull()
      expect(successesOf(operation.responses), await answer.text()).toContain(answer.status)
    },
  )
})

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
