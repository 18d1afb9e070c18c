/** Evidence in reports: complete enough to repeat a call, without credentials and personal data. */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../src/exchanges/evidence.ts'
import { redactedValue } from '../../src/exchanges/redaction.ts'
import { withoutSecrets } from '../../src/report/withoutSecrets.ts'
import { AT, differenceWith, exchangeWith, reportWith } from '../../../../test/support/verifyReport.ts'

const KEY = 'k3y/of+the"service'

const textOf = (...args: Parameters<typeof exchangeWith>): string =>
  JSON.stringify(evidenceOf(exchangeWith(...args), { Authorization: `Bearer ${KEY}`, accept: '*/*' }, [KEY]))

describe('evidence', () => {
  test('is an entry of HAR 1.2', () => {
    const { har } = evidenceOf(
      exchangeWith({ method: 'POST', sent: { name: 'Ana' } }),
      { 'content-type': 'application/json' },
      [],
    )
    expect(har).toEqual({
      startedDateTime: AT,
      time: 12,
      request: {
        method: 'POST',
        url: 'https://suite.example.com/crm/v1/contacts?limit=2',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [{ name: 'content-type', value: 'application/json' }],
        queryString: [{ name: 'limit', value: '2' }],
        postData: { mimeType: 'application/json', text: '{"name":"Ana"}' },
        headersSize: -1,
        bodySize: 14,
      },
      response: {
        status: 200,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { size: 11, mimeType: 'application/json', text: '{"data":[]}' },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
    })
  })

  test('has a command that a shell runs as it was, with the key from a variable', () => {
    const { curl } = evidenceOf(
      exchangeWith({ method: 'POST', sent: { name: `it's $HOME \`id\`` } }),
      { authorization: `Bearer ${KEY}` },
      [KEY],
    )
    const printed = execFileSync('sh', ['-c', curl.replace(/^curl/, "printf '%s\\n'")], {
      encoding: 'utf8',
      env: { SIM_VERIFY_KEY: 'mine' },
    })
    expect(printed.split('\n')).toEqual([
      '-X',
      'POST',
      'https://suite.example.com/crm/v1/contacts?limit=2',
      '-H',
      'authorization: Bearer mine',
      '--data-raw',
      `{"name":"it's $HOME \`id\`"}`,
      '',
    ])
  })

  test('reads another variable if the call had a wrong key', () => {
    const { curl } = evidenceOf(
      exchangeWith({ purpose: { kind: 'auth', key: 'wrong' } }),
      { 'x-api-key': `${KEY}-wrong` },
      [KEY],
    )
    expect(curl).toContain(`-H 'x-api-key: '"$WRONG_KEY"`)
    expect(curl).not.toContain(KEY)
  })

  test.each([
    ['the key in a header', { headers: { 'x-echo': KEY } }],
    ['the key in a text', { body: undefined, text: `wrong key ${KEY}` }],
    ['the key in a field', { body: { message: `wrong key ${KEY}` } }],
    ['the key in the name of a field', { body: { [KEY]: 1 } }],
    ['the key in the query', { url: `https://x.example/a?q=${encodeURIComponent(KEY)}` }],
  ])('does not contain %s', (_what, changed) => {
    const text = textOf(changed)
    for (const form of [KEY, encodeURIComponent(KEY), JSON.stringify(KEY).slice(1, -1)]) {
      expect(text).not.toContain(form)
      expect(text).not.toContain(JSON.stringify(form).slice(1, -1))
    }
  })

  test.each([
    ['a cookie', { headers: { 'set-cookie': 'sid=S3CRET; Path=/' } }],
    ['a token of a header', { headers: { 'x-auth-token': 'S3CRET' } }],
    ['a token of the query', { url: 'https://x.example/a?api_key=S3CRET&page=1' }],
    ['a token of a link in the body', { body: { url: 'https://x.example/f?X-Amz-Signature=S3CRET&a=1' } }],
    ['a password', { body: { data: [{ password: 'S3CRET' }] } }],
    ['a field called key', { body: { key: 'S3CRET' } }],
    ['a field called secret', { body: { webhook: { secret: 'S3CRET' } } }],
    ['an access token', { body: { accessToken: 'S3CRET' } }],
    ['everything below a secret field', { body: { credential: { user: 'S3CRET', list: ['S3CRET'] } } }],
    ['a bearer token in a sentence', { body: { message: 'Bearer S3CRETS3CRET is expired' } }],
    ['the user of a URL', { body: { url: 'https://S3CRET:x@x.example/' } }],
    ['a card number', { body: { pan: '4111 1111 1111 1111' } }],
    ['a card number that is a number', { body: { pan: 4_111_111_111_111_111 } }],
    ['an e-mail address', { body: { contact: 'Jane.Doe@Acme.io' } }],
    ['an e-mail address in the query', { url: 'https://x.example/a?email=Jane.Doe%40Acme.io' }],
    ['an e-mail address in a text', { body: undefined, text: 'hello Jane.Doe@Acme.io!' }],
  ])('does not contain %s', (_what, changed) => {
    expect(textOf(changed)).not.toMatch(/S3CRET|4111 ?1111|Jane|Acme/)
  })

  test('keeps the form of an e-mail address, and reserved addresses', () => {
    const text = textOf({ body: { a: 'Jane.Doe7@Acme.io', b: 'run-1@example.com', c: 'x@shop.test' } })
    expect(text).toContain('Xxxx.Xxx0@Xxxx.xx')
    expect(text).toContain('run-1@example.com')
    expect(text).toContain('x@shop.test')
  })

  test('keeps ids, amounts and words that only resemble secrets', () => {
    const body = {
      id: 'pl_demo0000000000000001',
      total: 4_111_111_111_111_112,
      role: 'sim_meet_participant',
      idempotency_key: 'order-1',
      at: AT,
    }
    const { har } = evidenceOf(exchangeWith({ body }), { 'idempotency-key': 'order-1' }, [])
    const text = JSON.stringify(har)
    for (const value of ['pl_demo0000000000000001', '4111111111111112', 'sim_meet_participant', AT]) {
      expect(text).toContain(value)
    }
    expect(text).toContain('{"name":"idempotency-key","value":"order-1"}')
  })

  test('cuts long bodies, headers and URLs, and names their size', () => {
    const long = 'x'.repeat(50_000)
    const { har, curl } = evidenceOf(
      exchangeWith({
        url: `https://x.example/${long}`,
        body: { long },
        text: `{"long":"${long}"}`,
        headers: { long },
      }),
      { long },
      [],
    )
    expect(JSON.stringify(har).length + curl.length).toBeLessThan(20_000)
    expect(har['response']).toMatchObject({ content: { size: 50_011 } })
  })

  test('reads only the beginning of a large body', () => {
    const unread = {
      get note(): string {
        throw new Error('was read')
      },
    }
    const data = [...Array.from({ length: 3000 }, (_, id) => ({ id, note: 'x'.repeat(50) })), unread]
    expect(textOf({ body: { data } }).length).toBeLessThan(6000)
    const longest = ['a', 'x'.repeat(99_999), 'x'.repeat(100_001)]
    expect(JSON.stringify(redactedValue(longest, [])).length).toBeLessThan(100_200)
  })

  test('takes a body that is nested too deeply', () => {
    const body: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect(textOf({ body }).length).toBeLessThan(5000)
  })
})

describe('a whole report', () => {
  test('loses the key and other credentials from messages, values and evidence', () => {
    const report = reportWith({
      run: { endedEarly: `the service refused ${KEY}` },
      notChecked: [{ interface: 'crm', what: 'GET /contacts', why: `401 for ${KEY}`, claims: 1 }],
      differences: [
        differenceWith({
          message: `it answers ${KEY}`,
          place: 'GET /webhooks 200.data[].secret',
          expected: 'S3CRET',
          actual: { note: KEY, password: 'S3CRET', email: 'jane@acme.io' },
          evidence: [{ har: { a: [KEY] }, curl: KEY }],
        }),
      ],
    })
    expect(JSON.stringify(withoutSecrets(report, [KEY]))).not.toMatch(/k3y|S3CRET|jane/)
  })

  test('keeps all else', () => {
    expect(withoutSecrets(reportWith(), [KEY])).toEqual(reportWith())
  })

  test('is not destroyed by a key of few characters', () => {
    expect(withoutSecrets(reportWith(), ['a', ''])).toEqual(reportWith())
  })
})
