/** Faults of hosted pages, which are not operations. */
import { expect, test } from 'vitest'
import { setup } from './setup.ts'

/** A payment link with a function that opens its page. */
async function linkPage() {
  const app = await setup()
  const sent = { amount: 1250, currency: 'USD', description: 'Standing desk' }
  const { body } = await app.call('POST', '/pay/v1/payment-links', app.made.key, sent)
  const { pathname } = new URL(body.data.url as string)
  const openPage = async (fields?: Record<string, string>) => {
    const { statusCode, headers, payload } = await app.fastify.inject({
      url: pathname,
      ...(fields && {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      }),
    })
    return { status: statusCode, type: headers['content-type'], text: payload }
  }
  return { ...app, pathname, openPage }
}

test('a fault with the path of a page applies to it as often as it says', async () => {
  const { sim, path, pathname, openPage, met } = await linkPage()
  await sim('POST', path, { body: { path: pathname, status: 503, times: 2 } })
  const failed = { status: 503, type: 'text/plain; charset=utf-8', text: 'A fault that a test has set.' }
  expect(await openPage()).toEqual(failed)
  expect(await openPage({ card_number: '4242424242424242' })).toEqual(failed)
  expect((await openPage()).status).toBe(200)
  expect(await met()).toEqual([2])
})

test.each([
  ['a wildcard', '/pay/links/*/*', undefined, 503],
  ['its interface', '/pay/links/*/*', 'payments', 503],
])('%s matches a page', async (_what, pattern, of, status) => {
  const { sim, path, openPage } = await linkPage()
  await sim('POST', path, {
    body: { path: pattern, ...(of !== undefined && { interface: of }), status: 503 },
  })
  expect((await openPage()).status).toBe(status)
})

test('a fault of a method applies to a form alone', async () => {
  const { sim, path, pathname, openPage } = await linkPage()
  await sim('POST', path, { body: { path: pathname, method: 'POST', status: 503 } })
  expect((await openPage()).status).toBe(200)
  expect((await openPage({})).status).toBe(503)
})

test('a fault without a path is one of operations', async () => {
  const { sim, path, openPage, met } = await linkPage()
  await sim('POST', path, { body: { interface: 'payments', status: 503 } })
  expect((await openPage()).status).toBe(200)
  expect(await met()).toEqual([0])
})

test('a fault of another page or workspace does not apply', async () => {
  const one = await linkPage()
  const other = await linkPage()
  await one.sim('POST', one.path, { body: { path: other.pathname, status: 503 } })
  expect((await one.openPage()).status).toBe(200)
  expect((await other.openPage()).status).toBe(200)
})

test('a template has the fields of the form', async () => {
  const { sim, path, pathname, openPage } = await linkPage()
  const body = { number: '{{request.body.note}}' }
  await sim('POST', path, { body: { path: pathname, method: 'POST', status: 402, body, template: true } })
  expect(JSON.parse((await openPage({ note: 'hello' })).text)).toEqual({ number: 'hello' })
})

test('a condition of the body is refused for a page', async () => {
  const { sim, path, pathname } = await linkPage()
  const fault = { path: pathname, status: 503, when: { body: { note: 'x' } } }
  const { status, body } = await sim('POST', path, { body: fault })
  expect([status, body.error.message]).toEqual([
    400,
    'when.body is not allowed here: it is only for operations',
  ])
})
