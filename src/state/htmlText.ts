/** Messages that are written in HTML, and what of them programs show that know plain text alone. */

const ELEMENT = /<(?:a|b|br|body|div|em|h[1-6]|html|i|img|li|ol|p|span|strong|table|td|ul)\b[^<>]*>/i

/** Whether a text is meant as HTML: it holds an element that messages are made of. */
export const isHtml = (text: string): boolean => ELEMENT.test(text)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML. */
export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** The text of HTML: a line for what begins one, and nothing of what is not shown. */
export const plainOf = (html: string): string =>
  withoutHidden(html)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?:br|\/p|\/div|\/h[1-6]|\/li|\/tr)\b[^<>]*> ?/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => NAMES[name] ?? '')
    .trim()

/** Without what stands in the head of a document, in styles and in scripts. */
function withoutHidden(html: string): string {
  let left = html
  for (const name of ['head', 'style', 'script']) {
    const parts = left.split(new RegExp(`<${name}\\b[^<>]*>`, 'i'))
    left = parts.map((part, index) => (index === 0 ? part : afterEnd(part, name))).join('')
  }
  return left
}

function afterEnd(part: string, name: string): string {
  const end = part.toLowerCase().indexOf(`</${name}>`)
  return end < 0 ? '' : part.slice(end + name.length + 3)
}
