/** The bytes of self-signed certificates. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { namesOf, selfSigned } from '../../src/serve/selfSigned.ts'

test('is a valid certificate of its key, whatever the key is', () => {
  // One in 512 keys would give a number with a leading zero, which DER forbids.
  for (let index = 0; index < 200; index++) {
    const { cert, key } = selfSigned(['localhost'])
    const certificate = new X509Certificate(cert)
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.serialNumber).toMatch(/^[4-7][\dA-F]{31}$/)
  }
})

test.each([
  ['2026-01-02T03:04:05Z', 'Jan  2 03:04:05 2026 GMT', 'Apr  6 03:04:05 2028 GMT'],
  ['2049-12-31T23:59:59Z', 'Dec 31 23:59:59 2049 GMT', 'Apr  4 23:59:59 2052 GMT'],
])('is valid for 825 days from %s', (from, validFrom, validTo) => {
  const { cert } = selfSigned(['localhost'], Date.parse(from))
  expect(new X509Certificate(cert)).toMatchObject({ validFrom, validTo })
})

test('has each name once, many and long ones as well', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`
  const names = namesOf(['::1', 'localhost', '10.0.0.5', 'fd00::1', long])
  expect(names).toEqual(['localhost', '127.0.0.1', '::1', '10.0.0.5', 'fd00::1', long])
  const certificate = new X509Certificate(selfSigned(names).cert)
  for (const address of ['127.0.0.1', '::1', '10.0.0.5', 'fd00::1']) {
    expect(certificate.checkIP(address)).toBe(address)
  }
  for (const host of ['localhost', long]) expect(certificate.checkHost(host)).toBe(host)
  expect(certificate.checkHost('example.com')).toBeUndefined()
})
