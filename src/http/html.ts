/**
 * Markup with everything that is put into it escaped, so that a page can't be made to say what a record holds as if
 * it were part of the page. Plain strings are always text; only `html` makes markup.
 */

/** A piece of a page. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a page; nothing is shown for null, undefined and false. */
export type Content = Markup | string | number | null | undefined | false | readonly Content[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

function written(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map(written).join('')
  return escaped(String(content))
}

/** html`<p>${text}</p>`: attributes have to be in double quotes. */
export const html = (pieces: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(pieces.reduce((text, piece, place) => text + written(values[place - 1]) + piece))
