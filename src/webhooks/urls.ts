/**
 * What a URL is that webhooks may be sent to, wherever it comes in: interfaces, control plane, snapshots. Where it may
 * lead is said in `reach.ts`.
 */
import { isIPv6 } from 'node:net'
import { LONGEST_URL } from '../state/urlTexts.ts'

/** Whether a host, as `URL.hostname` spells it, is this machine: localhost and below, 127.0.0.0/8, [::1]. */
export const isLoopback = (host: string): boolean =>
  host === '[::1]' || /(?:^|\.)localhost\.?$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host)

/** A host as it stands in a URL. Node's own check takes some ms the first time, and for most hosts in vain. */
export const hostInUrl = (host: string): string =>
  host.includes(':') && isIPv6(host) ? `[${host}]` : host.toLowerCase()

/** Blanks and control characters, which `URL` drops or moves without a word; and what it takes for a slash. */
// oxlint-disable-next-line no-control-regex
const REPAIRED = /[\u0000-\u0020\u007f\\]/

/** What is wrong with the URL itself, in a sentence; null when nothing is. */
export function urlProblem(text: string): string | null {
  if (text.length > LONGEST_URL) return `url must not be longer than ${String(LONGEST_URL)} characters`
  if (REPAIRED.test(text)) return 'url must not hold blanks, control characters or backslashes'
  if (!URL.canParse(text)) return 'url must be an absolute URL'
  const { protocol, username, password, port } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'url must be an HTTPS URL'
  // `URL` also takes "http:/host" and "http:host".
  if (!/^https?:\/\/[^/]/i.test(text)) return 'url must be an absolute URL'
  if (username !== '' || password !== '' || /^[^/]+\/\/[^/?#]*@/.test(text))
    return 'url must not hold credentials'
  if (port === '0') return 'url must not name the port 0'
  return null
}

/** Scheme, host and port: what shares one bound on concurrency. A text that is no URL stands for itself. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** The port, be it named or that of the protocol. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
