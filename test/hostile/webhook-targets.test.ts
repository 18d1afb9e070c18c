/** Webhooks reach neither the server itself nor, from a server on a network, addresses that only it can reach. */
import { beforeAll, describe, expect, test } from 'vitest'
import { build, scratchFolder, start, type Server } from '../support/process.ts'
import { receiver } from '../support/webhooks.ts'

const ITSELF = 'url must not lead to this server itself'

describe('the program', () => {
  beforeAll(build)

  const admin = { authorization: 'Bearer open-sesame', 'content-type': 'application/json' }

  const subscribe = ({ url }: Pick<Server, 'url'>, target: string): Promise<Response> =>
    fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/_sim/workspaces/demo/subscriptions`, {
      method: 'POST',
      headers: admin,
      body: JSON.stringify({ interface: 'pos', url: target }),
    })

  const emit = ({ url }: Pick<Server, 'url'>): Promise<Response> =>
    fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/_sim/workspaces/demo/triggers/pos.event.emit`, {
      method: 'POST',
      headers: admin,
      body: JSON.stringify({ event: 'sale.completed' }),
    })

  /** Puts a snapshot with a subscription of a server that allowed it. */
  async function putSubscription({ url }: Pick<Server, 'url'>, target: string): Promise<void> {
    const at = '2026-01-01T00:00:00Z'
    const subscription = {
      ...{ id: 'elsewhere', interface: 'pos', url: target, events: ['*'], secret: 'secret' },
      ...{ active: true, createdAt: at, updatedAt: at },
    }
    const snapshot = { format: 'suite-simulator/1', webhooks: { subscriptions: [subscription] } }
    const answer = await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/_sim/workspaces/demo/snapshot`, {
      method: 'PUT',
      headers: admin,
      body: JSON.stringify(snapshot),
    })
    expect(answer.status).toBe(204)
  }

  /** The attempts of all deliveries by target, after this many were made. */
  async function attempts({ url }: Pick<Server, 'url'>, count: number): Promise<Map<string, unknown>> {
    const deliveries = `${url.replace('0.0.0.0', '127.0.0.1')}/_sim/workspaces/demo/deliveries`
    for (;;) {
      const response = await fetch(`${deliveries}?limit=100`, { headers: admin })
      const { data } = (await response.json()) as { data: { url: string; attempts: { error: string }[] }[] }
      const made = data.filter(({ attempts: all }) => all.length > 0)
      if (made.length >= count) return new Map(made.map((one) => [one.url, one.attempts[0]?.error]))
    }
  }

  const ARGS = ['--port', '0', '--db', ':memory:', '--admin-token', 'open-sesame']

  test('refuses itself as a receiver under every name of this machine, whatever is allowed', async () => {
    const server = await start([...ARGS, '--webhook-http-hosts', '*'], { folder: scratchFolder() })
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]']) {
      const answer = await subscribe(server, `http://${host}:${port}/_sim/reset`)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain(ITSELF)
    }
    expect((await subscribe(server, 'http://127.0.0.1:1/')).status).toBe(201)
  })

  test('on a network refuses addresses outside of the internet, and sends nothing there', async () => {
    const sink = await receiver()
    const server = await start([...ARGS, '--host', '0.0.0.0'], { folder: scratchFolder() })
    for (const target of [
      sink.url,
      'https://10.0.0.1/',
      'https://169.254.169.254/latest',
      'https://[fd00:ec2::254]/',
    ]) {
      const answer = await subscribe(server, target)
      expect([target, answer.status]).toEqual([target, 400])
      expect(await answer.text()).toContain('--webhook-http-hosts')
    }
    await putSubscription(server, sink.url)
    await emit(server)
    expect([...(await attempts(server, 1)).values()]).toEqual([
      'url must not lead to a loopback address; to allow it, add 127.0.0.1 to --webhook-http-hosts',
    ])
    expect(sink.requests).toEqual([])
  })

  test('on a network sends to allowed hosts', async () => {
    const sink = await receiver()
    const server = await start([...ARGS, '--host', '0.0.0.0', '--webhook-http-hosts', '127.0.0.1'], {
      folder: scratchFolder(),
    })
    expect((await subscribe(server, sink.url)).status).toBe(201)
    await emit(server)
    await sink.received(1)
    expect((await subscribe(server, 'http://localhost:1/')).status).toBe(400)
  })
})
