/**
 * An attempt connects only to the checked addresses: the resolved addresses of the host are checked at each attempt.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WITHIN_THIS_MACHINE, type TargetSettings } from '../../../src/webhooks/targets/allowedTargets.ts'
import { HttpTransport } from '../../../src/webhooks/sending/httpTransport.ts'
import type { AttemptResult } from '@suite-sim/kit/webhooks/attempts'
import { receiver } from '../../support/webhooks.ts'

const OPEN: TargetSettings = { ...WITHIN_THIS_MACHINE, isOpen: true }

type LookupCallback = (error: null, addresses: { address: string; family: number }[]) => void

/** Makes the resolver return these answers in sequence, and repeat the last one. */
function resolveTo(...answers: string[][]): void {
  const [last = []] = answers.slice(-1)
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, callback: LookupCallback) => {
    const addresses = answers.shift() ?? last
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

async function transportWith(reach: TargetSettings): Promise<HttpTransport> {
  const transport = new HttpTransport({
    ...{ timeoutMs: 10_000, headers: [], connections: 1 },
    targets: reach,
  })
  onTestFinished(() => transport.close())
  await transport.load()
  return transport
}

const send = (transport: HttpTransport, url: string): Promise<AttemptResult> =>
  new Promise((resolve) => {
    transport.send({ url, headers: [], body: '{}' }, resolve)
  })

const failed = (error: unknown) => ({ status: null, error, durationMs: expect.any(Number) as number })
const ITSELF = 'url must not lead to this server itself'

describe('attempt', () => {
  test('to a name of the server itself is refused, and allowed at another port', async () => {
    const sink = await receiver()
    const { port } = new URL(sink.url)
    resolveTo(['127.0.0.1'])
    const settings = { ...WITHIN_THIS_MACHINE, httpHosts: ['*'] }
    const url = `http://simulator.example.com:${port}/_sim/reset`
    const itself = await transportWith({ ...settings, ownPort: Number(port) })
    expect(await send(itself, url)).toEqual(failed(ITSELF))
    expect(sink.requests).toEqual([])
    const other = await transportWith({ ...settings, ownPort: Number(port) - 1 })
    expect(await send(other, url)).toMatchObject({ status: 200, error: null })
  })

  test('of an open server to a name with a private address is refused unless the name is allowed', async () => {
    const sink = await receiver()
    const { port } = new URL(sink.url)
    resolveTo(['127.0.0.1'])
    const url = `http://receiver.example.com:${port}/`
    const https = `https://receiver.example.com:${port}/`
    const refusal = failed(
      'receiver.example.com is at a loopback address; to allow it, add it to --webhook-http-hosts',
    )
    expect(await send(await transportWith(OPEN), https)).toEqual(refusal)
    const named = await transportWith({ ...OPEN, httpHosts: ['receiver.example.com'] })
    expect(await send(named, url)).toMatchObject({ status: 200 })
  })

  test('is checked each time: a name that resolves to a different address later is refused', async () => {
    const sink = await receiver((_received, _index, response) => {
      response.setHeader('connection', 'close')
      return 200
    })
    const { port } = new URL(sink.url)
    const url = `http://receiver.example.com:${port}/`
    const reach = { ...WITHIN_THIS_MACHINE, httpHosts: ['*'] }
    const transport = await transportWith(reach)
    resolveTo(['127.0.0.1'])
    expect(await send(transport, url)).toMatchObject({ status: 200 })
    transport.setTargets({ ...reach, ownPort: Number(port) })
    expect(await send(transport, url)).toEqual(failed(ITSELF))
    expect(sink.requests).toHaveLength(1)
  })

  test("is refused if every address of the name is the server's own, even for an allowed host", async () => {
    const sink = await receiver()
    const { port } = new URL(sink.url)
    const transport = await transportWith({ ...OPEN, ownPort: Number(port), httpHosts: ['*'] })
    resolveTo(['127.0.0.1', '::1'])
    expect(await send(transport, `http://receiver.example.com:${port}/`)).toEqual(failed(ITSELF))
    expect(sink.requests).toEqual([])
  })

  test.each(['https://10.0.0.1/', 'https://[fe80::1]/', 'http://127.0.0.1:1/', 'https://localhost:1/'])(
    'of an open server to %s is refused, even without a lookup',
    async (url) => {
      const result = await send(await transportWith(OPEN), url)
      expect(result.error).toMatch(/^url must not lead to a .* address; to allow it, add /)
    },
  )
})
