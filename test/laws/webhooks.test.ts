/** The webhooks of every interface that offers them, found by the operation `createWebhook`. */
import { describe, expect, test } from 'vitest'
import { freshApp, type Answer, type FreshApp } from '../support/app.ts'
import { everyOperation, exampleBody } from '../support/examples.ts'
import { publishedOf } from '../support/published.ts'

interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
}

/** The interfaces that offer webhooks, with the example of a new one and the names of their events. */
const offers = everyOperation()
  .filter(({ route }) => route.operation.id === 'createWebhook')
  .map(({ route, document }) => {
    const { definition, routes } = publishedOf(route.interface)
    const { url, events } = exampleBody(document, 'POST', '/webhooks') as unknown as Omit<Webhook, 'id'>
    const offersOperation = (id: string): boolean => routes.some(({ operation }) => operation.id === id)
    return {
      name: route.interface,
      invalid: definition.dialect.refusals.invalid,
      example: { url, events },
      published: (definition.events ?? []).map((event) => event.name),
      takesSecret: 'secret' in (route.schema.body as { properties: object }).properties,
      lists: offersOperation('listWebhooks'),
      deletes: offersOperation('deleteWebhook'),
      methodsOfOne: routes.filter(({ path }) => path.startsWith('/webhooks/{')).map(({ method }) => method),
    }
  })

type Offer = (typeof offers)[number]

/** The webhook of a response: the body, or its part `data` or `webhook`. */
function webhookIn({ body }: Answer): Webhook {
  const { data, webhook } = body as { data?: Webhook; webhook?: Webhook }
  return data ?? webhook ?? (body as Webhook)
}

/** The generated secret of a response, in the webhook or beside it. */
const secretIn = (answer: Answer): unknown =>
  (answer.body as { secret?: unknown }).secret ?? (webhookIn(answer) as { secret?: unknown }).secret

async function webhooksOf({ name, example }: Offer) {
  const fresh = await freshApp()
  const call = fresh.at(name)
  const post = (fields: object = {}) => call('POST', '/webhooks', { body: { ...example, ...fields } })
  const create = async (fields: object = {}): Promise<Webhook> => {
    const answer = await post(fields)
    expect(answer.status).toBe(201)
    return webhookIn(answer)
  }
  const list = async (): Promise<Webhook[]> =>
    Object.values((await call('GET', '/webhooks')).body as object).find(Array.isArray) as Webhook[]
  return { fresh, call, post, create, list }
}

const subscribe = async ({ call, workspace }: FreshApp, of: string, url: string): Promise<Webhook> =>
  (await call('POST', `/_sim/workspaces/${workspace.id}/subscriptions`, { body: { interface: of, url } }))
    .body as Webhook

test('finds the interfaces', () => {
  expect(offers.map(({ name }) => name).sort()).toEqual(['crm', 'payments', 'pos', 'tax-invoicing'])
})

describe.each(offers)('webhooks of $name', (offer) => {
  test('have their own secret, which is returned once', async () => {
    const { post, list } = await webhooksOf(offer)
    const made = [await post(), await post()]
    const secrets = made.map(secretIn)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9]{32}$/)
    expect(new Set(secrets).size).toBe(2)
    for (const { text } of made) expect(text).toMatch(/"(active|isActive)":true/)
    if (offer.lists) expect(JSON.stringify(await list())).not.toContain('secret')
  })

  test('accept each published event, and remove duplicates', async () => {
    const { create } = await webhooksOf(offer)
    expect(offer.published.length).toBeGreaterThan(3)
    expect(await create({ events: offer.published })).toMatchObject({ events: offer.published })
    for (const name of offer.published) {
      expect(await create({ events: [name, name] })).toMatchObject({ url: offer.example.url, events: [name] })
    }
  })

  test('refuse http for another machine', async () => {
    const { post, fresh } = await webhooksOf(offer)
    const before = fresh.dump()
    const answer = await post({ url: 'http://receiver.example.com/' })
    expect(answer.status).toBe(offer.invalid.status)
    expect(answer.text).toContain('url')
    expect(fresh.dump()).toEqual(before)
  })
})

test.each(offers.filter(({ takesSecret }) => takesSecret))(
  'webhooks of $name never return a given secret',
  async (offer) => {
    const { post, list } = await webhooksOf(offer)
    const answer = await post({ secret: 'hush-hush' })
    expect(answer.status).toBe(201)
    expect(answer.text).not.toMatch(/hush-hush|secret/)
    if (offer.lists) expect(JSON.stringify(await list())).not.toContain('hush-hush')
  },
)

test.each(offers.filter(({ lists }) => lists))(
  'webhooks of $name are listed newest first, without those of other interfaces',
  async (offer) => {
    const { fresh, create, list } = await webhooksOf(offer)
    await subscribe(fresh, 'catalog', offer.example.url)
    const [first, second] = [await create(), await create()]
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
    const { id } = await subscribe(fresh, offer.name, offer.example.url)
    expect((await list())[0]).toMatchObject({ id, events: offer.published })
  },
)

test.each(offers.filter(({ deletes }) => deletes))(
  'webhooks of $name do not include those of another interface',
  async (offer) => {
    const { fresh, call } = await webhooksOf(offer)
    const { id } = await subscribe(fresh, 'catalog', offer.example.url)
    for (const method of offer.methodsOfOne) {
      const options = method.startsWith('P') ? { body: {} } : {}
      expect((await call(method as 'GET', `/webhooks/${id}`, options)).status, method).toBe(404)
    }
  },
)
