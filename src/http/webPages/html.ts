/**
 * Markup that escapes all inserted values, so that a record's text can't become part of the page. Plain
 * strings are always text; only `html` creates markup.
 */

/** A piece of a page. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The content of a page; null, undefined and false render nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escaped(String(content))
}

/** Creates markup: html`<p>${text}</p>`. Attributes must be in double quotes. */
export const html = (pieces: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(pieces.reduce((text, piece, index) => text + textOf(values[index - 1]) + piece))
