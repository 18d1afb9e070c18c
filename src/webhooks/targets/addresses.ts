/** Classifies IP addresses by the registries of IANA, as `ipaddr.js` has them. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Parses an address in the form of a URL or the resolver, "[::1]" or "::1"; returns null for other texts. */
function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text
  return ipaddr.isValid(bare) ? toIPv4(ipaddr.parse(bare)) : null
}

/** Returns the IPv4 address that an IPv6 address contains (mapped, or translated by RFC 6052). */
function toIPv4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(TRANSLATED) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** The global unicast range. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/** The names of non-public ranges in messages. */
const RANGE_NAMES: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  unspecified: 'an unspecified address',
}

/**
 * Returns the kind of a non-public address, "a private address"; null for a public address or a text that is no
 * address.
 */
export function nonPublicKind(text: string): string | null {
  const address = parseAddress(text)
  if (address === null) return null
  const range = address.range()
  const isPublic = range === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL))
  return isPublic ? null : (RANGE_NAMES[range] ?? 'a reserved address')
}

/** Checks whether an address belongs to this machine: loopback, unspecified, or that of a network interface. */
export function isOfThisMachine(text: string): boolean {
  const address = parseAddress(text)
  if (address === null) return false
  if (/^(?:loopback|unspecified)$/.test(address.range())) return true
  const normalized = address.toString()
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => parseAddress(own.address)?.toString() === normalized),
  )
}
