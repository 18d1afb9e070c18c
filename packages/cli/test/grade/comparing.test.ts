/** How a diff, calls, e-mails and an answer are compared with a task. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compare, type Outcome } from '../../src/remote/grade/comparing/comparing.ts'
import type { ChangedRecord, JournalCall } from '../../src/remote/grade/task.ts'
import { readTask } from '../../src/remote/grade/taskFile.ts'
import { scratchFolder } from '../../../../test/support/process.ts'

/** Reads a task with these parts. */
async function taskWith(parts: string) {
  const file = join(scratchFolder(), 'task.yaml')
  const base = {
    title: 'x',
    instruction: 'x',
    fixture: 'none',
    clock: '{ now: 2026-11-24T15:00:00Z }',
    interfaces: '[crm]',
    budget: '2',
    changes: '[]',
    reference: '[]',
    saboteurs: '[]',
  }
  const lines = Object.entries(base).filter(
    ([name]) => !parts.startsWith(`${name}:`) && !parts.includes(`\n${name}:`),
  )
  writeFileSync(file, `${parts}\n${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n`)
  return readTask(file)
}

/** The time of the task. */
const NOW = '2026-11-24T15:00:00.000Z'
const NOTHING: Outcome = { changes: [], calls: [], emails: [], answer: null, now: Date.parse(NOW) }

/** Returns the findings as lines. */
async function findings(parts: string, outcome: Partial<Outcome>): Promise<string[]> {
  const task = await taskWith(parts)
  return compare(task, { ...NOTHING, ...outcome }).map(({ kind, message }) => `${kind}: ${message}`)
}

type Values = Readonly<Record<string, unknown>>

const CAUSES = [{ kind: 'request', id: 'req_1', title: 'POST /crm/v1/deals 201' }]

const added = (id: string, values: Values, volatile: readonly string[] = []): ChangedRecord => ({
  section: 'crm.deals',
  id,
  change: 'added',
  fields: Object.entries({ id, ...values }).map(([path, after]) => ({
    path,
    before: null,
    after,
    ...((path === 'id' || volatile.includes(path)) && { volatile: true }),
  })),
  causes: CAUSES,
})

const removed = (id: string, values: Values): ChangedRecord => ({
  ...added(id, values),
  change: 'removed',
  fields: Object.entries(values).map(([path, before]) => ({ path, before, after: null })),
})

const changed = (
  id: string,
  values: Readonly<Record<string, readonly [unknown, unknown]>>,
): ChangedRecord => ({
  ...added(id, {}),
  change: 'changed',
  fields: Object.entries(values).map(([path, [before, after]]) => ({
    path,
    before,
    after,
    ...(/(?:At|Id)$/.test(path) && { volatile: true }),
  })),
})

const expecting = (text: string): string => `changes: [${text}]`

describe('an added record', () => {
  const change = expecting('{ section: crm.deals, change: added, fields: { name: Bench, value: 5 } }')

  test('must have exactly the listed fields, except for volatile and empty ones', async () => {
    const values = { name: 'Bench', value: 5, tags: [], custom: {}, note: '', stageEnteredAt: 'now' }
    expect(await findings(change, { changes: [added('1', values, ['stageEnteredAt'])] })).toEqual([])
    expect(
      await findings(change, { changes: [added('1', { ...values, open: false }, ['stageEnteredAt'])] }),
    ).toEqual(['unwanted: crm.deals 1: open must not be set, but is false'])
  })

  test('with a wrong or a missing field is wrong, and not missing', async () => {
    expect(await findings(change, { changes: [added('1', { name: 'Bank', value: 5 })] })).toEqual([
      'wrong: crm.deals 1: name must be "Bench", but is "Bank"',
    ])
    expect(await findings(change, { changes: [added('1', { name: 'Bench' })] })).toEqual([
      'wrong: crm.deals 1: value must be 5, but is null',
    ])
  })

  test('may have other fields with others: any', async () => {
    const others = expecting('{ section: crm.deals, change: added, fields: { name: Bench }, others: any }')
    expect(await findings(others, { changes: [added('1', { name: 'Bench', value: 5 })] })).toEqual([])
  })

  test('that two expected ones match is for the one that no other matches', async () => {
    const two = `changes:
  - { section: crm.deals, change: added, fields: { name: { regex: Ben } } }
  - { section: crm.deals, change: added, fields: { name: Bench } }`
    const changes = ['Bench', 'Bend'].map((name) => added(name, { name }))
    expect(await findings(two, { changes })).toEqual([])
    expect(await findings(two, { changes: changes.slice(0, 1) })).toHaveLength(1)
  })

  test('that nobody expects is unwanted, also if it is the second of its kind', async () => {
    const one = added('1', { name: 'Bench', value: 5 })
    const two = added('2', { name: 'Bench', value: 5 })
    expect(await findings(change, { changes: [one, two] })).toEqual([
      'unwanted: added crm.deals 2: name "Bench", value 5',
    ])
    const both = change.replace('change: added', 'change: added, count: 2')
    expect(await findings(both, { changes: [one, two] })).toEqual([])
    expect(await findings(both, { changes: [one] })).toEqual([
      'missing: no crm.deals was added with name "Bench", value 5',
    ])
  })

  test('is compared with the expected change that it is nearest to', async () => {
    const right = added('1', { name: 'Bench', value: 5 })
    const wrong = added('2', { name: 'Bank', value: 6 })
    const near = added('3', { name: 'Bench', value: 6 })
    expect(await findings(change, { changes: [wrong, right] })).toEqual([
      'unwanted: added crm.deals 2: name "Bank", value 6',
    ])
    expect(await findings(change, { changes: [wrong, near] })).toEqual([
      'wrong: crm.deals 3: value must be 5, but is 6',
      'unwanted: added crm.deals 2: name "Bank", value 6',
    ])
  })

  test.each([
    ['{ any: true }', 'x', null],
    ["{ regex: '^Ben' }", 'Bench', 'A Bench'],
    ['{ contains: BENCH }', 'A bench', 'A bank'],
    ['{ oneOf: [1, [2]] }', [2], 2],
    ['{ is: { a: [1] } }', { a: [1] }, { a: [2] }],
    ['null', null, 0],
    ["'5'", '5', 5],
    ['[a, b]', ['a', 'b'], ['b', 'a']],
    ['{ items: [a, { b: 1 }] }', [{ b: 1 }, 'a'], ['a', 'a']],
    ['{ items: [a, a, b] }', ['a', 'b', 'a'], ['a', 'b', 'b']],
    ['{ items: [a] }', ['a'], ['a', 'a']],
    ['{ items: [a] }', ['a'], 'a'],
  ])('has a field that is %s', async (matcher, right, wrong) => {
    const parts = expecting(`{ section: crm.deals, change: added, fields: { x: ${matcher} } }`)
    expect(await findings(parts, { changes: [added('1', { x: right })] })).toEqual([])
    const found = await findings(parts, { changes: [added('1', { x: wrong })] })
    expect(found).toHaveLength(matcher === '{ any: true }' ? 0 : 1)
  })

  test('has values inside of objects and lists', async () => {
    const parts = expecting(
      "{ section: crm.deals, change: added, fields: { address.city: Colón, 'items[1].price': 5, 'items[2]': null } }",
    )
    const items: readonly object[] = [{}, { price: 5 }]
    const record = (address: object, prices: readonly object[]) => ({
      changes: [added('1', { address, items: prices })],
    })
    expect(await findings(parts, record({ city: 'Colón', zip: '', tags: [] }, items))).toEqual([])
    expect(await findings(parts, record({ city: 'David' }, [...items, {}]))).toEqual([
      'wrong: crm.deals 1: address.city must be "Colón", but is "David"',
      'wrong: crm.deals 1: items[2] must be null, but is {}',
    ])
    expect(
      await findings(
        parts,
        record({ city: 'Colón', zip: 1, geo: { lat: 2 } }, [{ price: 4, qty: 2 }, { price: 5 }]),
      ),
    ).toEqual([
      'unwanted: crm.deals 1: address.zip must not be set, but is 1',
      'unwanted: crm.deals 1: address.geo must not be set, but is {"lat":2}',
      'unwanted: crm.deals 1: items[0] must not be set, but is {"price":4,"qty":2}',
    ])
    const whole = parts.replace('fields: {', 'fields: { address: { any: true }, items: { any: true },')
    expect(await findings(whole, record({ city: 'Colón', zip: 1 }, [{ qty: 2 }, { price: 5 }]))).toEqual([])
    expect(await findings(whole, record({ city: 'David', zip: 1 }, items))).toHaveLength(1)
  })

  test.each([
    [NOW, []],
    ['2026-11-24T15:00:00.001Z', ['dueAt must not be set, but is "2026-11-24T15:00:00.001Z"']],
    ['2026-11-24T14:59:59.999Z', ['dueAt must not be set, but is "2026-11-24T14:59:59.999Z"']],
  ])('may have the time of the run in fields that are not listed: %s', async (dueAt, rules) => {
    const record = (values: Values) => ({
      changes: [added('1', { name: 'Bench', value: 5, ...values }, Object.keys(values))],
    })
    const lines = (prefix = '') => rules.map((rule) => `unwanted: crm.deals 1: ${prefix}${rule}`)
    expect(await findings(change, record({ dueAt }))).toEqual(lines())
    // In an object of volatile values, only the times of the run need not be listed.
    expect(await findings(change, record({ custom: { dueAt } }))).toEqual(lines('custom.'))
    expect(await findings(change, record({ custom: [{ dueAt, price: 9 }] }))).toEqual([
      ...lines('custom[0].'),
      'unwanted: crm.deals 1: custom[0].price must not be set, but is 9',
    ])
  })

  test('has values with names of any characters', async () => {
    const parts = expecting(
      `{ section: crm.deals, change: added, fields: { 'custom["order no."]': 5, 'custom["a.b"]': { any: true } } }`,
    )
    const record = (custom: object) => ({ changes: [added('1', { custom })] })
    expect(await findings(parts, record({ 'order no.': 5 }))).toEqual([])
    expect(await findings(parts, record({ 'order no.': 5, 'a.b': 1, 'a.c': 2, constructor: 3 }))).toEqual([
      'unwanted: crm.deals 1: custom["a.c"] must not be set, but is 2',
      'unwanted: crm.deals 1: custom.constructor must not be set, but is 3',
    ])
  })

  test('must list references to other new records, but not its own id and random values', async () => {
    const values = { name: 'Bench', value: 5, token: 'f7Hd', self: '1' }
    const other = { ...added('2', {}), section: 'crm.contacts' }
    const record = (more: Values) => added('1', { ...values, ...more }, ['token', 'self', 'contactId'])
    const effects = 'sideEffects: [{ section: crm.contacts }]'
    expect(await findings(`${change}\n${effects}`, { changes: [record({}), other] })).toEqual([])
    expect(await findings(`${change}\n${effects}`, { changes: [record({ contactId: '2' }), other] })).toEqual(
      ['unwanted: crm.deals 1: contactId must not be set, but is "2"'],
    )
  })

  test('can refer to a record that another change added', async () => {
    const parts = expecting(
      '{ section: crm.deals, change: added, as: parent, match: { name: A } }, { section: crm.deals, change: added, match: { name: B }, fields: { parentId: { record: parent } } }',
    )
    const child = (parentId: string) => [added('1', { name: 'A' }), added('2', { name: 'B', parentId })]
    expect(await findings(parts, { changes: child('1') })).toEqual([])
    expect(await findings(parts, { changes: child('7') })).toEqual([
      'wrong: crm.deals 2: parentId must be the id of the record parent, but is "7"',
    ])
  })

  test('can have a text with values of a record that another change added or changed', async () => {
    const text = "'https://a.example/{place.code}/{id}'"
    const parts = expecting(
      `{ section: crm.deals, change: added, as: room, match: { name: A }, others: any }, { section: crm.deals, change: added, match: { name: B }, fields: { url: { record: room, text: ${text} } } }`,
    )
    const both = (url: string) => [
      added('1', { name: 'A', place: { code: 'x-1' } }),
      added('2', { name: 'B', url }),
    ]
    expect(await findings(parts, { changes: both('https://a.example/x-1/1') })).toEqual([])
    expect(await findings(parts, { changes: both('https://a.example/x-2/1') })).toEqual([
      'wrong: crm.deals 2: url must be "https://a.example/{place.code}/{id}" of the record room, but is "https://a.example/x-2/1"',
    ])
    const changing = parts.replace('change: added, as', 'change: changed, as')
    const room = { ...changed('1', { value: [1, 2] }), whole: { name: 'A', place: { code: 'x-1' } } }
    const [, second] = both('https://a.example/x-1/1')
    expect(await findings(changing, { changes: second ? [room, second] : [] })).toEqual([])
  })
})

describe('a changed record', () => {
  const change = expecting(
    "{ section: crm.deals, change: changed, id: '1', fields: { status: { before: open, after: won } } }",
  )

  test('must have the values before and after', async () => {
    expect(await findings(change, { changes: [changed('1', { status: ['open', 'won'] })] })).toEqual([])
    expect(await findings(change, { changes: [changed('1', { status: ['lost', 'won'] })] })).toEqual([
      'wrong: crm.deals 1: status must be "open", but is "lost"',
    ])
    expect(
      await findings(change, { changes: [changed('1', { value: [1, 2], closedAt: [null, NOW] })] }),
    ).toEqual([
      'wrong: crm.deals 1: status must become "won", but did not change',
      'unwanted: crm.deals 1: value must stay 1, but is 2',
    ])
  })

  test('must not refer to a new record unless that is expected', async () => {
    const won: [string, string] = ['open', 'won']
    const changes = [changed('1', { status: won, contactId: ['con_1', 'con_2'] })]
    expect(await findings(change, { changes })).toEqual([
      'unwanted: crm.deals 1: contactId must stay "con_1", but is "con_2"',
    ])
    const listed = change.replace('after: won }', 'after: won }, contactId: { any: true }')
    expect(await findings(listed, { changes })).toEqual([])
  })

  test.each([
    ['2026-12-01T00:00:00.000Z', '"2026-12-01T00:00:00.000Z"'],
    [null, 'null'],
    ['3', '"3"'],
  ])('must keep times and references that are not listed: %j', async (after, shown) => {
    const record = changed('1', { status: ['open', 'won'], dueAt: [NOW, after] })
    expect(await findings(change, { changes: [record] })).toEqual([
      `unwanted: crm.deals 1: dueAt must stay "${NOW}", but is ${shown}`,
    ])
    const listed = change.replace('fields: {', 'fields: { dueAt: { any: true },')
    expect(await findings(listed, { changes: [record] })).toEqual([])
  })

  test('may have the times from the end of the setup to the end of the run', async () => {
    const start = `clock: { now: 2026-11-20T15:00:00Z }
setup: [{ clock: { advance: P1D } }, { clock: { now: 2026-11-24T15:00:00Z } }, { clock: { advance: PT1H } }]
${change}`
    const at = async (closedAt: string) => {
      const changes = [changed('1', { status: ['open', 'won'], closedAt: [null, closedAt] })]
      return (await findings(start, { changes, now: Date.parse('2026-11-25T15:00:00Z') })).length
    }
    expect(await at('2026-11-24T15:59:59.999Z')).toBe(1)
    expect(await at('2026-11-24T16:00:00.000Z')).toBe(0)
    expect(await at('2026-11-25T15:00:00.000Z')).toBe(0)
    expect(await at('2026-11-25T15:00:00.001Z')).toBe(1)
  })

  test('has values inside of an object that did not exist', async () => {
    const parts = expecting(
      "{ section: crm.deals, change: changed, id: '1', fields: { address.city: { before: null, after: David } } }",
    )
    const record = (address: object) => ({ changes: [changed('1', { address: [null, address] })] })
    expect(await findings(parts, record({ city: 'David' }))).toEqual([])
    expect(await findings(parts, record({ city: 'David', zip: 1 }))).toEqual([
      'unwanted: crm.deals 1: address.zip must stay null, but is 1',
    ])
  })

  test('of another id is unwanted, and the expected one missing', async () => {
    expect(await findings(change, { changes: [changed('2', { status: ['open', 'won'] })] })).toEqual([
      'missing: no crm.deals was changed with id "1", status "won"',
      'unwanted: changed crm.deals 2: status "open" → "won"',
    ])
  })

  test('is unwanted if only a time changed, except for the time of the last change', async () => {
    expect(await findings('', { changes: [changed('1', { updatedAt: ['a', 'b'] })] })).toEqual([])
    expect(
      await findings('', { changes: [changed('1', { dueAt: ['a', 'b'], updatedAt: ['a', 'b'] })] }),
    ).toEqual(['unwanted: changed crm.deals 1: dueAt "a" → "b"'])
  })

  test('can be selected by values that did not change', async () => {
    const parts = expecting(
      '{ section: crm.deals, change: changed, match: { name: A }, fields: { value: 2 } }',
    )
    const record = changed('1', { value: [1, 2] })
    expect(await findings(parts, { changes: [{ ...record, whole: { name: 'A' } }] })).toEqual([])
    expect(await findings(parts, { changes: [{ ...record, whole: { name: 'B' } }] })).toHaveLength(2)
    expect(await findings(parts, { changes: [record] })).toHaveLength(2)
  })
})

test('a removed record is matched by its last values', async () => {
  const parts = expecting('{ section: crm, change: removed, fields: { name: A } }')
  expect(await findings(parts, { changes: [removed('1', { name: 'A' })] })).toEqual([])
  expect(await findings(parts, { changes: [removed('1', { name: 'B' })] })).toEqual([
    'wrong: crm.deals 1: name must be "A", but was "B"',
  ])
})

describe('side effects and forbidden changes', () => {
  const record = changed('1', { value: [1, 2], updatedAt: ['a', 'b'] })

  test.each([
    ['sideEffects: [{ section: crm.deals }]', 0],
    ['sideEffects: [{ section: crm }]', 0],
    ["sideEffects: [{ section: '*' }]", 0],
    ['sideEffects: [{ section: crm.deal }]', 1],
    ['sideEffects: [{ section: payments }]', 1],
    ['sideEffects: [{ section: crm.deals, change: added }]', 1],
    ['sideEffects: [{ section: crm.deals, fields: [value, updatedAt] }]', 0],
    ['sideEffects: [{ section: crm.deals, fields: [value] }]', 1],
    ["sideEffects: [{ section: crm.deals, id: '1' }]", 0],
    ["sideEffects: [{ section: crm.deals, id: '2' }]", 1],
    ['sideEffects: [{ section: crm.deals, match: { value: 2 } }]', 0],
    ['sideEffects: [{ section: crm.deals, match: { value: 1 } }]', 1],
  ])('%s leaves %i unwanted changes', async (parts, count) => {
    expect(await findings(parts, { changes: [record] })).toHaveLength(count)
  })

  test('a forbidden change fails also if it is a side effect or expected', async () => {
    const forbidden = 'forbidden: [{ section: crm.deals, fields: [value] }]'
    const message = 'forbidden: changed crm.deals 1: value 1 → 2, which the task forbids'
    expect(await findings(`${forbidden}\nsideEffects: [{ section: crm }]`, { changes: [record] })).toEqual([
      message,
    ])
    const expected = expecting("{ section: crm.deals, change: changed, id: '1' }")
    expect(await findings(`${forbidden}\n${expected}`, { changes: [record] })).toContain(message)
    expect(await findings(forbidden, { changes: [changed('1', { status: ['a', 'b'] })] })).toEqual([
      'unwanted: changed crm.deals 1: status "a" → "b"',
    ])
  })
})

const calls = (...statuses: number[]): JournalCall[] =>
  statuses.map((status, index) => ({
    id: `req_${String(index)}`,
    interface: 'crm',
    operation: 'winDeal',
    method: 'POST',
    path: '/crm/v1/deals/1/won',
    status,
  }))

test('the budget is a maximum', async () => {
  expect(await findings('', { calls: calls(200, 404) })).toEqual([])
  expect(await findings('', { calls: calls(200, 404, 200) })).toEqual([
    'budget: made 3 calls, and the budget is 2',
  ])
})

test('a missing change names the refused writes of its interface', async () => {
  const task = await taskWith(expecting("{ section: crm.deals, change: changed, id: '1' }"))
  const other = { ...calls(422)[0], interface: 'payments' } as JournalCall
  const read = { ...calls(404)[0], method: 'GET' } as JournalCall
  const [found] = compare(task, { ...NOTHING, calls: [other, ...calls(409)] })
  expect(found?.causes).toEqual([{ kind: 'request', id: 'req_0', title: 'POST /crm/v1/deals/1/won 409' }])
  const [none] = compare(task, { ...NOTHING, calls: [other, read] })
  expect(none?.causes).toEqual([])
})

test.each([
  ['operation: winDeal', [200], []],
  ['operation: winDeal', [], ['call: crm winDeal must be called at least once, but was called 0 times']],
  [
    'operation: winDeal, status: 2xx',
    [409],
    ['call: crm winDeal 2xx must be called at least once, but was called 0 times'],
  ],
  ['operation: winDeal, status: 409', [409], []],
  ['operation: winDeal, max: 0', [], []],
  ['operation: winDeal, max: 0', [200], ['call: crm winDeal must not be called, but was called once']],
  [
    'operation: winDeal, max: 1',
    [200, 200],
    ['call: crm winDeal must be called at most once, but was called 2 times'],
  ],
  ['operation: winDeal, path: /deals/1/won', [200], []],
  [
    'operation: winDeal, path: /deals/2/won',
    [200],
    ['call: crm winDeal /deals/2/won must be called at least once, but was called 0 times'],
  ],
])('the check of calls "%s" of %j finds %j', async (check, statuses, expected) => {
  expect(await findings(`calls: [{ interface: crm, ${check} }]`, { calls: calls(...statuses) })).toEqual(
    expected,
  )
})

test.each([
  ['to: A@b.example', []],
  ['to: b@b.example', ['email: an e-mail to b@b.example must be sent at least once, but was sent 0 times']],
  ['subject: invoice, text: 5', []],
  ['text: 6', ['email: an e-mail with the text "6" must be sent at least once, but was sent 0 times']],
  ['max: 0', ['email: an e-mail must not be sent, but was sent once']],
  ['min: 2', ['email: an e-mail must be sent at least 2 times, but was sent once']],
])('the check of e-mails "%s" finds %j', async (check, expected) => {
  const quoted = check.replace(/text: (\d)/, "text: '$1'")
  const emails = [{ id: 'e', to: 'a@b.example', subject: 'Your Invoice', text: 'No.\n 5' }]
  expect(await findings(`emails: [{ ${quoted} }]`, { emails })).toEqual(expected)
})

test.each([
  ['contains: two  words', 'Two\nWords', []],
  ['contains: two words', 'two', ['answer: the final answer must contain "two words"']],
  ['excludes: secret', 'nothing', []],
  ['excludes: secret', 'a SECRET', ['answer: the final answer must not contain "secret"']],
  ["regex: '^[0-9]+$'", '42', []],
  ["regex: '^[0-9]+$'", 'x42', ['answer: the final answer must match /^[0-9]+$/']],
  ['contains: x', null, ['answer: the final answer is missing; pass it with --answer']],
])('the check of the answer "%s" of %j finds %j', async (check, answer, expected) => {
  expect(await findings(`answer: [{ ${check} }]`, { answer })).toEqual(expected)
})
