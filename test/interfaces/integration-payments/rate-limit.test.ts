/** Specification part 2, "Limits": 60 requests per minute on payment links, by the clock of the workspace. */
import { describe, expect, test } from 'vitest'
import type { Call } from '../../support/app.ts'
import {
  freshProject,
  NOON,
  refusal,
  statusAndBody,
  type Project,
} from '../../support/integrationPayments.ts'

const limited = () => freshProject({ rateLimits: true })

const LIST = '/v1/payment-links'
const list = ({ call }: Project, key?: string) => call('GET', LIST, key === undefined ? {} : { key })

async function times(count: number, one: () => ReturnType<Call>): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < count; number++) statuses.push((await one()).status)
  return statuses
}

const ok = (count: number) => Array<number>(count).fill(200)

describe('payment links', () => {
  test('accept 60 calls a minute; the next is refused with the time to wait', async () => {
    const project = await limited()
    expect(await times(60, () => list(project))).toEqual(ok(60))
    project.setClock('2026-11-21T12:00:40.500Z')
    const before = project.fresh.dump()
    const refused = await list(project)
    expect(statusAndBody(refused)).toEqual(
      refusal(
        429,
        'ERR_RATE_LIMITED',
        'At most 60 calls in 60 seconds; try again in 20 seconds of the clock of this workspace. If it is frozen, advance it (POST /_sim/workspaces/{id}/clock/advance), or let it run.',
        '2026-11-21T12:00:40.500Z',
      ),
    )
    expect(refused.headers).toMatchObject({
      'retry-after': '20',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '20',
    })
    expect(project.fresh.dump()).toEqual(before)
  })

  test('return the number of remaining calls with each response', async () => {
    const project = await limited()
    const first = await list(project)
    project.setClock('2026-11-21T12:00:59.000Z')
    const second = await list(project)
    const limitHeaders = [first, second].map(({ headers }) => [
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-reset'],
      headers['retry-after'],
    ])
    expect(limitHeaders).toEqual([
      ['60', '59', '60', undefined],
      ['60', '58', '1', undefined],
    ])
  })

  test('accept calls again exactly after a minute', async () => {
    const project = await limited()
    await times(60, () => list(project))
    project.setClock('2026-11-21T12:00:59.999Z')
    expect((await list(project)).headers['retry-after']).toBe('1')
    project.setClock('2026-11-21T12:01:00.000Z')
    expect(await times(61, () => list(project))).toEqual([...ok(60), 429])
  })

  test('accept calls again after the clock is advanced by a minute', async () => {
    const project = await limited()
    await times(60, () => list(project))
    const { fresh } = project
    await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/clock/advance`, {
      body: { duration: 'PT1M' },
    })
    expect((await list(project)).status).toBe(200)
  })

  test('accept calls with a clock that was set back', async () => {
    const project = await limited()
    await times(60, () => list(project))
    project.setClock('2026-11-21T11:59:59.999Z')
    expect((await list(project)).status).toBe(200)
  })

  test('count the list and the cancellation together, including refused calls', async () => {
    const project = await limited()
    const { hashUrl } = await project.addPaymentLink()
    await times(30, () => list(project))
    await times(10, () => project.call('GET', `${LIST}?lim=0`))
    await times(20, () => project.call('PATCH', `${LIST}/nothing/cancel`))
    const answer = await project.call('PATCH', `${LIST}/${hashUrl}/cancel`)
    expect(answer.status).toBe(429)
    project.setClock('2026-11-21T12:01:00.000Z')
    expect((await project.findLink(hashUrl)).status).toBe('pending')
  })
})

describe('no calls are counted', () => {
  test('without a valid key', async () => {
    const project = await limited()
    const { call, fresh } = project
    for (const key of [null, 'unknown', fresh.makeKey({ interfaces: ['pos'] })]) {
      const { status, headers } = await call('GET', LIST, { key })
      expect(status).toBeGreaterThanOrEqual(401)
      expect(headers).not.toHaveProperty('x-ratelimit-limit')
    }
    expect((await list(project)).headers['x-ratelimit-remaining']).toBe('59')
  })

  test('of other operations, which have no limit', async () => {
    const project = await limited()
    const { call } = project
    expect(await times(70, () => call('GET', '/v1/products'))).toEqual(ok(70))
    expect((await call('GET', '/v1/products')).headers).not.toHaveProperty('x-ratelimit-limit')
    const body = { customer: { name: 'Ana' } }
    const made = await times(70, () => call('POST', '/v1/collections/links', { body }))
    expect(new Set(made)).toEqual(new Set([201]))
    expect((await list(project)).headers['x-ratelimit-remaining']).toBe('59')
  })

  test('of other keys and other workspaces', async () => {
    const project = await limited()
    await times(61, () => list(project))
    expect((await list(project, project.fresh.makeKey({}))).headers['x-ratelimit-remaining']).toBe('59')
    expect((await list(project, project.fresh.tenant().key)).headers['x-ratelimit-remaining']).toBe('59')
    expect((await list(project)).status).toBe(429)
  })
})

test.each(['reset', 'snapshot'])('resets the count with a %s', async (how) => {
  const project = await limited()
  const { fresh } = project
  await times(60, () => list(project))
  const path = `/_sim/workspaces/${fresh.workspace.id}`
  if (how === 'reset') expect((await fresh.call('POST', `${path}/reset`)).status).toBe(204)
  else {
    const { body } = await fresh.call('GET', `${path}/snapshot`)
    expect((await fresh.call('PUT', `${path}/snapshot`, { body })).status).toBe(204)
  }
  project.setClock(NOON)
  expect((await list(project)).headers['x-ratelimit-remaining']).toBe('59')
})

test('has no limits if the server was started without rate limits', async () => {
  const project = await freshProject({ rateLimits: false })
  expect(await times(70, () => list(project))).toEqual(ok(70))
  expect((await list(project)).headers).not.toHaveProperty('x-ratelimit-limit')
})

test('applies the limits by default', async () => {
  const { buildApp } = await import('../../../src/app.ts')
  const app = await buildApp({ fixtures: 'demo' })
  const { headers } = await app.fastify.inject({
    url: `/integration-pay${LIST}`,
    headers: { 'x-api-key': 'demo-key' },
  })
  await app.close()
  expect(headers['x-ratelimit-remaining']).toBe('59')
})

test('documents the error and the headers', async () => {
  const { fresh } = await limited()
  const { body } = await fresh.call('GET', '/_sim/openapi/integration-payments.json')
  expect(body).toMatchObject({
    paths: {
      [LIST]: {
        get: {
          responses: {
            200: { headers: { 'X-RateLimit-Remaining': { schema: { type: 'integer' } } } },
            429: { $ref: '#/components/responses/TooManyRequestsDocumented' },
          },
        },
      },
    },
    components: { responses: { TooManyRequestsDocumented: { headers: { 'Retry-After': {} } } } },
  })
})
