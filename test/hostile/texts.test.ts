/** Texts that a parser could read slowly, change, or misinterpret. */
import { describe, expect, test } from 'vitest'
import { FORMATS, problemsOf } from '../../src/http/schemas/validation.ts'
import { Contact } from '../../src/interfaces/crm/shapes/contacts.ts'
import { readPayForm } from '../../src/interfaces/payments/payForm.ts'
import { readCard } from '../../src/state/shared/cards.ts'
import type { Link } from '../../src/state/payments/links.ts'
import { freshApp, type FreshApp } from '../support/app.ts'
import { withoutBlocking } from '../support/loopDelay.ts'

describe('a long text is parsed in linear time', () => {
  test('as the amount of a payment', async () => {
    const link = { amount: null, currency: 'USD', paymentMethods: [] } as unknown as Link
    const amount = `${'0'.repeat(65_000)}x`
    const read = await withoutBlocking(async () =>
      readPayForm(link, (field) => (field === 'amount' ? amount : ''), 0),
    )
    expect(read).toContainEqual(expect.objectContaining({ field: 'amount', code: 'invalid' }))
  })

  test('as the expiry of a card', async () => {
    const expiry = `12${' '.repeat(65_000)}x`
    const read = await withoutBlocking(async () => readCard({ number: '', expiry, cvc: '' }, 0))
    expect(read).toContainEqual(expect.objectContaining({ field: 'expiry', code: 'invalid' }))
  })

  test('as a tag', async () => {
    const tag = `${'a'.repeat(100_000)}\n`
    const found = await withoutBlocking(async () => problemsOf(Contact.create, { name: 'Ana', tags: [tag] }))
    expect(found.map(({ code }) => code).sort()).toEqual(['too_long'])
  })
})

describe('e-mail address', () => {
  const check = FORMATS['email']?.check ?? (() => false)

  test.each(['a@b.co', 'ana+tag@mail.example.com', 'josé@ejemplo.mx', "o'hara@example.com"])(
    'may be %s',
    (text) => {
      expect(check(text)).toBe(true)
    },
  )

  test.each([
    '(a@b.co)',
    'a@b',
    'a@b..co',
    '.a@b.co',
    'a@-b.co',
    'a@b.co ',
    'Ana <a@b.co>',
    'a@[127.0.0.1]',
    '@',
    `${'a'.repeat(65)}@b.co`,
    'a\r\n@b.co',
  ])('may not be %j', (text) => {
    expect(check(text)).toBe(false)
  })
})

describe('URL', () => {
  const check = FORMATS['uri']?.check ?? (() => false)

  test.each([
    'https://example.com/a?b=c#d',
    'http://localhost:8080',
    'tel-app://join/5',
    'https://example.com/@user',
    'https://xn--d1acpjx3f.xn--p1ai/',
  ])('may be %s', (text) => {
    expect(check(text)).toBe(true)
  })

  test.each([
    ' https://example.com',
    'https://example.com ',
    'https://exa\r\nmple.com',
    'http:/example.com',
    'https:\\\\example.com',
    'https://u:p@example.com',
    'https://u@example.com',
    'https://@example.com',
    'app://u:p@host/',
    'javascript:alert(1)',
    'https://',
    `https://example.com/${'x'.repeat(70_000)}`,
  ])('may not be %j', (text) => {
    expect(check(text)).toBe(false)
  })

  test('has at most 2,048 characters', () => {
    const long = (length: number) => 'https://example.com/'.padEnd(length, 'x')
    expect([check(long(2048)), check(long(2049))]).toEqual([true, false])
  })
})

describe('bytes that are not UTF-8', () => {
  test.each([
    ['a lone byte', [0xff]],
    ['half of a character', [0xc3]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
  ])('are refused in a body: %s', async (_what, bytes) => {
    const { at, dump } = await freshApp()
    const before = dump()
    const raw = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from(bytes),
      Buffer.from('","type":"service"}'),
    ])
    const answer = await withoutBlocking(() => at('catalog')('POST', '/products', { raw }))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('The body is not valid UTF-8.')
    expect(dump()).toEqual(before)
  })
})

test('refuses a part of a form without a name', async () => {
  const { at } = await freshApp()
  const form = (disposition: string) => ({
    raw: `--x\r\nContent-Disposition: ${disposition}\r\n\r\nname\r\n--x--\r\n`,
    contentType: 'multipart/form-data; boundary=x',
  })
  for (const disposition of ['form-data', 'form-data; name=""', 'form-data; filename="a.csv"']) {
    const answer = await withoutBlocking(() => at('crm')('POST', '/contacts/import', form(disposition)))
    expect([disposition, answer.status]).toEqual([disposition, 400])
  }
})

describe('the last instant', () => {
  const set = ({ call, workspace }: FreshApp, body: object) =>
    withoutBlocking(() => call('PUT', `/_sim/workspaces/${workspace.id}/clock`, { body }))

  test('is the end of a running clock', async () => {
    const fresh = await freshApp()
    const last = '9999-12-31T23:59:59.999Z'
    expect((await set(fresh, { now: last, frozen: false })).body).toEqual({ now: last, frozen: false })
    await new Promise((resolve) => setImmediate(resolve))
    expect(fresh.now()).toBe(last)
    const made = await fresh.at('catalog')('POST', '/products', { body: { name: 'Desk', type: 'service' } })
    expect(made.status).toBe(201)
    expect(made.text).toContain(last)
  })

  test.each([
    '+010000-01-01T00:00:00.000Z',
    '10000-01-01',
    '0000-12-31',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
  ])('is the limit of a clock that is set: %s', async (now) => {
    const fresh = await freshApp()
    expect((await set(fresh, { now })).status).toBe(400)
  })

  test('is the limit of a clock that is advanced', async () => {
    const fresh = await freshApp()
    for (const duration of [
      'P8000Y',
      'P999999999999Y',
      `P${'9'.repeat(1000)}D`,
      'PT1H'.padEnd(60_000, '0'),
    ]) {
      const url = `/_sim/workspaces/${fresh.workspace.id}/clock/advance`
      const { status } = await withoutBlocking(() => fresh.call('POST', url, { body: { duration } }))
      expect(status).toBe(400)
    }
  })
})

describe('inherited property names', () => {
  test.each(['__proto__', 'constructor', 'toString'])(
    'are stored or refused as each text of a snapshot: %s',
    async (name) => {
      const fresh = await freshApp({ fixtures: 'demo', ownApp: true })
      const url = '/_sim/workspaces/demo/snapshot'
      const taken = (await fresh.call('GET', url)).body as Record<string, unknown>
      const statuses = new Set<number>()
      for (const [where, changed] of variants(taken, name)) {
        const answer = await fresh.call('PUT', url, { body: changed })
        expect(answer.status, `${where}: ${answer.text}`).toBeLessThan(500)
        statuses.add(answer.status)
      }
      expect(statuses.size).toBeGreaterThan(1)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

/** The snapshot with one text of the first record of each list replaced. */
function* variants(snapshot: Record<string, unknown>, name: string): Generator<[string, unknown]> {
  const { format, users, files } = snapshot
  const counters = Object.fromEntries([[name, 1]])
  yield ['counters', { ...snapshot, counters }]
  for (const [section, lists] of Object.entries(snapshot)) {
    if (typeof lists !== 'object' || lists === null) continue
    for (const [list, records] of Object.entries(lists)) {
      const [first, ...others] = Array.isArray(records) ? (records as Record<string, unknown>[]) : []
      for (const [field, value] of Object.entries(first ?? {})) {
        const isTextual = typeof value === 'string' || (typeof value === 'object' && value !== null)
        if (!isTextual) continue
        const changed = {
          ...first,
          [field]: typeof value === 'string' ? name : Object.fromEntries([[name, name]]),
        }
        yield [
          `${section}.${list}.${field}`,
          { format, users, files, [section]: { ...lists, [list]: [changed, ...others] } },
        ]
      }
    }
  }
}
