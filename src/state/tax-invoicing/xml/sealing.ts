/** Seals and stamps: RSA-SHA256 signatures with the test certificate that is valid at the time. */
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import {
  ISSUER_CERTIFICATES,
  ISSUER_KEY,
  STAMPER_CERTIFICATES,
  STAMPER_KEY,
  type TestCertificate,
} from './testCertificates.ts'

/** The tax id of the provider that stamps. */
export const STAMPER_RFC = 'SPR190613I52'

const keys = new Map<string, KeyObject>()

/** Parses a key once and caches it. */
function keyOf(base64: string): KeyObject {
  let key = keys.get(base64)
  if (!key) {
    key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
    keys.set(base64, key)
  }
  return key
}

const signText = (key: string, text: string): string =>
  sign('RSA-SHA256', Buffer.from(text), keyOf(key)).toString('base64')

export const sealOf = (text: string): string => signText(ISSUER_KEY, text)

export const stampOf = (text: string): string => signText(STAMPER_KEY, text)

/** Returns the certificate for a day ("2026-11-21"). Before the first or after the last one, returns the nearest. */
function certificateOn(certificates: readonly TestCertificate[], day: string): TestCertificate {
  const found = certificates.findLast(({ from }) => from <= day) ?? certificates[0]
  if (!found) throw new Error('there is no certificate')
  return found
}

export const stamperCertificate = (day: string): TestCertificate => certificateOn(STAMPER_CERTIFICATES, day)

/** Returns the issuer's certificate for an invoice of this day. */
export const issuerCertificateOf = (day: string): TestCertificate => certificateOn(ISSUER_CERTIFICATES, day)

export const issuerCertificate = (number: string): TestCertificate =>
  ISSUER_CERTIFICATES.find((each) => each.number === number) ?? certificateOn(ISSUER_CERTIFICATES, '0000')
