/** What a task file may have, and the errors of files that have something else. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTask } from '../../src/remote/grade/taskFile.ts'
import { scratchFolder } from '../../../../test/support/process.ts'

const VALID = `title: Add a product
instruction: Add the product "Bench".
fixture: none
clock: { now: 2026-11-24T15:00:00Z }
interfaces: [catalog]
scopes: ['products:create']
budget: 5
changes:
  - section: catalog.products
    change: added
    as: bench
    fields: { name: Bench, type: physical }
    others: any
reference:
  - name: add
    interface: catalog
    method: POST
    path: /products
    body: { name: Bench, type: physical }
    save: { bench: /data/id }
saboteurs:
  - name: adds nothing
    remove: add
    fails: [{ kind: missing }]
`

const read = (text: string, name = 'add-bench.yaml') => {
  const file = join(scratchFolder(), name)
  writeFileSync(file, text)
  return readTask(file)
}

/** Returns the message of the refusal, without the folder. */
const refusal = async (text: string, name?: string): Promise<string> => {
  const error = (await read(text, name).catch((reason: unknown) => reason)) as Error
  expect(error.name).toBe('UsageError')
  return error.message.replace(/\/\S*\//, '')
}

/** Replaces a part of the valid file. */
const edited = (part: string, by: string): string => {
  expect(VALID).toContain(part)
  return VALID.replace(part, by)
}

test('a task has the name of its file, and defaults', async () => {
  expect(await read(VALID)).toMatchObject({
    name: 'add-bench',
    clock: { now: '2026-11-24T15:00:00Z', frozen: true },
    sideEffects: [],
    forbidden: [],
    answer: [],
    calls: [],
    emails: [],
    reference: [{ name: 'add', kind: 'call' }],
    saboteurs: [{ name: 'adds nothing', steps: [] }],
  })
})

test('saboteurs are the reference with steps removed, replaced or inserted', async () => {
  const step = (name: string) => `{ name: ${name}, interface: catalog, method: GET, path: /products }`
  const { saboteurs } =
    await read(`${VALID}  - { name: b, replace: add, with: [${step('x')}, ${step('y')}], fails: [{ kind: missing }] }
  - { name: c, after: add, insert: [${step('z')}], fails: [{ kind: unwanted }] }
  - { name: d, insert: [{ name: w, interface: catalog, method: GET, path: '/products/{bench}' }], fails: [{ kind: unwanted }] }
`)
  expect(saboteurs.map(({ steps }) => steps.map(({ name }) => name))).toEqual([
    [],
    ['x', 'y'],
    ['add', 'z'],
    ['add', 'w'],
  ])
})

test.each([
  [
    'another name of a field',
    'budget: 5',
    'buget: 5',
    'add-bench.yaml:1: the task must not have the field "buget"; did you mean budget?',
  ],
  [
    'text without record',
    'name: Bench, type',
    'name: { contains: Bench, text: x }, type',
    'changes[0].fields.name.text must be used with record',
  ],
  ['a missing field', 'budget: 5\n', '', 'add-bench.yaml:1: the task must have the field budget'],
  [
    'an unknown interface',
    '[catalog]',
    '[catlog]',
    'add-bench.yaml:5: interfaces[0] must be an interface, not "catlog"; did you mean catalog?',
  ],
  [
    'an unknown scope',
    'products:create',
    'products:creat',
    'scopes[0] must be a scope, not "products:creat"; did you mean products:create?',
  ],
  [
    'an unknown section',
    'catalog.products',
    'catalogue.products',
    'changes[0].section must be a section, an interface or *, not "catalogue.products"',
  ],
  [
    'an unknown kind of change',
    'change: added',
    'change: add',
    'changes[0].change must be a kind of change, not "add"; one of added, changed, removed',
  ],
  [
    'a field of a change',
    'others: any',
    'other: any',
    'add-bench.yaml:9: changes[0] must not have the field "other"; did you mean others?',
  ],
  [
    'an unknown matcher',
    'name: Bench, type: physical }\n    others',
    'name: { rgex: B } }\n    others',
    'changes[0].fields.name must not have the field "rgex"; did you mean regex?',
  ],
  [
    'an object as a value',
    'name: Bench, type: physical }\n    others',
    'name: { is: 1, any: true } }\n    others',
    'changes[0].fields.name must have one of any, regex, contains, oneOf, items, record, is; an object itself is {is: …}',
  ],
  [
    'a record that no change names',
    'name: Bench, type: physical }\n    others',
    'name: { record: bank } }\n    others',
    'changes[0].fields.name.record must be the name (as) of an earlier change, not "bank"',
  ],
  [
    'a regular expression',
    'name: Bench, type: physical }\n    others',
    "name: { regex: '(?=a)' } }\n    others",
    'changes[0].fields.name.regex must be a regular expression in the syntax of RE2',
  ],
  [
    'a change of everything',
    '    change: added\n    as: bench\n    fields: { name: Bench, type: physical }\n    others: any\n',
    '    change: changed\n',
    'changes[0] must have id, match or fields',
  ],
  [
    'a local time',
    '2026-11-24T15:00:00Z',
    'yesterday',
    'clock.now must be an instant in UTC, such as 2026-11-24T14:00:00Z',
  ],
  ['a budget of zero', 'budget: 5', 'budget: 0', 'budget must be a whole number from 1 to 900, not 0'],
  ['too large a budget', 'budget: 5', 'budget: 901', 'budget must be a whole number from 1 to 900, not 901'],
  [
    'a call of another interface',
    'interface: catalog',
    'interface: crm',
    'reference[0].interface must be an interface that the task allows, not "crm"',
  ],
  [
    'a relative path',
    'path: /products',
    'path: products',
    'reference[0].path must start with /, relative to the base path of the interface',
  ],
  [
    'a value that nothing saves',
    'body: { name: Bench',
    "body: { name: '{bnech}'",
    'reference[0] uses {bnech}, which no earlier step saves; earlier steps save account',
  ],
  [
    'a pointer without a slash',
    '/data/id',
    'data.id',
    'reference[0].save.bench must be a JSON pointer, such as /data/0/id',
  ],
  [
    'a step of another name',
    'remove: add',
    'remove: ad',
    'saboteurs[0].remove must be the name of a step of the reference, not "ad"; did you mean add?',
  ],
  [
    'a saboteur without a fault',
    '    remove: add\n',
    '',
    'saboteurs[0] must have one of replace, remove and insert',
  ],
  [
    'a saboteur without a failure',
    '[{ kind: missing }]',
    '[]',
    'saboteurs[0].fails must have at least one failure',
  ],
  [
    'an unknown kind of failure',
    'kind: missing',
    'kind: mising',
    'saboteurs[0].fails[0].kind must be a kind of failure, not "mising"; did you mean missing?',
  ],
  ['a text that is a number', 'title: Add a product', 'title: 5', 'title must be a text, not 5'],
])('refuses %s', async (_what, part, by, message) => {
  expect(await refusal(edited(part, by))).toContain(message)
})

test('takes the largest budget', async () => {
  expect((await read(edited('budget: 5', 'budget: 900'))).budget).toBe(900)
})

test('refuses two saboteurs, and two steps, with the same name', async () => {
  const saboteur = '  - { name: adds nothing, remove: add, fails: [{ kind: missing }] }\n'
  expect(await refusal(VALID + saboteur)).toContain(
    'saboteurs must have different names; adds nothing is there twice',
  )
  const step = '  - { name: add, interface: catalog, method: GET, path: /products }\nsaboteurs:'
  expect(await refusal(edited('saboteurs:', step))).toContain(
    'reference must have steps with different names; add is there twice',
  )
})

describe('YAML', () => {
  test.each([
    ['invalid', 'title: [', 'the YAML is invalid: '],
    ['with a key twice', `${VALID}budget: 6\n`, 'the YAML is invalid: Map keys must be unique'],
    [
      'with an alias',
      edited('title: Add a product', 'title: &a Add').replace('name: adds nothing', 'name: *a'),
      'aliases (*name) are not supported',
    ],
    ['with a tag', edited('title: Add', 'title: !secret Add'), 'the YAML is invalid: Unresolved tag'],
    ['nested too deeply', '['.repeat(100_000), 'the YAML is invalid: '],
    ['a list', '- 1', 'the task must be an object, not [1]'],
    ['empty', '', 'the task must be an object, not null'],
  ])('that is %s is refused', async (_what, text, message) => {
    expect(await refusal(text)).toContain(message)
  })

  test('of more than 256 KiB is refused, and of 256 KiB is read', async () => {
    const full = `${VALID}#${' '.repeat(256 * 1024 - VALID.length - 1)}`
    expect((await read(full)).name).toBe('add-bench')
    expect(await refusal(`${full} `)).toContain('must have at most 262144 bytes')
  })

  test('of a file with another kind of name is refused', async () => {
    expect(await refusal(VALID, 'Add Bench.yaml')).toContain(
      'the name of the file must contain only a-z, 0-9 and -',
    )
  })
})
