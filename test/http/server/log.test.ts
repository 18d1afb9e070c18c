/** Logged URLs contain no credentials. */
import { expect, test } from 'vitest'
import { withoutCredentials } from '../../../src/http/server/log.ts'

test.each([
  ['/_sim/keys/demo-key', '/_sim/keys/[redacted]'],
  ['/_sim/keys/demo-key?x=1', '/_sim/keys/[redacted]?x=1'],
  ['/_sim/keys?workspaceId=demo', '/_sim/keys?workspaceId=demo'],
  ['/pay/v1/links?api_key=demo-key&limit=2', '/pay/v1/links?api_key=[redacted]&limit=2'],
  ['/chat/api/v1/x?limit=2&api_access_token=demo-key', '/chat/api/v1/x?limit=2&api_access_token=[redacted]'],
  ['/chat/cable?account_id=1&pubsub_token=demo-key', '/chat/cable?account_id=1&pubsub_token=[redacted]'],
  ['/x?API_KEY=a&Token=b', '/x?API_KEY=[redacted]&Token=[redacted]'],
  ['/workspace/public/v1/products?search=key', '/workspace/public/v1/products?search=key'],
])('logs %s as %s', (url, logged) => {
  expect(withoutCredentials(url)).toBe(logged)
})
