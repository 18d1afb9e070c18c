/**
 * Markup that escapes all inserted values, so that a record's text can't become part of the page. Plain
 * strings are always text; only `html` creates markup.
 */
import { escapeHtml } from '@suite-sim/kit/text/escaping'

/** A piece of a page. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The content of a page; null, undefined and false render nothing. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

function textOf(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(textOf).join('')
  return escapeHtml(String(content))
}

/** Creates markup: html`<p>${text}</p>`. Attributes must be in double quotes. */
export const html = (pieces: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(pieces.reduce((text, piece, index) => text + textOf(values[index - 1]) + piece))
