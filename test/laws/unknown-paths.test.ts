/** Unknown paths: a 404 in the format of the interface, whatever the method and the body are, and never the framework's own. */
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { freshApp, credentialHeader, type Method } from '../support/app.ts'
import { INTERFACES } from '../support/subject.ts'

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const LARGE = 3 * 1_048_576

const BODIES: Readonly<Record<string, { readonly type?: string; readonly body?: string }>> = {
  'no body': {},
  'an empty JSON body': { type: 'application/json', body: '' },
  'a JSON object': { type: 'application/json', body: '{}' },
  'broken JSON': { type: 'application/json', body: '{bad' },
  'JSON with __proto__': { type: 'application/json', body: '{"__proto__":{"a":1}}' },
  'JSON that is too large': { type: 'application/json', body: `"${'x'.repeat(LARGE)}"` },
  'a text': { type: 'text/plain', body: 'text' },
  'a form': { type: 'application/x-www-form-urlencoded', body: 'a=1' },
  'a broken multipart form': { type: 'multipart/form-data', body: 'no form' },
  'a multipart form without an end': { type: 'multipart/form-data; boundary=a', body: '--a\r\n' },
  'an unknown type': { type: 'application/vnd.unknown', body: 'x' },
  'an invalid type': { type: 'no type', body: '{}' },
  'a body without a type': { body: '{}' },
}

const OUTSIDE = [
  '/zzz',
  '/v1/products',
  '/chat/cables',
  '/workspace',
  '/favicon.ico',
  '//',
  '/;a=1',
  '/_simx',
]
/** Addresses that only GET and HEAD have. */
const GUIDE = ['/', '/llms.txt']
const BELOW = ['/_sim/zzz', '/files/zzz', ...INTERFACES.map(({ basePath }) => `${basePath}/zzz`)]
const PAGES = INTERFACES.flatMap(({ pagesPath, framedPagesPath }) => [pagesPath ?? [], framedPagesPath ?? []])
  .flat()
  .map((path) => `${path}/a/b/c/d/e/f/g`)

const paths = [
  ...OUTSIDE.map((path) => ({ path, methods: METHODS })),
  ...GUIDE.map((path) => ({
    path,
    methods: METHODS.filter((method) => method !== 'GET' && method !== 'HEAD'),
  })),
  ...BELOW.map((path) => ({ path, methods: METHODS })),
  ...PAGES.map((path) => ({ path, methods: METHODS })),
]

async function setup() {
  const { app, key } = await freshApp()
  const credentials = await Promise.all(
    INTERFACES.map(async ({ name }) => credentialHeader((await app.published(name)).definition, key)),
  )
  const send = (method: Method, url: string, { type, body }: (typeof BODIES)[string]) =>
    app.fastify.inject({
      method,
      url,
      headers: { ...Object.assign({}, ...credentials), ...(type !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { payload: body }),
    })
  return { app, send }
}

test.each(Object.entries(BODIES))('unknown paths return 404 with %s', async (_name, body) => {
  const { send } = await setup()
  const wrong: object[] = []
  for (const { path, methods } of paths) {
    for (const method of methods) {
      const { statusCode, payload } = await send(method, path, body)
      const isOutside = method !== 'HEAD' && [...OUTSIDE, ...GUIDE].includes(path)
      if (statusCode !== 404 || /statusCode|FST_/.test(payload) || (isOutside && !isOfNothing(payload)))
        wrong.push({ method, path, statusCode, payload })
    }
  }
  expect(wrong).toEqual([])
})

const isOfNothing = (payload: string): boolean =>
  payload.startsWith('{"error":{"code":"not_found","message":"') &&
  payload.includes('Nothing is mounted at ') &&
  payload.endsWith('"}}')

test('calls with unreadable bodies are recorded among the unmatched calls', async () => {
  const { app, send } = await setup()
  const bodies = Object.values(BODIES)
  for (const body of bodies) await send('POST', '/zzz', body)
  const { payload } = await app.fastify.inject({
    url: `/_sim/requests?unmatched=true&limit=${String(bodies.length)}`,
    headers: { host: 'localhost' },
  })
  const { data } = JSON.parse(payload) as {
    data: { path: string; status: number; request: { body: unknown } }[]
  }
  expect(data.map(({ path, status }) => ({ path, status }))).toEqual(
    bodies.map(() => ({ path: '/zzz', status: 404 })),
  )
  expect(data.map(({ request }) => request.body)).toContain('{bad')
})

test('a client that sends a large body reads the 404', async () => {
  const { app } = await freshApp({ ownApp: true })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const path of ['/zzz', '/', '/llms.txt', '/_sim/zzz']) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': LARGE },
      })
      let answered: number | undefined
      request.on('response', (response) => {
        answered = response.statusCode
        response.resume()
      })
      request.on('error', reject)
      // All bytes were accepted: no reset has cut them off.
      request.end(Buffer.alloc(LARGE, 0x20))
      request.on('close', () => {
        resolve(answered)
      })
    })
    expect({ path, status }).toEqual({ path, status: 404 })
  }
})
