/** Hints about whole numbers that JavaScript cannot represent. */
import { expect, test } from 'vitest'
import { changedNumbers } from '../../../src/http/schemas/changedNumbers.ts'
import { freshApp } from '../../support/app.ts'

interface Recorded {
  readonly data: readonly { readonly id: string }[]
  readonly hints: readonly { readonly code: string; readonly message: string }[]
}

async function hintsOf(name: string, path: string, raw: string): Promise<string[]> {
  const { call, at, workspace } = await freshApp()
  const { status, text } = await at(name)('POST', path, { raw, contentType: 'application/json' })
  if (status >= 300) throw new Error(`answered ${String(status)}: ${text}`)
  const calls = `/_sim/workspaces/${workspace.id}/requests`
  const { data } = (await call('GET', `${calls}?limit=1`)).body as Recorded
  const { hints } = (await call('GET', `${calls}/${String(data[0]?.id)}`)).body as Recorded
  return hints.flatMap(({ code, message }) => (code === 'number_changed' ? [message] : []))
}

test.each([
  [
    'payments',
    '/payment-links',
    '{"amount":100,"metadata":{"order":9007199254740993,"lines":[{"id":1},{"id":-12345678901234567891}]}}',
    [
      'createPaymentLink: metadata.order changed from 9007199254740993 to 9007199254740992',
      'createPaymentLink: metadata.lines.1.id changed from -12345678901234567891 to -12345678901234567000',
    ],
  ],
  [
    'integration-payments',
    '/v1/collections/links',
    '{"customer":{"name":"Ana"},"metadata":{"a":{"b": 9007199254740993}}}',
    ['createCollectionLink: metadata.a.b changed'],
  ],
  [
    'catalog',
    '/activities',
    '{"title":"Call","type":"call","customData":{"ref":90071992547409931}}',
    ['createActivity: customData.ref changed'],
  ],
] as const)('names the path of a changed number in %s %s', async (name, path, raw, expected) => {
  expect(await hintsOf(name, path, raw)).toEqual(expected.map((each) => expect.stringContaining(each)))
})

test.each([
  [
    'that is exact',
    '{"amount":100,"metadata":{"a":9007199254740991,"b":9007199254740992,"c":10000000000000000}}',
  ],
  [
    'in a text',
    '{"amount":100,"description":"No, 9007199254740993: x","metadata":{"a":"\\"9007199254740993"}}',
  ],
  ['in an ignored field', '{"amount":100,"order":9007199254740993}'],
  ['that responses show as it was sent', '{"amount":100,"metadata":{"a":12345678901234567000}}'],
  ['with a fraction', '{"amount":100,"metadata":{"a":9007199254740993.5}}'],
])('is silent about a number %s', async (_which, raw) => {
  expect(await hintsOf('payments', '/payment-links', raw)).toEqual([])
})

test('rules out other bodies without parsing them', () => {
  const routeOptions = { config: {}, schema: { body: {} } } as never
  expect(changedNumbers({ sentText: '{ "a": 123456789012345, not JSON', routeOptions })).toEqual([])
})
