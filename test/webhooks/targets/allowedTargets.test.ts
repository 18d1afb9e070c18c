/** The allowed targets of webhooks, by the URL and by the resolved addresses of its host. */
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { nonPublicKind } from '../../../src/webhooks/targets/addresses.ts'
import {
  TargetPolicy,
  WITHIN_THIS_MACHINE,
  type TargetSettings,
} from '../../../src/webhooks/targets/allowedTargets.ts'

const reach = (settings: Partial<TargetSettings> = {}) =>
  new TargetPolicy({ ...WITHIN_THIS_MACHINE, ...settings })

const problemOf = (url: string, settings: Partial<TargetSettings> = {}) =>
  reach(settings).problemOf(new URL(url))

const itself = 'url must not lead to this server itself'

describe('a server that only this machine can reach', () => {
  test.each([
    'https://receiver.example.com/',
    'http://localhost:3000/hook',
    'http://app.localhost/hook',
    'http://2130706433/',
    'http://[::1]:3000/',
    'https://10.0.0.5/',
    'https://169.254.169.254/',
  ])('allows webhooks to %s', (url) => {
    expect(problemOf(url)).toBeNull()
  })

  test.each([
    'http://receiver.example.com/pos',
    'http://localhost.example.com/',
    'http://notlocalhost/',
    'http://128.0.0.1/',
    'http://[::2]/',
    'http://0.0.0.0/',
  ])('refuses plain http to %s', (url) => {
    expect(problemOf(url)).toBe(
      `url must be an HTTPS URL; plain http is allowed only for loopback hosts and hosts in --webhook-http-hosts, not for ${new URL(url).hostname}`,
    )
  })

  test('allows plain http to a named host at any port, and to no other host', () => {
    const httpHosts = ['receiver', 'Hooks.Example.com']
    expect(problemOf('http://receiver:8080/x', { httpHosts })).toBeNull()
    expect(problemOf('http://hooks.example.com/x', { httpHosts })).toBeNull()
    expect(problemOf('http://other/x', { httpHosts })).toMatch(/plain http/)
    expect(problemOf('http://sub.receiver/x', { httpHosts })).toMatch(/plain http/)
    expect(problemOf('http://anything.example.com/x', { httpHosts: ['*'] })).toBeNull()
  })

  test('allows any resolved address of a host', () => {
    expect(reach().addressProblem(new URL('https://receiver.example.com/'), '10.0.0.5')).toBeNull()
  })
})

const NOT_PUBLIC: [address: string, kind: string][] = [
  ['127.0.0.1', 'a loopback address'],
  ['10.0.0.1', 'a private address'],
  ['172.16.0.1', 'a private address'],
  ['172.31.255.255', 'a private address'],
  ['192.168.0.1', 'a private address'],
  ['100.64.0.1', 'a private address'],
  ['100.127.255.255', 'a private address'],
  ['169.254.169.254', 'a link-local address'],
  ['0.0.0.0', 'an unspecified address'],
  ['224.0.0.1', 'a multicast address'],
  ['240.0.0.1', 'a reserved address'],
  ['255.255.255.255', 'a reserved address'],
  ['192.0.2.1', 'a reserved address'],
  ['198.18.0.1', 'a reserved address'],
  ['::', 'an unspecified address'],
  ['::1', 'a loopback address'],
  ['::7f00:1', 'a reserved address'],
  ['::ffff:127.0.0.1', 'a loopback address'],
  ['::ffff:a00:1', 'a private address'],
  ['64:ff9b::a9fe:a9fe', 'a link-local address'],
  ['64:ff9b:1::1', 'a reserved address'],
  ['2002:7f00:1::', 'a reserved address'],
  ['2001::1', 'a reserved address'],
  ['2001:db8::1', 'a reserved address'],
  ['fd00:ec2::254', 'a private address'],
  ['fe80::1', 'a link-local address'],
  ['fec0::1', 'a reserved address'],
  ['ff02::1', 'a multicast address'],
]

const PUBLIC = [
  ...['8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '169.253.1.1', '11.0.0.1'],
  ...['2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'],
]

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

describe('a server that other machines can reach', () => {
  const isOpen = true
  const named = new URL('https://receiver.example.com/')

  test.each(NOT_PUBLIC)('refuses webhooks to %s: %s', (address, kind) => {
    const url = `https://${inUrl(address)}/`
    expect(nonPublicKind(address)).toBe(kind)
    expect(problemOf(url, { isOpen })).toContain(`must not lead to ${kind}`)
    expect(reach({ isOpen }).addressProblem(named, address)).toBe(
      `receiver.example.com is at ${kind}; to allow it, add it to --webhook-http-hosts`,
    )
    for (const httpHosts of [['*'], [new URL(url).hostname, 'receiver.example.com']]) {
      expect(problemOf(url, { isOpen, httpHosts })).toBeNull()
      expect(reach({ isOpen, httpHosts }).addressProblem(named, address)).toBeNull()
    }
  })

  test.each(PUBLIC)('allows webhooks to %s', (address) => {
    expect(problemOf(`https://${inUrl(address)}/`, { isOpen })).toBeNull()
    expect(reach({ isOpen }).addressProblem(named, address)).toBeNull()
  })

  test.each(['http://localhost/', 'https://sub.localhost/', 'http://0x7f.1/', 'http://017700000001/'])(
    'refuses webhooks to %s, which is this machine',
    (url) => {
      expect(problemOf(url, { isOpen })).toMatch(/must not lead to a loopback address; to allow it, add /)
    },
  )

  test('allows plain http only to named hosts', () => {
    expect(problemOf('http://receiver.example.com/', { isOpen })).toBe(
      'url must be an HTTPS URL; plain http is allowed only for hosts in --webhook-http-hosts, not for receiver.example.com',
    )
  })
})

describe('the server itself', () => {
  const ownPort = 4012
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  const spellings = [
    ...[
      '127.0.0.1',
      '127.9.9.9',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'x.localhost',
      '[::1]',
      '0.0.0.0',
      '[::]',
    ],
    ...['[::ffff:127.0.0.1]', '[0:0:0:0:0:0:0:1]', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0'],
    ...own.map(inUrl),
  ]

  test.each(spellings)('is recognized as %s at its port, whatever is allowed', (host) => {
    for (const protocol of ['http', 'https']) {
      const url = `${protocol}://${host}:4012/_sim/reset?a#b`
      expect(problemOf(url, { ownPort })).toBe(itself)
      expect(problemOf(url, { ownPort, isOpen: true, httpHosts: ['*'] })).toBe(itself)
    }
    expect(problemOf(`https://${host}:4013/`, { ownPort })).toBeNull()
  })

  test('is recognized at the default port of its protocol', () => {
    expect(problemOf('http://localhost/', { ownPort: 80 })).toBe(itself)
    expect(problemOf('https://localhost/', { ownPort: 80 })).toBeNull()
  })

  test.each([...own, '127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'])(
    'is recognized by the resolved address %s',
    (address) => {
      const configured = reach({ ownPort, httpHosts: ['*'] })
      expect(configured.addressProblem(new URL('http://anyone.example.com:4012/'), address)).toBe(itself)
      expect(configured.addressProblem(new URL('http://anyone.example.com:4013/'), address)).toBeNull()
    },
  )

  test('is recognized by its public URL, unlike other ports of the same host', () => {
    const sim = { publicUrl: 'https://sim.example.com', httpHosts: ['*'] }
    expect(problemOf('https://sim.example.com/_sim/reset', sim)).toBe(itself)
    expect(problemOf('https://SIM.example.com.:443/', sim)).toBe(itself)
    expect(problemOf('http://sim.example.com/', sim)).toBe(itself)
    expect(problemOf('https://sim.example.com:8443/', sim)).toBeNull()
    expect(problemOf('https://www.sim.example.com/', sim)).toBeNull()
    const local = { publicUrl: 'http://localhost:4012' }
    expect(problemOf('http://localhost:4012/x', local)).toBe(itself)
    expect(problemOf('http://localhost:3000/x', local)).toBeNull()
  })
})
