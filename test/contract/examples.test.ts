import { expect, test } from 'vitest'
import { freshApp } from '../support/app.ts'
import { everyOperation, preparedCall } from '../support/examples.ts'

const operations = everyOperation()

test.each(operations.map((subject) => [subject.title, subject] as const))(
  'accepts the published example of %s',
  async (_title, subject) => {
    const fresh = await freshApp()
    const { call, method, path, query, sent } = await preparedCall(fresh, subject)
    const answer = await call(method, path + query, sent)
    expect(Object.keys(subject.route.operation.answers)).toContain(String(answer.status))
  },
)
