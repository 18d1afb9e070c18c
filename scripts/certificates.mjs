/**
 * Generates src/state/tax-invoicing/xml/testCertificates.ts with openssl: the simulator's own test keys and
 * certificates for sealing and stamping invoices. No authority has signed them. Run it by hand before the
 * last one expires; stamped invoices keep the certificate in them.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TARGET = fileURLToPath(new URL('../src/state/tax-invoicing/xml/testCertificates.ts', import.meta.url))

/**
 * Like the authority's, they are valid for four years; two are valid at any time, so that one can be renewed
 * early.
 */
const FIRST_YEAR = 2022
const LAST_YEAR = 2062

const directory = mkdtempSync(join(tmpdir(), 'certificates-'))
const openssl = (...args) =>
  execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] })

writeFileSync(
  join(directory, 'ca.cnf'),
  `[ca]
default_ca = own
[own]
dir = .
database = index.txt
serial = serial
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
x509_extensions = use
utf8 = yes
string_mask = utf8only
[any]
commonName = supplied
name = optional
organizationName = optional
x500UniqueIdentifier = optional
serialNumber = optional
organizationalUnitName = optional
[use]
basicConstraints = CA:FALSE
keyUsage = digitalSignature, nonRepudiation
[req]
distinguished_name = dn
prompt = no
utf8 = yes
string_mask = utf8only
[dn]
CN = unused
`,
)
writeFileSync(join(directory, 'index.txt'), '')

/** Twenty digits, which the certificate contains as ASCII bytes. */
const numberOf = (index) => `3000100000090000${String(index).padStart(4, '0')}`

function newKey(name) {
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', `${name}.key`)
  openssl('pkcs8', '-topk8', '-nocrypt', '-outform', 'DER', '-in', `${name}.key`, '-out', `${name}.der`)
  return readFileSync(join(directory, `${name}.der`)).toString('base64')
}

function certificate(key, subject, index, year) {
  const number = numberOf(index)
  writeFileSync(join(directory, 'serial'), `${Buffer.from(number).toString('hex')}\n`)
  openssl('req', '-new', '-config', 'ca.cnf', '-utf8', '-key', `${key}.key`, '-subj', subject, '-out', 'csr')
  const [from, until] = [year, year + 4].map((each) => `${String(each)}0518000000Z`)
  openssl(
    'ca',
    '-batch',
    '-config',
    'ca.cnf',
    '-notext',
    '-in',
    'csr',
    '-out',
    'made.pem',
    '-startdate',
    from,
    '-enddate',
    until,
  )
  openssl('x509', '-in', 'made.pem', '-outform', 'DER', '-out', 'made.der')
  return {
    number,
    from: `${String(year)}-05-18`,
    der: readFileSync(join(directory, 'made.der')).toString('base64'),
  }
}

try {
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '20000',
    '-utf8',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-config',
    'ca.cnf',
    '-subj',
    '/CN=SUITE SIMULATOR TEST CA, NOT THE TAX AUTHORITY/O=Suite Simulator',
  )
  const issuerKey = newKey('issuer')
  const stamperKey = newKey('stamper')
  const of = (name, rfc) =>
    `/CN=${name}/name=${name}/O=${name}/x500UniqueIdentifier=${rfc} \\/ XIQB891116QE4/serialNumber=XIQB891116MGRMZR05/OU=TEST, NOT OF THE AUTHORITY`
  const chain = (key, subject, first) => {
    const made = []
    for (let year = FIRST_YEAR; year < LAST_YEAR; year += 2) {
      made.push(certificate(key, subject, first + made.length, year))
    }
    return made
  }
  const list = (certificates) =>
    certificates
      .map(
        ({ number, from, der }) =>
          `  {\n    number: '${number}',\n    from: '${from}',\n    der: '${der}',\n  },`,
      )
      .join('\n')
  const issuers = chain('issuer', of('ESCUELA KEMPER URGATE', 'EKU9003173C9'), 1)
  const stampers = chain('stamper', of('SUITE SIMULATOR PAC', 'SPR190613I52'), 101)
  writeFileSync(
    TARGET,
    `/**
 * TEST CERTIFICATES, NOT FROM THE TAX AUTHORITY. scripts/certificates.mjs generated these keys and certificates for the
 * simulator. Nothing trusts them, so the keys are not secret. Each certificate is valid for four years from May 18.
 */
export interface TestCertificate {
  /** Twenty digits. */
  readonly number: string
  readonly from: string
  /** Base64 of its DER. */
  readonly der: string
}

/** Base64 of PKCS #8. */
export const ISSUER_KEY =
  '${issuerKey}'

export const ISSUER_CERTIFICATES: readonly TestCertificate[] = [
${list(issuers)}
]

/** The key of the authorized provider that stamps invoices. */
export const STAMPER_KEY =
  '${stamperKey}'

export const STAMPER_CERTIFICATES: readonly TestCertificate[] = [
${list(stampers)}
]
`,
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
