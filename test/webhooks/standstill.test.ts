/** The health endpoint reports a queue that sends nothing. */
import { expect, test, vi } from 'vitest'
import { HttpTransport } from '../../src/webhooks/sending/httpTransport.ts'
import { controlApp, makeWorkspace } from '../control/app.ts'
import { skippableTime } from '../support/skippableTime.ts'
import { receiver } from '../support/webhooks.ts'

type Method = 'load' | 'send'

/** Makes the transport postpone calls of the method, and returns a function that releases them. */
function postpone(method: Method): () => void {
  const postponed: (() => void)[] = []
  const { load, send } = HttpTransport.prototype
  const spy =
    method === 'load'
      ? vi.spyOn(HttpTransport.prototype, 'load').mockImplementation(async function (this: HttpTransport) {
          await new Promise<void>((resolve) => postponed.push(resolve))
          await load.call(this)
        })
      : vi.spyOn(HttpTransport.prototype, 'send').mockImplementation(function (this: HttpTransport, ...args) {
          postponed.push(() => {
            send.apply(this, args)
          })
        })
  return () => {
    spy.mockRestore()
    for (const go of postponed) go()
  }
}

test.each<[what: string, method: Method]>([
  ['whose HTTP client is not loaded', 'load'],
  ['in which no attempt ends', 'send'],
])('reports a queue %s in the health check but not in the liveness check', async (_what, method) => {
  const skip = skippableTime()
  const go = postpone(method)
  const sink = await receiver()
  const app = await controlApp({ webhookTimeoutMs: 500 })
  const { id } = await makeWorkspace(app)
  const path = `/workspaces/${id}`
  await app.sim('POST', `${path}/subscriptions`, { body: { interface: 'pos', url: sink.url } })
  expect((await app.sim('GET', '/health')).status).toBe(200)
  await app.sim('POST', `${path}/triggers/pos.event.emit`, { body: { event: 'sale.completed' } })
  const healthLater = async () => {
    await skip(500)
    return (await app.sim('GET', '/health')).status
  }
  await expect.poll(healthLater, { interval: 1 }).toBe(503)
  expect((await app.sim('GET', '/health')).body.error.message).toMatch(
    /^Webhook deliveries make no progress: no attempt has ended for \d+ s\.$/,
  )
  const { body, status } = await app.sim('GET', '/health/ready')
  expect([status, body]).toEqual([503, (await app.sim('GET', '/health')).body])
  expect((await app.sim('GET', '/health/live')).status).toBe(200)
  go()
  await app.sim('GET', `${path}/deliveries?status=delivered&wait=300&count=1`)
  // On a slow machine the first attempt may take too long.
  expect(sink.requests.length).toBeGreaterThan(0)
  expect((await app.sim('GET', '/health')).status).toBe(200)
})
