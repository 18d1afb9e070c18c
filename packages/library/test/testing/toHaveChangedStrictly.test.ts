/** What the matcher `toHaveChanged` refuses, how it prints values, and that it compares thousands of records. */
import { describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../src/index.ts'
import { any } from '../../src/testing/any.ts'
import { compareChanges, type Changed, type ExpectedChanges } from '../../src/testing/expectedChanges.ts'
import { toHaveChanged, type ChangeOptions } from '../../src/testing/toHaveChanged.ts'
import { atEndOfFile } from '../../../../test/support/endOfFile.ts'

let started: Promise<Simulator> | undefined

atEndOfFile(async () => {
  await (await started)?.close()
})

async function setup() {
  const simulator = await (started ??= startSimulator({ fixtures: 'none' }))
  const workspace = await simulator.workspaces.create({ fixtures: 'none' })
  const account = String((await workspace.get()).accountId)
  const send = async (
    name: 'crm' | 'payments' | 'conversations',
    path: string,
    json: object,
    method = 'POST',
  ) => {
    const url = name === 'conversations' ? `/accounts/${account}${path}` : path
    const response = await workspace.fetch(name, url, { method, json })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    const body = JSON.parse(text) as { id?: string; data?: { id?: string } }
    return body.data?.id ?? body.id ?? ''
  }
  const compare = async (expected: unknown, options: ChangeOptions = {}): Promise<string> => {
    const { pass, message } = await toHaveChanged(workspace, expected as ExpectedChanges, options)
    return `${pass ? 'pass' : 'fail'}: ${message()}`
  }
  return {
    ...{ workspace, send, compare },
    addContact: (more: object = {}) => send('crm', '/contacts', { name: 'Ana Prado', ...more }),
    /** Compares with a contact that was added. */
    contact: (fields: object) => compare({ 'crm.contacts': { added: [{ id: any(), ...fields }] } }),
  }
}

describe('a change that a test does not name', () => {
  test('fails it, also if a new record has the same number', async () => {
    const { workspace, send, compare } = await setup()
    await send('conversations', '/inboxes', { name: 'A', channel: { type: 'api' } })
    for (const name of ['one', 'two']) await send('conversations', '/teams', { name })
    await send('conversations', '/contacts', { name: 'Ana', email: 'a@example.com' })
    await send('conversations', '/conversations', { inbox_id: 1, contact_id: 1 })
    await send('conversations', '/conversations/1/assignments', { team_id: 1 })
    await workspace.snapshots.save('before')
    await send('conversations', '/contacts', { name: 'Bea', email: 'b@example.com' })
    await send('conversations', '/conversations/1/assignments', { team_id: 2 })
    const expected = (more: object) => ({
      'conversations.contacts': { added: [{ name: 'Bea', email: 'b@example.com' }] },
      'conversations.conversations': { changed: [{ id: '1', ...more }] },
      'conversations.messages': { added: 1 },
    })
    const options = { from: 'before' }
    const failed = await compare(expected({}), options)
    expect(failed).toMatch(/^fail/)
    expect(failed).toContain('teamId is not expected to change from "1" to "2"')
    expect(await compare(expected({ teamId: '2' }), options)).toMatch(/^pass/)
  })

  test('fails it, also if it is in an object with a time or the id of a new record', async () => {
    const { send, compare, addContact } = await setup()
    const id = await addContact()
    const link = { amount: 1250, currency: 'USD', description: 'Desk' }
    const metadata = { due: '2026-01-01T00:00:00.000Z', price: 999 }
    await send('payments', '/payment-links', { ...link, metadata })
    await send('payments', '/payment-links', { ...link, metadata: { for: id, share: 50 } })
    await send('payments', '/payment-links', { ...link, metadata: { for: id } })
    const record = { id: any(), ...link, status: 'active', paymentMethods: any() }
    const links = (...added: object[]) => compare({ 'payments.links': { added } }, { ignore: ['crm'] })
    const failed = await links(record, record, record)
    expect(failed).toMatch(/^fail/)
    expect(failed).toContain(
      'metadata is {"due":"2026-01-01T00:00:00.000Z","price":999}, which is not expected',
    )
    // What the next run can't repeat is a matcher in the text to copy.
    expect(failed).toContain('metadata: { for: any(), share: 50 }')
    const named = [
      { ...record, metadata },
      { ...record, metadata: { for: any(), share: 50 } },
    ]
    expect(await links(...named, record)).toMatch(/^pass/)
    expect(await links(...named.slice(1), record, record)).toMatch(/^fail/)
  })

  test('fails it, also if it is a reference to a new record, for which any() is enough', async () => {
    const { workspace, send, compare, addContact } = await setup()
    const contact = await addContact()
    const link = await send('payments', '/payment-links', {
      ...{ amount: 1250, currency: 'USD', description: 'Desk' },
      metadata: { contact },
    })
    const { record } = await workspace.records.get('payments.links', link)
    await workspace.snapshots.save('before')
    const other = await addContact()
    const { format } = await workspace.snapshots.get()
    const contacts = await workspace.records.list('crm.contacts')
    await workspace.snapshots.put({
      ...{ format },
      crm: { contacts: contacts.data },
      payments: { links: [{ ...record, metadata: { contact: other } }] },
    })
    const changed = (more: object) =>
      compare(
        { 'crm.contacts': { added: 1 }, 'payments.links': { changed: [{ id: link, ...more }] } },
        { from: 'before' },
      )
    const failed = await changed({})
    expect(failed).toContain(`metadata.contact is not expected to change from "${contact}" to "${other}"`)
    expect(failed).toContain(`{ id: '${link}', 'metadata.contact': any() }`)
    for (const value of [any(), other]) expect(await changed({ 'metadata.contact': value })).toMatch(/^pass/)
    expect(await changed({ 'metadata.contact': contact })).toMatch(/^fail/)
  })

  test('is no counter of ids', async () => {
    const { send, compare } = await setup()
    await send('conversations', '/contacts', { name: 'Bea', email: 'b@example.com' })
    expect(
      await compare({
        'conversations.contacts': { added: [{ name: 'Bea', email: 'b@example.com' }] },
      }),
    ).toMatch(/^pass/)
  })
})

describe('a misspelled name', () => {
  test.each<[string, object, ChangeOptions, string]>([
    ['section', { 'crm.contcts': { added: [] } }, {}, 'no section crm.contcts; did you mean crm.contacts?'],
    ['ignored section', {}, { ignore: ['crm.contcts'] }, 'crm.contcts to ignore; did you mean crm.contacts?'],
    ['ignored interface', {}, { ignore: ['crn'] }, 'no section crn to ignore; did you mean crm?'],
  ])('of a %s fails the test, although nothing changed', async (_what, expected, options, message) => {
    const { compare } = await setup()
    const failed = await compare(expected, options)
    expect(failed).toMatch(/^fail/)
    expect(failed).toContain(message)
  })

  test('of a field fails the test, also if it must be null', async () => {
    const { contact, addContact, compare } = await setup()
    await addContact()
    expect(await contact({ name: 'Ana Prado', phone: null })).toMatch(/^pass/)
    const failed = await contact({ name: 'Ana Prado', phon: null })
    expect(failed).toMatch(/^fail/)
    expect(failed).toContain('There is no field phon in crm.contacts; did you mean phone?')
    expect(await contact({ name: 'Ana Prado', phon: '1' })).toContain('did you mean phone?')
    expect(
      await compare({ 'crm.contacts': { added: 1 } }, { ignore: ['payments', 'catalog.products'] }),
    ).toMatch(/^pass/)
    expect(await compare({ 'crm.contacts': { added: 1 }, 'crm.deals': { added: [] } })).toMatch(/^pass/)
  })
})

describe('a value', () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  let deep: unknown = 'x'
  for (let depth = 0; depth < 1000; depth++) deep = [deep]

  test.each<[string, unknown, string]>([
    ['objectContaining', expect.objectContaining({ name: 'Ana X' }), 'ObjectContaining({"name":"Ana X"})'],
    ['stringContaining', expect.stringContaining('Zoe'), 'StringContaining("Zoe")'],
    ['not.stringContaining', expect.not.stringContaining('Ana'), 'StringNotContaining("Ana")'],
    ['arrayContaining', expect.arrayContaining([any(String)]), 'ArrayContaining([any(String)])'],
    ['expect.any', expect.any(Number), 'expected Any<Number>'],
    ['any', any(Number), 'expected any(Number)'],
    ['nested any', [any(Number)], 'expected [any(Number)]'],
    ['a RegExp', /zoe/u, 'expected /zoe/u'],
    ['a bigint', 1n, 'expected 1n'],
    ['a symbol', Symbol('x'), 'expected Symbol(x)'],
    ['a date', new Date(0), 'expected new Date("1970-01-01T00:00:00.000Z")'],
    ['no date', new Date(NaN), 'expected Invalid Date'],
    ['a map', new Map(), 'expected [object Map]'],
    ['a circular object', circular, 'expected {"self":[circular]}'],
    ['a deep list', deep, 'expected [[[['],
    ['a matcher without a name', { asymmetricMatch: () => false }, 'expected a matcher'],
    [
      'a matcher that throws',
      {
        asymmetricMatch: () => false,
        toString: () => {
          throw new Error('x')
        },
      },
      'expected a matcher',
    ],
    ['NaN', NaN, 'expected NaN'],
  ])('is printed: %s', async (_what, value, text) => {
    const { contact, addContact } = await setup()
    await addContact()
    const failed = await contact({ name: value })
    expect(failed).toMatch(/^fail/)
    expect(failed).toContain(text)
  })

  test('instead of a record is printed', async () => {
    const { compare, addContact } = await setup()
    await addContact()
    const added = [expect.objectContaining({ name: 'Ana X', tags: any(Array) })]
    const failed = await compare({ 'crm.contacts': { added } })
    expect(failed).toContain('it does not match ObjectContaining({"name":"Ana X","tags":any(Array)})')
  })

  test('that is a map or a date is equal to no object', async () => {
    const { contact, addContact } = await setup()
    await addContact({ custom_fields: { list: {} } })
    for (const value of [new Map(), new Set(), new Date(0)]) {
      expect(await contact({ name: 'Ana Prado', customFields: { list: value } })).toMatch(/^fail/)
    }
    expect(await contact({ name: 'Ana Prado', customFields: { list: {} } })).toMatch(/^pass/)
  })

  test.each<[string, object, string]>([
    [
      'any without parentheses',
      { id: any },
      '.added[0].id must be a value or a matcher; did you mean any()?',
    ],
    ['expect.any without parentheses', { name: expect.any }, '.added[0].name must be a value or a matcher'],
    ['a function in a list', { tags: [{ a: any }] }, '.added[0].tags[0].a must be a value or a matcher'],
  ])('must be no function: %s', async (_what, record, message) => {
    const { compare } = await setup()
    await expect(compare({ 'crm.contacts': { added: [record] } })).rejects.toThrow(`crm.contacts${message}`)
  })

  test.each([['con'], [null], [1], [() => 1]])('any(%s) is refused', (type) => {
    expect(() => any(type as never)).toThrow('any() takes a type, such as any(String); it was')
  })
})

describe('thousands of records', () => {
  const MANY = 10_000
  const recordsOf = (fieldsOf: (number: number) => Record<string, unknown>): Changed[] =>
    Array.from({ length: MANY }, (_each, number) => ({
      section: 'crm.contacts',
      id: `con_${String(number)}`,
      change: 'added',
      fields: Object.entries(fieldsOf(number)).map(([path, after]) => ({ path, before: null, after })),
      causes: [],
    }))
  const compare = (records: readonly Changed[], added: readonly unknown[]) => {
    const { missing, unexpected } = compareChanges(records, {
      'crm.contacts': { added: added as { id: string }[] },
    })
    return { missing: missing.length, unexpected: unexpected.length }
  }
  const times = (count: number, of: (number: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_each, number) => of(number))
  const same = recordsOf(() => ({ name: 'Ana' }))
  const others = recordsOf((number) => ({ name: `Ana ${String(number)}`, tags: [number] }))

  // Each of these took minutes.
  test.each<[string, readonly Changed[], unknown[], number]>([
    ['equal', same, times(MANY, () => ({ id: any(), name: 'Ana' })), 0],
    ['equal, and one more is expected', same, times(MANY + 1, () => ({ id: any(), name: 'Ana' })), 1],
    ['equal, and none is expected', same, times(MANY, () => ({ id: any(), name: 'Bea' })), MANY],
    ['matched by any', others, times(MANY, () => ({ name: any(), tags: any() })), 0],
    [
      'different',
      others,
      times(MANY, (number) => ({ name: `Ana ${String(number)}`, tags: [number] })).toReversed(),
      0,
    ],
    [
      'different, and expected ones are others',
      others,
      times(MANY, (number) => ({ name: `Bea ${String(number)}`, tags: [number] })),
      MANY,
    ],
    [
      'matched by different matchers',
      others,
      times(MANY, (number) => ({
        name: expect.stringMatching(new RegExp(`${String(number)}$`)),
        tags: any(),
      })),
      0,
    ],
    [
      'different, and half of them matched by any',
      others,
      times(MANY, (number) =>
        number % 2 === 0 ? { name: any(), tags: any() } : { name: `Ana ${String(number)}`, tags: any() },
      ),
      0,
    ],
    [
      'removed by id',
      others.map((each) => ({ ...each })),
      times(MANY, (number) => ({ id: `con_${String(number)}`, name: any(), tags: any() })).toReversed(),
      0,
    ],
  ])('are compared: %s', (_what, records, added, missing) => {
    const unexpected = Math.max(0, MANY - (added.length - missing))
    const found = compare(records, added)
    expect(found.missing).toBe(missing)
    // The nearest ones are shown as different.
    expect(found.unexpected).toBeGreaterThanOrEqual(unexpected - 25)
    expect(found.unexpected).toBeLessThanOrEqual(unexpected)
  })

  test('pass on a record along a chain of any length', () => {
    const few = others.slice(0, 200)
    // Each record is matched by two: its own and that of the one before. The first wants only the first.
    const added = few.map((_each, number) =>
      number === 199
        ? { name: 'Ana 0', tags: any() }
        : {
            name: expect.stringMatching(new RegExp(`^Ana (${String(number)}|${String(number + 1)})$`)),
            tags: any(),
          },
    )
    expect(compare(few, added)).toEqual({ missing: 0, unexpected: 0 })
    expect(compare(few, [...added, { name: 'Ana 7', tags: any() }])).toEqual({ missing: 1, unexpected: 0 })
    expect(compare(few.slice(0, 199), added)).toMatchObject({ missing: 1, unexpected: 0 })
  })

  test('are paired as well as by trying all ways', () => {
    // Random, but the same in each run.
    let seed = 7
    const draw = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 300; round++) {
      const records = others.slice(0, 1 + draw(5)).map((each) => ({
        ...each,
        fields: [{ path: 'name', before: null, after: String(draw(3)) }],
      }))
      const added = times(1 + draw(5), () => {
        const names = [any(), '0', '1', '2', /[01]/u, /[12]/u]
        return { name: names[draw(names.length)] }
      })
      const most = (left: readonly unknown[], free: readonly Changed[]): number => {
        const [wanted, ...rest] = left as { name: unknown }[]
        if (!wanted) return 0
        const isEqual = ({ fields: [field] }: Changed): boolean =>
          wanted.name === any() ||
          (wanted.name instanceof RegExp
            ? wanted.name.test(String(field?.after))
            : wanted.name === field?.after)
        return Math.max(
          most(rest, free),
          ...free.filter(isEqual).map(
            (each) =>
              1 +
              most(
                rest,
                free.filter((other) => other !== each),
              ),
          ),
        )
      }
      expect(compare(records, added).missing).toBe(added.length - most(added, records))
    }
  })
})
