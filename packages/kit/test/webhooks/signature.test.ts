import { verify } from '@octokit/webhooks-methods'
import { describe, expect, test } from 'vitest'
import { signatureOf } from '../../src/webhooks/signature.ts'

describe('signature of a delivery', () => {
  const body = '{"name":"Café 日本 🦊"}'

  test('is accepted by an independent verifier of the same form', async () => {
    expect(await verify('whsec_1', body, signatureOf('whsec_1', body))).toBe(true)
  })

  test('is refused for another body and for another secret', async () => {
    expect(await verify('whsec_1', `${body} `, signatureOf('whsec_1', body))).toBe(false)
    expect(await verify('whsec_2', body, signatureOf('whsec_1', body))).toBe(false)
  })

  test('is the hex HMAC-SHA256 of the second test case of RFC 4231', () => {
    expect(signatureOf('Jefe', 'what do ya want for nothing?')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  test('is that of the bytes, for a string and for a buffer', () => {
    expect(signatureOf('s', Buffer.from(body))).toBe(signatureOf('s', body))
  })
})
