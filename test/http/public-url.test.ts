/** The base of page URLs on a server that listens on a network. */
import { get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../support/subject.ts'

async function linkUrl(publicUrl: string | null, host: string, headers: Readonly<Record<string, string>>) {
  const app = await buildApp({ fixtures: 'small', publicUrl })
  onTestFinished(() => app.close())
  await app.listen({ host, port: 0 })
  const { port } = app.fastify.server.address() as { port: number }
  const text = await new Promise<string>((resolve, reject) => {
    const path = '/pay/v1/payment-links/pl_demo0000000000000003'
    get({ port, path, headers: { authorization: 'Bearer demo-key', ...headers } }, (answer) => {
      let body = ''
      answer
        .on('data', (chunk: Buffer) => (body += chunk.toString()))
        .on('end', () => {
          resolve(body)
        })
    }).on('error', reject)
  })
  const { data } = JSON.parse(text) as { data: { url: string } }
  return { origin: new URL(data.url).origin, port }
}

const hostHeader = { host: 'sim.internal:8080' }

test('uses the Host header of the request on a server that listens on a network', async () => {
  expect((await linkUrl(null, '0.0.0.0', hostHeader)).origin).toBe('http://sim.internal:8080')
})

test('keeps the Host header of one client from others', async () => {
  const app = await buildApp({ fixtures: 'small' })
  onTestFinished(() => app.close())
  await app.listen({ host: '0.0.0.0', port: 0 })
  const origin = async (host: string): Promise<string> => {
    const url = '/pay/v1/payment-links/pl_demo0000000000000003'
    const answer = await app.fastify.inject({ url, headers: { authorization: 'Bearer demo-key', host } })
    return new URL(answer.json<{ data: { url: string } }>().data.url).origin
  }
  for (let round = 0; round < 3; round++) {
    expect(await origin('one.internal')).toBe('http://one.internal')
    expect(await origin('other.internal:8080')).toBe('http://other.internal:8080')
  }
  // Concurrently, so that some requests wait for others.
  const hosts = Array.from({ length: 50 }, (_, index) => `host-${String(index)}.internal`)
  expect(await Promise.all(hosts.map(origin))).toEqual(hosts.map((host) => `http://${host}`))
})

test('uses the public URL if one is set', async () => {
  expect((await linkUrl('https://sim.example.com', '0.0.0.0', hostHeader)).origin).toBe(
    'https://sim.example.com',
  )
})

test('uses the address of this machine on a server that only it can reach', async () => {
  // A name without a dot, because others are refused there.
  const { origin, port } = await linkUrl(null, '127.0.0.1', { host: 'sim:4012' })
  expect(origin).toBe(`http://127.0.0.1:${String(port)}`)
})
