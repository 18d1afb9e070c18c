/** A workspace with faults, for the tests of faults. */
import { controlApp, makeWorkspace } from '../app.ts'
import { receiver } from '../receiver.ts'

export const PRODUCTS = '/workspace/public/v1/products'

/** Returns an app and a workspace with functions that set faults and make calls. */
export async function setup(workspace?: object, options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const made = await makeWorkspace(app, workspace)
  const path = `/workspaces/${made.id}/faults`
  /** Calls an interface with extra headers. */
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { body, headers = {} }: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) => {
    const response = await app.fastify.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${made.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.statusCode, headers: response.headers, text: response.payload }
  }
  return {
    ...app,
    made,
    path,
    send,
    set: async (body: object) => (await app.sim('POST', path, { body })).body,
    met: async () => ((await app.sim('GET', path)).body.data as { met: number }[]).map(({ met }) => met),
    get: (url = PRODUCTS, key = made.key) => app.call('GET', url, key),
    status: async (url = PRODUCTS) => (await app.call('GET', url, made.key)).status,
    /** Returns the codes and messages of the hints of the last call. */
    hints: async () => {
      const { data } = (await app.sim('GET', `/workspaces/${made.id}/requests?limit=1`)).body
      const entry = (await app.sim('GET', `/workspaces/${made.id}/requests/${String(data[0].id)}`)).body
      return entry.hints as { code: string; message: string }[]
    },
  }
}

/** Sets a fault, and creates products whose webhooks go to a receiver. */
export async function delivering(fault: object, names: readonly string[] = ['Desk 0']) {
  const app = await setup()
  const { sim, made, path } = app
  const to = await receiver()
  const { body: subscription } = await sim('POST', `/workspaces/${made.id}/subscriptions`, {
    body: { interface: 'catalog', url: to.url },
  })
  await sim('POST', path, { body: fault })
  for (const name of names) await app.call('POST', PRODUCTS, made.key, { name, type: 'physical' })
  const wait = async (query: string) =>
    (await sim('GET', `/workspaces/${made.id}/deliveries?wait=300&${query}`)).body.data
  return { ...app, ...to, wait, secret: subscription.secret as string }
}
