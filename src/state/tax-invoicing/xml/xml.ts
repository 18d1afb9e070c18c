/**
 * Writes the XML of invoices and the text to seal (cadena original): all attributes in the order of the authority's
 * transformation, separated by "|".
 */

type Value = string | null

/** An element with attributes and children in the order of the authority's schema. */
export interface Element {
  readonly name: string
  /** Attributes that are null are left out. */
  readonly attributes: Readonly<Record<string, Value>>
  readonly children: readonly Element[]
  /** The sealed parts, if they are not the attributes and then the children. null seals nothing. */
  readonly sealed?: readonly (string | Element)[] | null
  /** Attributes that are not sealed. */
  readonly unsealed?: readonly string[]
}

export const element = (
  name: string,
  attributes: Element['attributes'] = {},
  children: readonly (Element | null)[] = [],
  more: Pick<Element, 'sealed' | 'unsealed'> = {},
): Element => ({
  name,
  attributes,
  children: children.filter((child) => child !== null),
  ...more,
})

/** Creates an element, or returns null if it would have no children. */
export const elementUnlessEmpty = (name: string, children: readonly Element[]): Element | null =>
  children.length === 0 ? null : element(name, {}, children)

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark)

/** Characters that XML documents can't contain. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Normalizes a text for an invoice: composes it, replaces each run of whitespace with one space, trims, and drops invalid characters. */
export const normalizeText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(NO_XML, '').replace(/\s+/g, ' ').trim()

export function writeXml(root: Element): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  const write = ({ name, attributes, children }: Element): void => {
    parts.push(`<${name}`)
    for (const [attribute, value] of Object.entries(attributes)) {
      if (value !== null) parts.push(` ${attribute}="${escape(value)}"`)
    }
    if (children.length === 0) {
      parts.push('/>')
      return
    }
    parts.push('>')
    for (const child of children) write(child)
    parts.push(`</${name}>`)
  }
  write(root)
  return parts.join('')
}

/** Returns the text to seal (cadena original) of an element. */
export function sealedText(root: Element): string {
  const values: string[] = []
  const visit = ({ attributes, children, sealed, unsealed = [] }: Element): void => {
    if (sealed === null) return
    if (sealed) {
      for (const part of sealed) {
        if (typeof part === 'string') values.push(part)
        else visit(part)
      }
      return
    }
    for (const [attribute, value] of Object.entries(attributes)) {
      const isSealed = !attribute.startsWith('xmlns') && !attribute.startsWith('xsi:')
      if (value !== null && isSealed && !unsealed.includes(attribute)) values.push(value)
    }
    for (const child of children) visit(child)
  }
  visit(root)
  return `||${values.join('|')}||`
}
