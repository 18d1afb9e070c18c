/** HTML messages, and their plain text. */

const ELEMENT = /<(?:a|b|br|body|div|em|h[1-6]|html|i|img|li|ol|p|span|strong|table|td|ul)\b[^<>]*>/i

/** Checks whether a text is HTML: whether it has an element that is common in messages. */
export const isHtml = (text: string): boolean => ELEMENT.test(text)

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** Returns the visible text of HTML, with a line break for each block. */
export const htmlToPlainText = (html: string): string =>
  withoutHidden(html)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?:br|\/p|\/div|\/h[1-6]|\/li|\/tr)\b[^<>]*> ?/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => NAMES[name] ?? '')
    .trim()

/** Removes the head, styles and scripts. */
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
