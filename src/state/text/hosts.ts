/** Host names in the form of `URL.hostname`: in lower case, IPv6 addresses in brackets. */
import { isIPv4, isIPv6 } from 'node:net'

/** Checks whether a host is this machine: localhost and below, 127.0.0.0/8, also mapped into IPv6, [::1]. */
export const isLoopback = (host: string): boolean =>
  host === '[::1]' ||
  /(?:^|\.)localhost\.?$/.test(host) ||
  /^127(?:\.\d{1,3}){3}$/.test(host) ||
  /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(host)

/**
 * Returns a host in the form of a URL. Skips Node's IPv6 check for most hosts, because its first call takes some ms.
 */
export function hostInUrl(host: string): string {
  if (!host.includes(':') || !isIPv6(host)) return host.toLowerCase()
  // Only the URL's form is shortened; that of an address with a zone is none.
  const url = `http://[${host}]`
  return URL.canParse(url) ? new URL(url).hostname : `[${host}]`
}

/** Checks whether a host is an IP address. */
export const isAddress = (host: string): boolean => host.startsWith('[') || isIPv4(host)

/**
 * A host name or address with an optional port, as in a Host header. Excludes characters that could redirect
 * a link.
 */
const AUTHORITY = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/

export const isAuthority = (text: string): boolean => AUTHORITY.test(text)

/** Returns the host of a Host header without its port; null if it has none. */
export function hostOfAuthority(text: string): string | null {
  const url = `http://${text}`
  return isAuthority(text) && URL.canParse(url) ? new URL(url).hostname : null
}

/** Removes the dot of the root domain. */
export const withoutRootDot = (host: string): string => host.replace(/\.$/, '')
