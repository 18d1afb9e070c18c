import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressReader } from '../../../src/http/cable/addresses.ts'

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as unknown as IncomingMessage

test.each([
  ['nobody is trusted', [], '10.0.0.1', '203.0.113.7', '10.0.0.1'],
  ['the proxy is trusted', ['10.0.0.1'], '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['its network is trusted', ['10.0.0.0/8'], '10.9.9.9', '203.0.113.7', '203.0.113.7'],
  ['it is no proxy', ['10.0.0.0/8'], '198.51.100.4', '203.0.113.7', '198.51.100.4'],
  ['the client says more than it knows', ['10.0.0.1'], '10.0.0.1', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['two proxies are trusted', ['10.0.0.1', '10.0.0.2'], '10.0.0.1', '203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['it speaks IPv6', ['10.0.0.1', 'fd00::/8'], '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['it says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
] as const)('finds the address of the client if %s', (_what, trusted, remote, forwarded, address) => {
  expect(addressReader(trusted)(request(remote, forwarded))).toBe(address)
})
