/** The log has the redacted URL of a request. */
import { expect, test } from 'vitest'
import { makeLogger } from '../../../src/http/server/log.ts'

test('logged URLs contain no credentials', async () => {
  const logger = await makeLogger('silent', false)
  const { req } = logger[Symbol.for('pino.serializers') as never] as {
    req: (request: object) => unknown
  }
  const url = '/zzz?access_token=A&password=P&client_secret=C&sig=S'
  expect(req({ id: 'req-1', method: 'GET', url, headers: { authorization: 'Bearer A' } })).toEqual({
    id: 'req-1',
    method: 'GET',
    url: '/zzz?access_token=[redacted]&password=[redacted]&client_secret=[redacted]&sig=[redacted]',
  })
})
