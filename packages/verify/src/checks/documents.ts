/** Answers that are files: their format, and the version that an XML document states. */
import type { Exchange } from '../exchanges/exchange.ts'
import type { Answers } from '../crawl/answers.ts'
import { record, type CheckContext } from './context.ts'

/** The format of the files of an operation, by "tax-invoicing getInvoiceXml". */
export type Formats = ReadonlyMap<string, string>

/** Returns the formats of operations whose files all have the same. */
export function mineFormats(answers: Answers): Formats {
  const formats = new Map<string, string>()
  for (const operation of answers.operations) {
    const found = new Set(answers.of(operation).filter(isFile).map(formatOf))
    const [format] = found
    if (format !== undefined && found.size === 1) formats.set(keyOf(operation), format)
  }
  return formats
}

export function checkFormats(context: CheckContext, formats: Formats): void {
  for (const exchange of context.answers.exchanges) {
    const expected = formats.get(keyOf(exchange.probe.operation))
    if (expected === undefined || !isFile(exchange)) continue
    const actual = formatOf(exchange)
    record(context, 'invariants', exchange, {
      aspect: 'format',
      place: '',
      isEqual: actual === expected,
      message: `The file is not ${expected}.`,
      expected,
      actual,
    })
  }
}

const keyOf = ({ interface: name, id }: Exchange['probe']['operation']): string => `${name} ${id}`

const isFile = ({ status, body }: Exchange): boolean => status >= 200 && status < 300 && body === undefined

/** Signatures of formats at the beginning of a file. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'a PDF file'],
  [/^PK/, 'a ZIP file'],
]

/** Seals and certificates make the root longer than any limit, so its end is not needed. */
const ROOT = /<(\w[\w:.-]{0,60})[\s/>]/
const STATED_VERSION = /^[^>]{0,2000}?\s[Vv]ersion="([^"]{1,20})"/

function formatOf({ text }: Exchange): string {
  if (text === '') return 'an empty file'
  const known = SIGNATURES.find(([signature]) => signature.test(text))
  if (known) return known[1]
  // The declaration has a version of its own.
  const document = text.replace(/^\s*<\?xml[^>]{0,200}\?>/, '')
  const [, root] = ROOT.exec(document) ?? []
  if (root === undefined) return 'a text'
  const [, version] = STATED_VERSION.exec(document.slice(document.indexOf(`<${root}`))) ?? []
  return version === undefined ? `XML with ${root}` : `XML with ${root} ${version}`
}
