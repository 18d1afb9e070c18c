/**
 * Published examples work unchanged in a terminal: each is sent as is to an untouched demo workspace. The full run sends
 * them once more through Prism (conformance/prism.test.ts).
 */
import { afterAll, describe, expect, test } from 'vitest'
import { sentContent, type DocumentedOperation } from '../support/documents.ts'
import { BACKUP, successesOf, untouchedDemo } from '../support/untouchedDemo.ts'
import type { ExampleRequest } from '../support/verbatim.ts'

const demo = await untouchedDemo()
const { address, documents, examplesOf, reset } = demo
afterAll(demo.close)

/** Returns the URLs of this server in a JSON text, without those that take only POST. */
const linksIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/"(http[^"\s\\]*)"/g)]
      .flatMap(([, url = '']) => url)
      .filter((url) => url.startsWith(`${address}/`) && !url.includes('/submit?')),
  )

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
      const answer = await demo.send(base + request.path, published, request.init)
      const text = await answer.text()
      expect(successesOf(operation.responses), text).toContain(answer.status)
      // Documents of the control plane name the base paths of interfaces.
      for (const url of published.name === 'control' ? [] : linksIn(text)) {
        demo.isChanged()
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

/** Ids of deliveries and e-mails change with each demo, so no document contains them. */
const HISTORY = /\/(?:deliveries|emails)$/
