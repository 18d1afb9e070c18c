/**
 * What counts as a URL where one is kept. `URL` itself mends what it is given (spaces around it, line breaks in it,
 * "http:/host"), and what was kept would not be what is asked for later.
 */

/** Characters of a URL: what browsers, proxies and servers commonly take. */
export const LONGEST_URL = 2048

/** Space, what a terminal obeys, and the backslash, which a URL reads as a slash. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const MENDED = /[\s\u0000-\u001f\u007f-\u009f\\]/

/** The URL that the text is, as it stands, with a host and without a user or a password; null for any other text. */
export function writtenUrl(text: string): URL | null {
  if (text.length > LONGEST_URL || MENDED.test(text)) return null
  if (!/^[a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' && !hasUserInfo(text) ? url : null
}

/** Schemes that `URL` does not know take an at sign for a part of the host; "https://@host" has an empty user. */
const hasUserInfo = (text: string): boolean => (text.split(/[/?#]/, 3)[2] ?? '').includes('@')
