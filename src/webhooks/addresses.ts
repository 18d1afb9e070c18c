/** What kind of address an IP address is, by the registries of IANA as `ipaddr.js` has them. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** As a URL or the resolver spells it, "[::1]" or "::1"; null for what is no address. */
function parsed(text: string): Address | null {
  const bare = text.startsWith('[') ? text.slice(1, -1) : text
  return ipaddr.isValid(bare) ? unwrapped(ipaddr.parse(bare)) : null
}

/** The address of version 4 that one of version 6 stands for (mapped, or translated by RFC 6052). */
function unwrapped(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(TRANSLATED) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** All that is given out to hosts of the internet. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/** What messages call an address that is not to be reached from everywhere. */
const WORDS: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  unspecified: 'an unspecified address',
}

/**
 * Why an address is none of the internet's, "a private address"; null for one of the internet, and for a text that is no
 * address.
 */
export function notPublic(text: string): string | null {
  const address = parsed(text)
  if (address === null) return null
  const range = address.range()
  const isPublic = range === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL))
  return isPublic ? null : (WORDS[range] ?? 'a reserved address')
}

/** Whether an address is one of this machine: loopback, unspecified, or that of one of its interfaces. */
export function isOfThisMachine(text: string): boolean {
  const address = parsed(text)
  if (address === null) return false
  if (/^(?:loopback|unspecified)$/.test(address.range())) return true
  const spelled = address.toString()
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => parsed(own.address)?.toString() === spelled),
  )
}
