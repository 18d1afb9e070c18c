/**
 * What the authority publishes, as a judge of XML that was stamped: its schemas and the transformation that makes the text
 * which is sealed, read by xmllint and xsltproc; and openssl for the seals. The official files are not part of the project:
 * SAT_XSD_DIR names a directory with them (`all.xsd`, which imports the schemas, and
 * `4/cadenaoriginal_4_0/cadenaoriginal_4_0.xslt`). Without it the checks say so and are skipped.
 */
import { spawnSync } from 'node:child_process'
import { createVerify, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const directory = process.env['SAT_XSD_DIR']

const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined

const missing =
  directory === undefined || !existsSync(join(directory, 'all.xsd'))
    ? 'SAT_XSD_DIR names no directory with all.xsd'
    : !has('xmllint')
      ? 'there is no xmllint'
      : !has('xsltproc')
        ? 'there is no xsltproc'
        : null

/** Why the official files can't judge; null where they can. */
export const whyNoAuthority: string | null = missing

if (missing !== null) {
  process.stderr.write(`Stamped XML is not checked against the authority's files: ${missing}.\n`)
}

const file = (path: string): string => join(directory ?? '', path)

function run(command: string, args: readonly string[], input: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** What the schemas say against it; nothing where it is valid. */
export function schemaErrors(xml: string): string {
  const { status, stderr } = run('xmllint', ['--nonet', '--noout', '--schema', file('all.xsd'), '-'], xml)
  return status === 0 ? '' : stderr
}

/** The text that is sealed, as the authority's transformation makes it. */
export const officialText = (xml: string): string =>
  run('xsltproc', ['--nonet', file('4/cadenaoriginal_4_0/cadenaoriginal_4_0.xslt'), '-'], xml).stdout.trim()

export const attributeOf = (xml: string, name: string): string => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1]
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

/** The certificate that is in the XML. */
export const certificateOf = (xml: string): X509Certificate =>
  new X509Certificate(Buffer.from(attributeOf(xml, 'Certificado'), 'base64'))

/** Whether a seal is that of the text, by the certificate. */
export const isSealed = (text: string, seal: string, { publicKey }: X509Certificate): boolean =>
  createVerify('RSA-SHA256').update(text).verify(publicKey, seal, 'base64')
