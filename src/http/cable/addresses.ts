/** The address of a client: the socket's peer, or the address that a trusted proxy names (X-Forwarded-For). */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Returns a function that reads the client's address. `trustedProxies` are addresses and networks:
 * "10.0.0.0/8".
 */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const each of trustedProxies) {
    const [address = '', bits] = each.split('/')
    if (isIP(address) === 0) continue
    if (bits === undefined) trusted.addAddress(address, familyOf(address))
    else trusted.addSubnet(address, Number(bits), familyOf(address))
  }
  const trusts = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? ''
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse()
    for (const next of forwarded.map((each) => each.trim())) {
      if (next === '' || !trusts(address)) break
      address = next
    }
    return address
  }
}
