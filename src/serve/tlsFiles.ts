/** The certificate of `serve`: from the files of --tls-cert and --tls-key, or made by --tls self-signed. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { existsSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs'
import { io } from '@suite-sim/kit/terminal/io'
import { Tls, type KeyPair } from '../http/server/tls.ts'
import { httpDate } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import type { ServeSettings } from './flags.ts'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import { readText } from '@suite-sim/kit/terminal/textFiles'
import { namesOf, selfSigned } from './selfSigned.ts'

type Settings = Pick<ServeSettings, 'db' | 'host' | 'publicUrl' | 'tls' | 'tlsCert' | 'tlsKey'>

/** The interval in which the files are checked for changes. */
const WATCH_MS = 5000

/** A kept certificate that expires sooner is made anew. */
const MIN_LEFT_MS = 30 * 86_400_000

export interface ServedTls {
  readonly tls: Tls
  /** The lines that tell a user how to trust a self-signed certificate; empty for others. */
  readonly advice: (url: string) => readonly string[]
  /** The variable with which a Node.js program trusts it, before a command; empty for files of the user. */
  readonly trust: string
  /** Writes a new self-signed certificate beside the database. */
  keep(): void
  /** Loads changed files, on SIGHUP as well. Returns a function that stops that. */
  follow(report: (error: Error | null) => void, intervalMs?: number): () => void
}

/** Returns the certificate to serve. Throws a UsageError if the files do not fit. */
export function tlsOf(settings: Settings): ServedTls {
  const { tls, tlsCert, tlsKey } = settings
  if (tls !== undefined && (tlsCert !== undefined || tlsKey !== undefined)) {
    throw new UsageError('--tls self-signed makes a certificate; use it without --tls-cert and --tls-key')
  }
  if (tls !== undefined) return selfSignedTls(settings)
  if (tlsCert === undefined) throw new UsageError('--tls-key needs --tls-cert, the file of its certificate')
  if (tlsKey === undefined) throw new UsageError('--tls-cert needs --tls-key, the file of its private key')
  return filesTls(tlsCert, tlsKey)
}

// ---------------------------------------------------------------- Files

function filesTls(certFile: string, keyFile: string): ServedTls {
  const tls = new Tls(readPair(certFile, keyFile))
  return {
    tls,
    advice: () => [],
    trust: '',
    keep: () => undefined,
    follow(report, interval = WATCH_MS) {
      const reload = (): void => {
        try {
          tls.renew(readPair(certFile, keyFile))
          report(null)
        } catch (error) {
          report(error as Error)
        }
      }
      io().on('SIGHUP', reload)
      // Two files are rarely replaced at the same instant: the last one makes the pair fit again.
      for (const file of [certFile, keyFile]) {
        watchFile(file, { interval, persistent: false }, ({ mtimeMs, ino }, before) => {
          if (mtimeMs !== before.mtimeMs || ino !== before.ino) reload()
        })
      }
      return () => {
        io().off('SIGHUP', reload)
        for (const file of [certFile, keyFile]) unwatchFile(file, undefined)
      }
    },
  }
}

/** Reads a certificate and its key. Throws a UsageError that names the flag, the file and the reason. */
function readPair(certFile: string, keyFile: string): KeyPair {
  const cert = readText('--tls-cert', certFile)
  const key = readText('--tls-key', keyFile)
  const certificate = parse(`--tls-cert: ${certFile} must be a certificate in PEM format`, () => {
    // Without this check, DER would be accepted here, and refused by the server.
    if (!cert.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no PEM')
    return new X509Certificate(cert)
  })
  const privateKey = parse(
    `--tls-key: ${keyFile} must be a private key in PEM format without a passphrase`,
    () => createPrivateKey(key),
  )
  mustBeValid(certFile, certificate)
  mustMatch(certificate, privateKey, certFile, keyFile)
  parse(`--tls-cert: ${certFile} cannot be used for HTTPS`, () => new Tls({ cert, key }))
  return { cert, key }
}

function parse<Parsed>(message: string, action: () => Parsed): Parsed {
  try {
    return action()
  } catch {
    throw new UsageError(message)
  }
}

function mustBeValid(file: string, { validFrom, validTo }: X509Certificate): void {
  const now = systemNow()
  if (httpDate(validTo) <= now) throw new UsageError(`--tls-cert: ${file} expired on ${validTo}`)
  if (httpDate(validFrom) > now) throw new UsageError(`--tls-cert: ${file} is valid only from ${validFrom}`)
}

function mustMatch(certificate: X509Certificate, key: KeyObject, certFile: string, keyFile: string): void {
  if (certificate.checkPrivateKey(key)) return
  throw new UsageError(
    `--tls-key: ${keyFile} is not the key of ${certFile}; if the file has several certificates, that of the server must be the first`,
  )
}

// ---------------------------------------------------------------- Self-signed

function selfSignedTls({ db, host, publicUrl }: Settings): ServedTls {
  const names = namesOf([
    ...(isEveryAddress(host) ? [] : [host.toLowerCase()]),
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, '')]),
  ])
  const files = db === ':memory:' ? null : { cert: `${db}-cert.pem`, key: `${db}-key.pem` }
  const kept = files && keptPair(files.cert, files.key, names)
  const pair = kept ?? selfSigned(names)
  return {
    tls: new Tls(pair),
    advice: (url) =>
      files === null
        ? [
            '  TLS        self-signed, in memory: a new certificate at each start; --db FILE keeps it',
            `             curl --insecure ${url}/_sim/health`,
          ]
        : [
            `  TLS        self-signed, ${files.cert}`,
            `             curl --cacert ${files.cert} ${url}/_sim/health`,
            `             NODE_EXTRA_CA_CERTS=${files.cert} node app.js`,
          ],
    trust: files === null ? 'NODE_TLS_REJECT_UNAUTHORIZED=0 ' : `NODE_EXTRA_CA_CERTS=${files.cert} `,
    keep() {
      if (files === null || kept !== null) return
      // A file that exists would keep its mode.
      rmSync(files.key, { force: true })
      writeFileSync(files.key, pair.key, { mode: 0o600, flag: 'wx' })
      writeFileSync(files.cert, pair.cert)
    },
    follow: () => () => undefined,
  }
}

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Returns the certificate of an earlier start; null if it does not exist, expires soon or lacks a name. */
function keptPair(certFile: string, keyFile: string, names: readonly string[]): KeyPair | null {
  if (!existsSync(certFile) || !existsSync(keyFile)) return null
  try {
    const pair = readPair(certFile, keyFile)
    const certificate = new X509Certificate(pair.cert)
    const isLasting = httpDate(certificate.validTo) > systemNow() + MIN_LEFT_MS
    const hasName = (name: string): boolean =>
      certificate.checkHost(name) !== undefined || certificate.checkIP(name) !== undefined
    return isLasting && names.every(hasName) ? pair : null
  } catch {
    return null
  }
}
