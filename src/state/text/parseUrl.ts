/**
 * The rule for stored URLs. `URL` repairs its input (spaces around it, line breaks in it, "http:/host"), so the
 * stored text would differ from the URL that is requested later.
 */

/** The maximum length of a URL, as in most browsers, proxies and servers. */
export const MAX_URL_LENGTH = 2048

/** Spaces, control characters, and the backslash, which `URL` parses as a slash. */
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const REPAIRED = /[\s\u0000-\u001f\u007f-\u009f\\]/

/** Parses an exact URL with a host and without user and password; returns null for any other text. */
export function parseExactUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || REPAIRED.test(text)) return null
  if (!/^[a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' && !hasUserInfo(text) ? url : null
}

/** For unknown schemes, `URL` parses an at sign as part of the host; "https://@host" has an empty user. */
const hasUserInfo = (text: string): boolean => (text.split(/[/?#]/, 3)[2] ?? '').includes('@')
