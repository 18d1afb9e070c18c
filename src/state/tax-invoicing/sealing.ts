/** Seals and stamps: RSA-SHA256 with the test certificate that holds at the time. */
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

/** Read once, when something is first sealed with it. */
function keyOf(base64: string): KeyObject {
  let key = keys.get(base64)
  if (!key) {
    key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
    keys.set(base64, key)
  }
  return key
}

const signed = (key: string, text: string): string =>
  sign('RSA-SHA256', Buffer.from(text), keyOf(key)).toString('base64')

export const sealOf = (text: string): string => signed(ISSUER_KEY, text)

export const stampOf = (text: string): string => signed(STAMPER_KEY, text)

/** The one of them that holds on a day ("2026-11-21"); before the first and after the last there are no others. */
function inForce(certificates: readonly TestCertificate[], day: string): TestCertificate {
  const found = certificates.findLast(({ from }) => from <= day) ?? certificates[0]
  if (!found) throw new Error('there is no certificate')
  return found
}

export const stamperCertificate = (day: string): TestCertificate => inForce(STAMPER_CERTIFICATES, day)

/** Of an invoice that was issued on this day. */
export const issuerCertificateOf = (day: string): TestCertificate => inForce(ISSUER_CERTIFICATES, day)

export const issuerCertificate = (number: string): TestCertificate =>
  ISSUER_CERTIFICATES.find((each) => each.number === number) ?? inForce(ISSUER_CERTIFICATES, '0000')
