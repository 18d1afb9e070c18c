/** Flags of the server with lists and sizes. */
import { expect, test } from 'vitest'
import { runHere, serveHere } from '../support/commandLine.ts'
import { scratchFolder } from '../support/process.ts'
import { head, rawClient } from '../support/sockets.ts'

const MEMORY = ['--port', '0', '--db', ':memory:', '--fixtures', 'none']
const here = () => ({ folder: scratchFolder(), variables: {} })

test('a repeated flag with a list adds its values, and the largest size is accepted', async () => {
  const origins = ['http://localhost:1', 'http://localhost:2', 'http://localhost:3']
  const cors = ['--cors', origins.slice(0, 2).join(','), '--cors', String(origins[2])]
  const { url } = await serveHere([...MEMORY, ...cors, '--max-workspace-bytes', '8388607GB'], here())
  for (const origin of origins) {
    const { headers } = await fetch(`${url}/pos/public/v1/webhooks`, { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  }
})

test.each([
  ['a flag', ['--allowed-hosts', 'sim.test,.tunnel.example'], {}],
  ['a variable', [], { SIM_ALLOWED_HOSTS: 'sim.test,.tunnel.example' }],
])('%s names the hosts that the server answers to', async (_name, args, variables) => {
  const { url } = await serveHere([...MEMORY, ...args], { folder: scratchFolder(), variables })
  const statusOf = async (host: string): Promise<string | undefined> => {
    const client = await rawClient(url)
    client.send(head('GET', '/llms.txt', { host, connection: 'close' }))
    return (await client.closed).split(' ')[1]
  }
  expect(await statusOf('sim.test')).toBe('200')
  expect(await statusOf('a.tunnel.example')).toBe('200')
  expect(await statusOf('rebind.test')).toBe('403')
})

test.each([
  ['8388608GB', 'It must be at most 8388607GB.'],
  ['999999999999GB', 'It must be at most 8388607GB.'],
  ['99999999999999999999', 'It must be at most 8388607GB.'],
  ['1048575', 'It must be at least 1MB'],
  ['1TB', 'It must be at least 1MB'],
])('--max-workspace-bytes %s is refused: %s', async (size, words) => {
  const { code, stderr } = await runHere(['serve', ...MEMORY, '--max-workspace-bytes', size], here())
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) as string })
})

test('--host takes an IPv6 address with and without brackets', async () => {
  for (const host of ['[::1]', '::1']) {
    const { url } = await serveHere([...MEMORY, '--host', host], here())
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    const { code } = await runHere(['healthcheck', '--host', host, '--port', new URL(url).port], here())
    expect(code).toBe(0)
  }
})
