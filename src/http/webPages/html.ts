/**
 * Markup that escapes all inserted values, so that a record's text can't become part of the page. Plain
 * strings are always text; only `html` creates markup.
 */
import { escapeHtml } from '@suite-sim/kit/text/escaping'
import type { Language } from '../../state/text/languages.ts'

/** A piece of a page. It is rendered when the page is sent, in the language of its reader (`languages.ts`). */
export class Markup {
  readonly render: (language: Language, isChosen: boolean) => string

  constructor(render: Markup['render']) {
    this.render = render
  }
}

/** The content of a page; null, undefined and false render nothing. A function depends on the reader. */
export type Content =
  | Markup
  | string
  | number
  | null
  | undefined
  | false
  | readonly Content[]
  | ((language: Language, isChosen: boolean) => Content)

function textOf(content: Content, language: Language, isChosen: boolean): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Markup) return content.render(language, isChosen)
  if (typeof content === 'function') return textOf(content(language, isChosen), language, isChosen)
  if (typeof content === 'object') return content.map((each) => textOf(each, language, isChosen)).join('')
  return escapeHtml(String(content))
}

/** Creates markup: html`<p>${text}</p>`. Attributes must be in double quotes. */
export const html = (pieces: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup((language, isChosen) =>
    pieces.reduce((text, piece, index) => text + textOf(values[index - 1], language, isChosen) + piece),
  )
