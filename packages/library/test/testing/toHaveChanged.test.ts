/** The matcher `toHaveChanged`, against a running simulator. */
import { describe, expect, test } from 'vitest'
import { startSimulator, type NewWorkspace, type Simulator } from '../../src/index.ts'
import { any } from '../../src/testing/any.ts'
import { toHaveChanged, type ChangeOptions } from '../../src/testing/toHaveChanged.ts'
import type { ExpectedChanges } from '../../src/testing/expectedChanges.ts'
import { atEndOfFile } from '../../../../test/support/endOfFile.ts'

let started: Promise<Simulator> | undefined

atEndOfFile(async () => {
  await (await started)?.close()
})

const LINK = { amount: 1250, currency: 'USD', description: 'Standing desk' }

/** The fields of the link that the test did not choose, and that are no times or ids. */
const DEFAULTS = {
  status: 'active',
  paymentMethods: ['network_1', 'network_2', 'network_3', 'wallet_1', 'wallet_2', 'ach'],
}

async function setup() {
  const simulator = await (started ??= startSimulator({ fixtures: 'none' }))
  const workspace = await simulator.workspaces.create({ fixtures: 'none' })
  const send = async (method: string, path: string, sent?: object): Promise<string> => {
    const name = path.startsWith('/contacts') ? 'crm' : 'payments'
    const response = await workspace.fetch(name, path, { method, ...(sent && { json: sent }) })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    const body = (text === '' ? {} : JSON.parse(text)) as { id?: string; data?: { id?: string } }
    return body.data?.id ?? body.id ?? ''
  }
  return {
    workspace,
    send,
    addLink: (more: object = {}) => send('POST', '/payment-links', { ...LINK, ...more }),
    addContact: (more: object = {}) => send('POST', '/contacts', { name: 'Ana Prado', ...more }),
  }
}

const messageOf = async (...values: [NewWorkspace, ExpectedChanges?, ChangeOptions?]): Promise<string> => {
  const { pass, message } = await toHaveChanged(...values)
  return `${pass ? 'pass' : 'fail'}: ${message()}`
}

const passes = async (...values: Parameters<typeof messageOf>): Promise<boolean> =>
  (await toHaveChanged(...values)).pass

const linkOf = (more: object = {}) => ({ id: any(), ...LINK, ...DEFAULTS, ...more })

describe('expected changes', () => {
  test('are all that changed, or the test fails', async () => {
    const { workspace, addLink, addContact } = await setup()
    expect(await passes(workspace, {})).toBe(true)
    await addLink()
    const links: ExpectedChanges = { 'payments.links': { added: [linkOf()] } }
    expect(await passes(workspace, links)).toBe(true)
    expect(await passes(workspace, {})).toBe(false)
    await addContact()
    expect(await passes(workspace, links)).toBe(false)
    expect(await passes(workspace, links, { section: 'payments' })).toBe(true)
    expect(await passes(workspace, links, { ignore: ['crm'] })).toBe(true)
    expect(await passes(workspace, links, { ignore: ['crm.contacts'] })).toBe(true)
    expect(await passes(workspace, links, { ignore: ['crm.deals', 'cr'] })).toBe(false)
  })

  test('have all fields that are no times, new ids or empty', async () => {
    const { workspace, addLink } = await setup()
    const id = await addLink({ metadata: { order: { number: 7, lines: ['desk'] } } })
    const added = (record: Record<string, unknown>) =>
      passes(workspace, { 'payments.links': { added: [record] } })
    const metadata = { order: { number: 7, lines: ['desk'] } }
    const record = linkOf({ metadata })
    expect(await added(record)).toBe(true)
    expect(await added({ ...record, id })).toBe(true)
    expect(await added({ ...record, id: undefined })).toBe(true)
    expect(await added({ ...record, id: 'pl_other' })).toBe(false)
    expect(await added({ ...record, amount: 1251 })).toBe(false)
    expect(await added({ ...record, description: /^Standing/ })).toBe(true)
    expect(await added({ ...record, description: any(Number) })).toBe(false)
    expect(await added({ ...record, createdAt: expect.stringMatching(/^\d{4}-/) })).toBe(true)
    expect(await added({ ...record, createdAt: 'yesterday' })).toBe(false)
    expect(await added({ ...record, expiresAt: null })).toBe(true)
    expect(await added({ ...record, metadata: undefined })).toBe(false)
    expect(await added({ ...record, metadata: { order: { number: 7 } } })).toBe(false)
    expect(await added({ ...record, metadata: { order: { ...metadata.order, lines: [] } } })).toBe(false)
    expect(await added({ ...record, metadata: { order: { ...metadata.order, more: 1 } } })).toBe(false)
  })

  test('can be matchers of a test runner, which choose fields', async () => {
    const { workspace, addLink } = await setup()
    await addLink()
    const added = (record: object) =>
      passes(workspace, { 'payments.links': { added: [record as Record<string, unknown>] } })
    expect(await added(expect.objectContaining({ id: any(), amount: 1250 }) as object)).toBe(true)
    expect(await added(expect.objectContaining({ amount: 1300 }) as object)).toBe(false)
    expect(await added(any())).toBe(true)
    expect(await passes(workspace, { 'payments.links': { added: 1 } })).toBe(true)
    expect(await passes(workspace, { 'payments.links': { added: 2 } })).toBe(false)
    expect(await passes(workspace, { 'payments.links': { added: 1, changed: 0, removed: [] } })).toBe(true)
  })

  test('are the fields of a changed record that differ, and nothing else', async () => {
    const { workspace, send, addContact } = await setup()
    const id = await addContact({ tags: ['school'] })
    await workspace.snapshots.save('before')
    await send('PATCH', `/contacts/${id}`, { name: 'Ana María Prado', tags: ['school', 'vip'] })
    const changed = (record: Record<string, unknown>) =>
      passes(workspace, { 'crm.contacts': { changed: [record] } }, { from: 'before' })
    const record = { id, name: 'Ana María Prado', 'tags[1]': 'vip' }
    expect(await changed(record)).toBe(true)
    expect(await changed({ ...record, name: { before: 'Ana Prado', after: 'Ana María Prado' } })).toBe(true)
    expect(await changed({ ...record, name: { before: 'Ana Prado' } })).toBe(true)
    expect(await changed({ ...record, name: { before: 'Ana Prada', after: any() } })).toBe(false)
    expect(await changed({ ...record, name: { before: any(), after: 'Ana' } })).toBe(false)
    expect(await changed({ ...record, id: any() })).toBe(true)
    expect(await changed({ ...record, updatedAt: any() })).toBe(true)
    expect(await changed({ ...record, email: null })).toBe(false)
    expect(await changed({ id, name: 'Ana María Prado' })).toBe(false)
    expect(await changed({ ...record, id: 'con_other' })).toBe(false)
    expect(
      await passes(workspace, { 'crm.contacts': { changed: [record, record] } }, { from: 'before' }),
    ).toBe(false)
    expect(await passes(workspace, { 'crm.contacts': { added: [record] } }, { from: 'before' })).toBe(false)
  })

  test('are removed records by their id or their fields', async () => {
    const { workspace, send, addContact } = await setup()
    const id = await addContact()
    await workspace.snapshots.save('before')
    await send('DELETE', `/contacts/${id}`)
    const removed = (record: string | Record<string, unknown>) =>
      passes(workspace, { 'crm.contacts': { removed: [record] } }, { from: 'before' })
    expect(await removed(id)).toBe(true)
    expect(await removed('con_other')).toBe(false)
    expect(await removed({ id, name: 'Ana Prado' })).toBe(true)
    expect(await removed({ id, name: 'Ana' })).toBe(false)
    expect(await removed({ id })).toBe(false)
  })

  test('are matched in any order, also if any() matches several', async () => {
    const { workspace, addContact } = await setup()
    const names = ['Ana', 'Beatriz', 'Carmen']
    for (const name of names) await addContact({ name })
    const added = (wanted: readonly unknown[]) =>
      passes(workspace, { 'crm.contacts': { added: wanted.map((name) => ({ id: any(), name })) } })
    expect(await added(names.toReversed())).toBe(true)
    expect(await added([any(), any(), 'Ana'])).toBe(true)
    expect(await added([any(), /a/i, 'Carmen'])).toBe(true)
    expect(await added([any(), 'Ana', 'Ana'])).toBe(false)
    expect(await added(['Ana', 'Beatriz'])).toBe(false)
    expect(await added([...names, any()])).toBe(false)
  })

  test('are compared with a snapshot, whose earlier calls are no causes', async () => {
    const { workspace, addLink } = await setup()
    const id = await addLink()
    await workspace.snapshots.save('before')
    expect(await passes(workspace, undefined)).toBe(true)
    expect(await passes(workspace, undefined, { from: 'before' })).toBe(false)
    await workspace.trigger('payments.link.pay', { link_id: id })
    const { data } = await workspace.changes({ from: 'before' })
    const causes = data.flatMap((record) => record.causes.map(({ kind }) => kind))
    expect(new Set(causes)).toEqual(new Set(['trigger']))
    const changed = { id, status: { before: 'active', after: 'paid' } }
    const transaction = {
      id: any(),
      linkId: id,
      ...LINK,
      status: 'completed',
      paymentMethod: 'network_1',
      cardLastFour: '4242',
      refundedAmount: 0,
    }
    const expected = {
      'payments.links': { changed: [changed] },
      'payments.transactions': { added: [transaction] },
    }
    expect(await messageOf(workspace, expected, { from: 'before' })).toContain('pass')
  })

  test('have many pages', async () => {
    const { workspace } = await setup()
    const contact = (index: number) => ({
      id: `con_${String(index)}`,
      name: `Contact ${String(index)}`,
      tags: [],
      customFields: { text: 'x'.repeat(1000) },
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-01T00:00:00Z',
    })
    const put = (count: number) =>
      workspace.snapshots.put({
        format: 'suite-simulator/1',
        crm: { contacts: Array.from({ length: count }, (_each, index) => contact(index)) },
      })
    await put(2500)
    expect(await passes(workspace, { 'crm.contacts': { added: 2500 } })).toBe(true)
    expect(await passes(workspace, { 'crm.contacts': { added: 2499 } })).toBe(false)
    await put(10_001)
    await expect(passes(workspace, {})).rejects.toThrow(
      'toHaveChanged() compares 10000 records at most, and 10001 have changed; compare with a later snapshot (from), or choose a section',
    )
  })
})

describe('the message', () => {
  test('has what differs, is missing and unexpected, and all changes with their causes', async () => {
    const { workspace, addLink, addContact } = await setup()
    const id = await addLink()
    const contact = await addContact()
    const message = await messageOf(workspace, {
      'payments.links': { added: [linkOf({ amount: 1000 })], removed: ['pl_gone'] },
      'payments.transactions': { added: 2 },
    })
    expect(message)
      .toBe(`fail: The workspace has other changes since start than expected: 1 different, 1 missing, 1 wrong number, 1 unexpected.

Different:
  + payments.links ${id} added
    amount is 1250, expected 1000
    by POST /pay/v1/payment-links 201 (req_1)

Missing:
  - payments.links 'pl_gone'

Wrong number:
  payments.transactions: 0 added, expected 2

Unexpected:
  + crm.contacts ${contact} added
    name: 'Ana Prado'
    by POST /crm/v1/contacts 201 (req_3)

Actual changes:
  {
    'crm.contacts': {
      added: [
        // by POST /crm/v1/contacts 201 (req_3)
        { id: any(), name: 'Ana Prado' },
      ],
    },
    'payments.links': {
      added: [
        // by POST /pay/v1/payment-links 201 (req_1)
        {
          id: any(),
          amount: 1250,
          currency: 'USD',
          description: 'Standing desk',
          status: 'active',
          paymentMethods: ['network_1', 'network_2', 'network_3', 'wallet_1', 'wallet_2', 'ach'],
        },
      ],
    },
  }`)
  })

  test('shows actual changes that pass when they are expected', async () => {
    const { workspace, addLink, addContact, send } = await setup()
    const contact = await addContact({
      name: 'Ana "La Jefa" Prado\'s',
      tags: ['a'],
      custom_fields: { 'floor no.': 2 },
    })
    const other = await addContact()
    await workspace.snapshots.save('before')
    await addLink()
    await send('PATCH', `/contacts/${contact}`, { tags: ['b', 'c'], custom_fields: { 'floor no.': 3 } })
    await send('DELETE', `/contacts/${other}`)
    const message = await messageOf(workspace, {}, { from: 'before' })
    const text = message.slice(message.indexOf('Actual changes:') + 'Actual changes:'.length)
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is code that users copy
    const expected = new Function('any', `return (${text})`) as (of: typeof any) => ExpectedChanges
    expect(await messageOf(workspace, expected(any), { from: 'before' })).toMatch(/^pass/)
  })

  test('of not.toHaveChanged shows the changes', async () => {
    const { workspace, addContact } = await setup()
    expect(await messageOf(workspace)).toBe(
      'fail: The workspace must have changed since start, but no record has.',
    )
    await addContact()
    const actual = `Actual changes:
  {
    'crm.contacts': {
      added: [
        // by POST /crm/v1/contacts 201 (req_1)
        { id: any(), name: 'Ana Prado' },
      ],
    },
  }`
    expect(await messageOf(workspace)).toBe(
      `pass: The workspace must not have changed since start.\n\n${actual}`,
    )
    expect(await messageOf(workspace, { 'crm.contacts': { added: 1 } })).toBe(
      `pass: The workspace must not have exactly these changes since start.\n\n${actual}`,
    )
  })

  test('is bounded', async () => {
    const { workspace, addContact } = await setup()
    for (let number = 0; number < 30; number++) {
      await addContact({ name: `Contact ${String(number)}`, custom_fields: { text: 'x'.repeat(5000) } })
    }
    const message = await messageOf(workspace, {})
    expect(message.match(/… and 5 more/g)).toHaveLength(2)
    expect(message).toMatch(/x… \(\d+ characters\)/)
    expect(message.length).toBeLessThan(30_000)
  })

  test('names the nearest section of a misspelled one', async () => {
    const { workspace } = await setup()
    const expected = { 'payments.link': { added: 1 } } as ExpectedChanges
    expect(await messageOf(workspace, expected)).toContain(
      'There is no section payments.link; did you mean payments.links?',
    )
  })
})

describe('wrong use', () => {
  test.each<[string, unknown, unknown, string]>([
    ['a list', [], {}, 'takes an object of sections'],
    ['null', null, {}, 'takes an object of sections'],
    ['a text', 'x', {}, 'takes an object of sections'],
    ['an unknown option', {}, { form: 'before' }, 'has no option form; did you mean from?'],
    ['an ignored text', {}, { ignore: 'crm' }, 'ignore must be a list of sections'],
    ['an unknown change', { 'crm.contacts': { add: [] } }, {}, 'of crm.contacts has no option add'],
    ['a section that is a list', { 'crm.contacts': [] }, {}, 'of crm.contacts takes an object of options'],
    ['half a record', { 'crm.contacts': { added: 0.5 } }, {}, 'crm.contacts.added must be a list of records'],
    ['less than none', { 'crm.contacts': { added: -1 } }, {}, 'crm.contacts.added must be a list of records'],
    [
      'an added text',
      { 'crm.contacts': { added: ['con_1'] } },
      {},
      'crm.contacts.added[0] must be an object',
    ],
    ['a removed number', { 'crm.contacts': { removed: [1] } }, {}, 'crm.contacts.removed[0] must be an id'],
    [
      'no id',
      { 'crm.contacts': { changed: [{ name: 'x' }] } },
      {},
      'crm.contacts.changed[0].id must be the id',
    ],
  ])('of %s is refused', async (_what, expected, options, message) => {
    const { workspace } = await setup()
    await expect(
      toHaveChanged(workspace, expected as ExpectedChanges, options as ChangeOptions),
    ).rejects.toThrow(message)
  })

  test('of another value, an unknown snapshot and an unknown section is refused', async () => {
    const { workspace } = await setup()
    for (const value of [null, undefined, {}, 'x', { changes: [] }]) {
      await expect(toHaveChanged(value as never)).rejects.toThrow('takes a workspace of suite-simulator')
    }
    await expect(passes(workspace, {}, { from: 'befor' })).rejects.toThrow('There is no snapshot befor')
    await expect(passes(workspace, {}, { section: 'payment' })).rejects.toThrow('did you mean payments?')
  })
})
