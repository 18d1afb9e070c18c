/**
 * The rule for stored URLs. `URL` repairs its input (spaces around it, line breaks in it, "http:/host"), so the
 * stored text would differ from the URL that is requested later.
 */

/** The maximum length of a URL, as in most browsers, proxies and servers. */
export const MAX_URL_LENGTH = 2048

/** Maximum characters of a string in a path or a query: ids, search terms, and names of files in links. */
export const LONGEST_PARAMETER = 1000

/** Spaces, control characters, and the backslash, which `URL` parses as a slash. */
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const REPAIRED = /[\s\u0000-\u001f\u007f-\u009f\\]/

/** A scheme, a host and what follows. */
const WITH_HOST = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]/i

/** The scheme of a URL without a host. "localhost:3000" and "example.com:80" have none. */
const SCHEME = /^[a-z][a-z0-9+-]{0,30}:(?!\d)/i

const EXAMPLE = 'such as https://example.com/path'

/** Returns the rule that a text breaks; null for an exact URL with a host and without user and password. */
export function urlProblem(text: string): string | null {
  if (REPAIRED.test(text)) return 'must not contain spaces, control characters or backslashes'
  if (!WITH_HOST.test(text)) {
    const [scheme] = SCHEME.exec(text) ?? []
    if (scheme === undefined) return `must be a URL including its protocol, ${EXAMPLE}`
    return /^https?:/i.test(scheme)
      ? `must be a URL with two slashes and a host after ${scheme}, ${EXAMPLE}`
      : `must be a URL with a host, ${EXAMPLE}, not a ${scheme} URL`
  }
  if (text.length > MAX_URL_LENGTH) return `must not be longer than ${String(MAX_URL_LENGTH)} characters`
  if (!URL.canParse(text)) return `must be a URL with a valid host and port, ${EXAMPLE}`
  const { username, password } = new URL(text)
  return username !== '' || password !== '' || hasUserInfo(text) ? 'must not contain credentials' : null
}

/** Parses an exact URL with a host and without user and password; returns null for any other text. */
export const parseExactUrl = (text: string): URL | null => (urlProblem(text) === null ? new URL(text) : null)

/** For unknown schemes, `URL` parses an at sign as part of the host; "https://@host" has an empty user. */
const hasUserInfo = (text: string): boolean => (text.split(/[/?#]/, 3)[2] ?? '').includes('@')
