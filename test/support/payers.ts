/** People who pay on the pages of the simulator: what they type, and what a form of theirs holds. */
import type { App } from '../../src/app.ts'
import type { Answer, CallOptions, FreshApp } from './app.ts'

/** Good until it is long past what any test's clock shows. */
export const GOOD_EXPIRY = '12/40'

/** The card fields of a form as they are typed, with the security code that the card has. */
export const typedCard = (number: string): Readonly<Record<string, string>> => ({
  method: 'card',
  card_number: number,
  card_expiry: GOOD_EXPIRY,
  card_cvc: number.startsWith('37') ? '1234' : '123',
})

/** A text without ids, keys and hashes, in which any letters may come together. */
export const withoutIds = (text: string): string => text.replaceAll(/[\w-]{20,}/g, '')

/** A form as a browser sends it. */
export const asForm = (
  fields: Readonly<Record<string, string>>,
): Required<Pick<CallOptions, 'raw' | 'contentType'>> => ({
  raw: new URLSearchParams(fields).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

/** The path of an address of this server. */
export const pathOf = (url: string): string => new URL(url).pathname

/** The path that an answer leads to, seen from the page that it answers. */
export const leadsTo = ({ headers }: Answer, from: string): string =>
  new URL(headers['location'] ?? 'about:blank', `http://127.0.0.1${from}`).pathname

/** What tells this form from every other that was shown. */
export const attemptIn = ({ text }: Answer): string =>
  /name="attempt"\s+value="([^"]+)"/.exec(text)?.[1] ?? ''

/** The title of a page, unescaped as far as the tests need it. */
export const titleOf = ({ text }: Answer): string => /<title>(.*?)<\/title>/s.exec(text)?.[1] ?? ''

/** The words of a page as they are read, without its markup. */
export const wordsOf = ({ text }: Answer): string =>
  text
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/[\s\u00a0\u202f]+/g, ' ')

const listening = new WeakMap<App, Promise<string>>()

/** The URL of the app, which begins to listen on a free port where it does not yet; for pages that a browser opens. */
export function listenTo({ app }: FreshApp): Promise<string> {
  let url = listening.get(app)
  if (!url) listening.set(app, (url = app.listen({ host: '127.0.0.1', port: 0 })))
  return url
}
