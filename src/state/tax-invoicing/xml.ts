/**
 * XML of invoices, and the text that is sealed of it (cadena original): every attribute in the order in which the
 * authority's transformation visits them, each after a "|".
 */

type Value = string | null

/** An element whose attributes and children stand in the order of the authority's schema. */
export interface Element {
  readonly name: string
  /** Those that are null are left out. */
  readonly attributes: Readonly<Record<string, Value>>
  readonly children: readonly Element[]
  /** What the text has of the element, where that is not its attributes and then its children; null for nothing. */
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

/** An element, or nothing where it would have no children. */
export const unlessEmpty = (name: string, children: readonly Element[]): Element | null =>
  children.length === 0 ? null : element(name, {}, children)

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark)

/** Characters that no XML document can hold. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** A text as an invoice has it: spaces, line breaks and tabs are one space, and there are none at its ends. */
export const inOrder = (text: string): string =>
  text.toWellFormed().replace(NO_XML, '').replace(/\s+/g, ' ').trim()

export function writeXml(root: Element): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  const write = ({ name, attributes, children }: Element): void => {
    parts.push(`<${name}`)
    for (const [attribute, value] of Object.entries(attributes)) {
      if (value !== null) parts.push(` ${attribute}="${escaped(value)}"`)
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
