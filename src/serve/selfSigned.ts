/** Makes a self-signed certificate (RFC 5280). Node.js signs and reads certificates, but makes none. */
// A private key is random, also with --seed.
// oxlint-disable-next-line no-restricted-imports
import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { KeyPair } from '../http/server/tls.ts'
import { systemNow } from '@suite-sim/kit/time/machineClock'

const DAY = 86_400_000

/** Apple's systems trust no certificate that is valid for longer. */
const VALID_DAYS = 825

/** Names with which a program on the same machine reaches the server. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** Returns the names of a certificate for these hosts: those of loopback and the others, each once. */
export const namesOf = (hosts: readonly string[]): string[] => [...new Set([...LOOPBACK, ...hosts])]

/** Makes a key and a certificate for the names: host names and IP addresses. It begins a day ago, because clocks differ. */
export function selfSigned(names: readonly string[], from = systemNow() - DAY): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const digest = createHash('sha256').update(publicInfo).digest()
  // Its own name for each key, because programs find a trusted certificate by its name.
  const name = sequence(
    set(sequence(OID.commonName, utf8(`Suite Simulator ${digest.toString('hex', 0, 4)}`))),
  )
  const facts = sequence(
    tagged(0, der(0x02, Buffer.from([2]))),
    serialNumber(digest),
    SIGNATURE,
    name,
    sequence(time(from), time(from + VALID_DAYS * DAY)),
    name,
    publicInfo,
    tagged(
      3,
      sequence(
        extension(OID.subjectAltName, sequence(...names.map(alternativeName))),
        extension(OID.keyUsage, DIGITAL_SIGNATURE),
        extension(OID.extendedKeyUsage, sequence(OID.serverAuth)),
        extension(OID.basicConstraints, sequence()),
        extension(OID.subjectKeyIdentifier, der(0x04, digest.subarray(0, 20))),
      ),
    ),
  )
  const certificate = sequence(facts, SIGNATURE, bits(sign('sha256', facts, privateKey)))
  return {
    cert: new X509Certificate(certificate).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

// ---------------------------------------------------------------- DER (X.690)

/** Returns a value: its tag, its length and its content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items)

const set = (...items: readonly Uint8Array[]): Buffer => der(0x31, ...items)

const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))

const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes)

const tagged = (number: number, content: Uint8Array): Buffer => der(0xa0 + number, content)

/** A positive number. It starts with the bits 01, because DER allows no leading zeros, and 1 would be a sign. */
const serialNumber = (digest: Uint8Array): Buffer =>
  der(0x02, Buffer.from([0x40 | ((digest[0] ?? 0) & 0x3f)]), digest.subarray(1, 16))

const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

/** Two digits of the year until 2049, four from 2050. */
function time(instant: number): Buffer {
  const digits = `${new Date(instant).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

const extension = (id: Uint8Array, value: Uint8Array): Buffer => sequence(id, der(0x04, value))

const alternativeName = (name: string): Buffer =>
  ipaddr.isValid(name)
    ? der(0x87, Buffer.from(ipaddr.parse(name).toByteArray()))
    : der(0x82, Buffer.from(name, 'latin1'))

const OID = {
  commonName: objectId('550403'),
  subjectAltName: objectId('551d11'),
  keyUsage: objectId('551d0f'),
  extendedKeyUsage: objectId('551d25'),
  basicConstraints: objectId('551d13'),
  subjectKeyIdentifier: objectId('551d0e'),
  serverAuth: objectId('2b06010505070301'),
}

/** ecdsa-with-SHA256. */
const SIGNATURE = sequence(objectId('2a8648ce3d040302'))

const DIGITAL_SIGNATURE = der(0x03, Buffer.from([7, 0x80]))
