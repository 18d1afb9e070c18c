/** Redacted URLs and headers: the same for the log, the journal and the unmatched calls. */
import { describe, expect, test } from 'vitest'
import { redacted, redactedHeaders, redactedUrl } from '../../src/calls/redaction.ts'

const KEY = `sim_${'aB3_'.repeat(8)}`

describe('a URL', () => {
  test.each([
    ['/_sim/keys/demo-key', '/_sim/keys/[redacted]'],
    ['/_sim/keys/demo-key?x=1', '/_sim/keys/[redacted]?x=1'],
    ['/_sim/keys?workspaceId=demo', '/_sim/keys?workspaceId=demo'],
    ['/pay/v1/links?api_key=demo-key&limit=2', '/pay/v1/links?api_key=[redacted]&limit=2'],
    ['/x?limit=2&api_access_token=demo-key', '/x?limit=2&api_access_token=[redacted]'],
    ['/x?API_KEY=a&Token=b', '/x?API_KEY=[redacted]&Token=[redacted]'],
    ['/products?search=key', '/products?search=key'],
    [
      '/zzz?access_token=A&password=P&client_secret=C',
      '/zzz?access_token=[redacted]&password=[redacted]&client_secret=[redacted]',
    ],
    ...[
      'auth',
      'authorization',
      'pwd',
      'sig',
      'signature',
      'X-Amz-Signature',
      'session',
      'session_id',
      'sid',
      'pass%77ord',
      'api%5Fkey',
      `${'x'.repeat(90)}_secret`,
    ].map((name) => [`/x?${name}=A&b=1`, `/x?${name}=[redacted]&b=1`]),
    ...['author', 'keyword', 'signed', 'design', 'monkey', 'sessions', '%zz'].map((name) => [
      `/x?${name}=A`,
      `/x?${name}=A`,
    ]),
    [`/workspace/public/v1/keys/${KEY}`, '/workspace/public/v1/keys/[redacted]'],
    [`/x/${KEY}/y?q=${KEY}`, '/x/[redacted]/y?q=[redacted]'],
    ['/x/sim_meet_participant', '/x/sim_meet_participant'],
    ['/x?key=&a', '/x?key=&a'],
  ])('%s is recorded as %s', (url, recorded) => {
    expect(redactedUrl(url)).toBe(recorded)
  })
})

describe('a header', () => {
  test.each(['X-Custom-Key', 'x-api-key', 'x-auth', 'x-signature', 'session', 'cookie', 'x-session-id'])(
    '%s is redacted',
    (name) => {
      expect(redactedHeaders({ [name]: 'secret-1' }, '')).toEqual({ [name]: '[redacted]' })
    },
  )

  test.each(['idempotency-key', 'x-idempotency-key', 'sec-websocket-key', 'x-author', 'user-agent'])(
    '%s is kept',
    (name) => {
      expect(redactedHeaders({ [name]: 'shown' }, '')).toEqual({ [name]: 'shown' })
    },
  )

  test('that is a URL has no credentials in its query', () => {
    expect(redactedHeaders({ referer: 'http://app.test/?token=secret-1&a=1' }, '')).toEqual({
      referer: 'http://app.test/?token=[redacted]&a=1',
    })
  })
})

describe('a member of a body', () => {
  test.each([
    ...['password', 'Api-Key', 'pass-word_', 'CVC_2', 'cardNumber', `${'x'.repeat(75)}token`].map((name) => [
      `{"${name}" : "A\\"B","id":1}`,
      `{"${name}" : "[redacted]","id":1}`,
    ]),
    ['{"a":{"cvv":123},"b":2}', '{"a":{"cvv":"[redacted]"},"b":2}'],
    ['{"token":"cut \\', '{"token":"[redacted]"'],
    ['{"token":""}', '{"token":""}'],
    ['{"tokens":"A","pass":"B","word":"C"}', '{"tokens":"A","pass":"B","word":"C"}'],
    ['{"note":"say \\"token\\": 1"}', '{"note":"say \\"token\\": 1"}'],
    ['{"url":"https://user:pass@app.test"}', '{"url":"https://[redacted]@app.test"}'],
    ['{"card":"4111 1111 1111 1111"}', '{"card":"************1111"}'],
  ])('%s is recorded as %s', (body, recorded) => {
    expect(redacted(body)).toBe(recorded)
  })
})
