/** Users who pay on the hosted pages: what they type, and what their forms contain. */
import type { App } from '../../src/app.ts'
import type { Answer, CallOptions, FreshApp } from './app.ts'

/** Valid long after the time of any test. */
export const VALID_EXPIRY = '12/40'

/** The card fields of a form, with the security code of the card. */
export const cardFields = (number: string): Readonly<Record<string, string>> => ({
  method: 'card',
  card_number: number,
  card_expiry: VALID_EXPIRY,
  card_cvc: number.startsWith('37') ? '1234' : '123',
})

/** The text without ids, keys and hashes, which may contain any sequence of letters. */
export const withoutIds = (text: string): string => text.replaceAll(/[\w-]{20,}/g, '')

/** A form as a browser sends it. */
export const asForm = (
  fields: Readonly<Record<string, string>>,
): Required<Pick<CallOptions, 'raw' | 'contentType'>> => ({
  raw: new URLSearchParams(fields).toString(),
  contentType: 'application/x-www-form-urlencoded',
})

/** The path of a URL of this server. */
export const pathOf = (url: string): string => new URL(url).pathname

/** The path that a response redirects to, relative to its page. */
export const redirectOf = ({ headers }: Answer, from: string): string =>
  new URL(headers['location'] ?? 'about:blank', `http://127.0.0.1${from}`).pathname

/** The path with the query that a response redirects to, as a browser opens it after a form. */
export function nextOf({ status, headers }: Answer, from: string): string {
  if (status !== 303) throw new Error(`The response must be a redirect, not ${String(status)}.`)
  const { pathname, search } = new URL(headers['location'] ?? '', `http://127.0.0.1${from}`)
  return pathname + search
}

/** The id that distinguishes this form from every other rendered one. */
export const formIdIn = ({ text }: Answer): string => /name="attempt"\s+value="([^"]+)"/.exec(text)?.[1] ?? ''

/** The title of a page, unescaped as far as the tests need it. */
export const titleOf = ({ text }: Answer): string => /<title>(.*?)<\/title>/s.exec(text)?.[1] ?? ''

/** The visible words of a page, without its markup. */
export const visibleTextOf = ({ text }: Answer): string =>
  text
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/[\s\u00a0\u202f]+/g, ' ')

const listening = new WeakMap<App, Promise<string>>()

/**
 * Starts to listen on a free port if the app does not listen yet, and returns its URL; for pages that a browser
 * opens.
 */
export function listenTo({ app }: FreshApp): Promise<string> {
  let url = listening.get(app)
  if (!url) listening.set(app, (url = app.listen({ host: '127.0.0.1', port: 0 })))
  return url
}
