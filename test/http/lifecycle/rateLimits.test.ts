/** Rate limits without an interface: the counted clients and the shared limits. */
import Fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished, expect, test } from 'vitest'
import { operation } from '../../../src/http/definition/operation.ts'
import { limitRates, type RateLimit } from '../../../src/http/lifecycle/rateLimits.ts'
import { documented } from '../../../src/state/model/fidelity.ts'
import { Refusal } from '../../../src/state/model/refusal.ts'
import { freshState } from '../../support/state.ts'

const minute = (name: string, max: number): RateLimit => ({ name, max, windowMs: 60_000, per: 'address' })

/** A server with a limit for each path. The workspace is known before calls are counted. */
async function serverWith(limits: Readonly<Record<string, RateLimit>>) {
  const { workspaces, workspace } = freshState()
  const server: FastifyInstance = Fastify()
  onTestFinished(() => server.close())
  limitRates(server, workspaces)
  server.addHook('onRequest', (request, _reply, done) => {
    request.workspace = workspace
    done()
  })
  server.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof Refusal && error.reason === 'rate_limited' ? 429 : 500).send(),
  )
  void server.register((scope, _options, done) => {
    for (const [path, limit] of Object.entries(limits)) {
      const config = operation({
        id: 'submit',
        summary: '',
        tag: '',
        fidelity: documented,
        answers: {},
        limit,
      })
      scope.get(path, { config }, () => 'ok')
    }
    done()
  })
  await server.ready()
  const statuses = async (path: string, count: number, remoteAddress = '192.0.2.1'): Promise<number[]> => {
    const met: number[] = []
    for (let number = 0; number < count; number++) {
      met.push((await server.inject({ url: path, remoteAddress })).statusCode)
    }
    return met
  }
  return { statuses, workspace }
}

test('counts each address separately', async () => {
  const { statuses } = await serverWith({ '/submit': minute('forms.submit', 2) })
  expect(await statuses('/submit', 3)).toEqual([200, 200, 429])
  expect(await statuses('/submit', 3, '192.0.2.2')).toEqual([200, 200, 429])
  expect(await statuses('/submit', 3, '2001:db8::1')).toEqual([200, 200, 429])
})

test('shares limits of the same name only', async () => {
  const shared = minute('shared', 3)
  const { statuses } = await serverWith({ '/one': shared, '/two': shared, '/three': minute('other', 1) })
  expect(await statuses('/one', 2)).toEqual([200, 200])
  expect(await statuses('/two', 2)).toEqual([200, 429])
  expect(await statuses('/three', 2)).toEqual([200, 429])
})

test('forgets the oldest client when there are too many', { timeout: 60_000 }, async () => {
  const { statuses } = await serverWith({ '/submit': minute('forms.submit', 1) })
  const address = (number: number) => `10.0.${String(number >> 8)}.${String(number & 255)}`
  expect(await statuses('/submit', 2, address(0))).toEqual([200, 429])
  for (let number = 1; number < 10_000; number++) await statuses('/submit', 1, address(number))
  expect(await statuses('/submit', 1, address(0))).toEqual([429])
  await statuses('/submit', 1, address(10_000))
  expect(await statuses('/submit', 1, address(0))).toEqual([200])
  expect(await statuses('/submit', 1, address(9_999))).toEqual([429])
})
