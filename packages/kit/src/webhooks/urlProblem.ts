/** The rules for webhook URLs in interfaces, control plane, snapshots and commands. The server has the allowed hosts. */
import { MAX_URL_LENGTH } from '../text/parseUrl.ts'

/**
 * Spaces and control characters, which `URL` silently removes or moves, and the backslash, which it parses as a
 * slash.
 */
// oxlint-disable-next-line no-control-regex
const REPAIRED = /[\u0000-\u0020\u007f\\]/

/** Returns the error of a URL; null if it is valid. */
export function urlProblem(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `url must not be longer than ${String(MAX_URL_LENGTH)} characters`
  if (REPAIRED.test(text)) return 'url must not contain spaces, control characters or backslashes'
  if (!URL.canParse(text)) return 'url must be an absolute URL'
  const { protocol, username, password, port } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'url must be an HTTPS URL'
  // `URL` also accepts "http:/host" and "http:host".
  if (!/^https?:\/\/[^/]/i.test(text)) return 'url must be an absolute URL'
  if (username !== '' || password !== '' || /^[^/]+\/\/[^/?#]*@/.test(text))
    return 'url must not contain credentials'
  if (port === '0') return 'url must not have the port 0'
  return null
}
