/** Aliases of query parameters are used, so no hint reports them as ignored. */
import { expect, test } from 'vitest'
import { freshApp } from '../../support/app.ts'
import { everyOperation, preparedCall } from '../../support/examples.ts'

interface Parameter {
  readonly 'x-aliases'?: readonly string[]
  readonly examples?: readonly unknown[]
}

const aliased = everyOperation().flatMap((subject) => {
  const { properties = {} } = (subject.route.schema.querystring ?? {}) as {
    properties?: Record<string, Parameter>
  }
  return Object.entries(properties).flatMap(([name, { 'x-aliases': aliases = [], examples = [] }]) =>
    aliases.map((alias) => ({
      title: `${subject.title} ${alias}`,
      subject,
      name,
      alias,
      value: examples[0],
    })),
  )
})

test('finds aliases', () => {
  expect(aliased.map(({ alias }) => alias)).toContain('tipo')
})

test.each(aliased)('$title', async ({ subject, name, alias, value }) => {
  const fresh = await freshApp()
  const { call, method, path, query } = await preparedCall(fresh, subject)
  const sent = new URLSearchParams(query)
  sent.delete(name)
  sent.set(alias, String(value))
  expect((await call(method, `${path}?${String(sent)}`)).status).toBe(200)
  const requests = `/_sim/workspaces/${fresh.workspace.id}/requests`
  const listed = await fresh.call('GET', `${requests}?operation=${subject.route.operation.id}`)
  const [last] = (listed.body as { data: { id: string }[] }).data
  const { request, hints } = (await fresh.call('GET', `${requests}/${last?.id ?? ''}`)).body as {
    request: { query: object }
    hints: { code: string }[]
  }
  expect(request.query).toHaveProperty(alias)
  expect(hints.filter(({ code }) => code === 'unknown_query_parameter')).toEqual([])
})
