/** An update that changes nothing emits no event and leaves the record as it was, with the time of its last change. */
import { expect, test } from 'vitest'
import type { FreshApp } from '../support/app.ts'
import { everyOperation, preparedCall } from '../support/examples.ts'
import { demoWorkspace } from './allActions.ts'

const UPDATES = everyOperation().filter(
  ({ route: { method, schema } }) => schema.body && /^(PATCH|PUT)$/.test(method),
)

/** The records and events of the workspace. */
const contentsOf = (fresh: FreshApp): unknown => [
  fresh.rows(),
  fresh.workspace.database.sqlite
    .prepare('SELECT interface, name FROM events WHERE workspace = ?')
    .all(fresh.workspace.rowScope),
]

test.each(UPDATES.map((subject) => [subject.title, subject] as const))('%s', async (_title, subject) => {
  const fresh = await demoWorkspace()
  const { call, method, path, query, sent } = await preparedCall(fresh, subject)
  expect((await call(method, path + query, sent)).status).toBeLessThan(300)
  fresh.setClock(new Date(fresh.workspace.now() + 1000).toISOString())
  // Due jobs run first.
  await call('GET', path)
  const before = contentsOf(fresh)
  expect((await call(method, path + query, sent)).status).toBeLessThan(300)
  expect(contentsOf(fresh)).toEqual(before)
})
