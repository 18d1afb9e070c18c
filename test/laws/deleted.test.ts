/** A deleted record is not found by any operation that names it, and no list shows it. */
import { expect, test } from 'vitest'
import { everyOperation, exampleOf, preparedCall } from '../support/examples.ts'
import { demoWorkspace } from './allActions.ts'

/** These keep the record. */
const KEPT = ['payments DELETE /payment-links/{link_id}']

const operations = everyOperation()
const DELETIONS = operations.filter(
  ({ title, route: { method, path } }) => method === 'DELETE' && path.endsWith('}') && !KEPT.includes(title),
)

/** The ids of all records in a response. */
const idsIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? [...('id' in value ? [value.id] : []), ...Object.values(value).flatMap(idsIn)]
    : []

test.each(DELETIONS.map((subject) => [subject.title, subject] as const))(
  '%s',
  async (_title, { route, ...subject }) => {
    const fresh = await demoWorkspace()
    const { call, path, query, sent } = await preparedCall(fresh, { route, ...subject })
    const id = path.slice(path.lastIndexOf('/') + 1)
    const list = path.slice(0, path.lastIndexOf('/'))
    const shown = async () => idsIn((await call('GET', list)).body).map(String)
    const before = await shown()
    expect((await call('DELETE', path + query, sent)).status).toBeLessThan(300)

    const ofRecord = operations.filter(
      (each) => each.route.interface === route.interface && each.route.path.startsWith(route.path),
    )
    for (const {
      document,
      route: { method, path: other },
    } of ofRecord) {
      const address = path + other.slice(route.path.length).replaceAll(/\{\w+\}/g, '1')
      const answer = await call(method, address, exampleOf(document, method, other))
      expect(answer.status, `${method} ${address}`).toBe(404)
    }
    expect(before).toContain(id)
    expect(await shown()).not.toContain(id)
  },
)
