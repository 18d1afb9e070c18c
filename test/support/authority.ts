/**
 * Validates stamped XML with the official files of the tax authority: its schemas, its transformation and its seals.
 * The files are not part of the project. SAT_XSD_DIR names their directory (`all.xsd`,
 * `4/cadenaoriginal_4_0/cadenaoriginal_4_0.xslt`); without it these tests are skipped.
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

/** Why the official files cannot be used; null if they can. */
export const whyNoOfficialFiles: string | null = missing

if (missing !== null) {
  process.stderr.write(`Stamped XML is not checked against the authority's files: ${missing}.\n`)
}

const file = (path: string): string => join(directory ?? '', path)

function run(command: string, args: readonly string[], input: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** The errors of the official schemas; empty if the XML is valid. */
export function schemaErrors(xml: string): string {
  const { status, stderr } = run('xmllint', ['--nonet', '--noout', '--schema', file('all.xsd'), '-'], xml)
  return status === 0 ? '' : stderr
}

/** The original string that is sealed, created by the official transformation. */
export const officialText = (xml: string): string =>
  run('xsltproc', ['--nonet', file('4/cadenaoriginal_4_0/cadenaoriginal_4_0.xslt'), '-'], xml).stdout.trim()

export const attributeOf = (xml: string, name: string): string => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(xml)?.[1]
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

/** The certificate in the XML. */
export const certificateOf = (xml: string): X509Certificate =>
  new X509Certificate(Buffer.from(attributeOf(xml, 'Certificado'), 'base64'))

/** True if the seal is a signature of the text by the certificate. */
export const isSealed = (text: string, seal: string, { publicKey }: X509Certificate): boolean =>
  createVerify('RSA-SHA256').update(text).verify(publicKey, seal, 'base64')
