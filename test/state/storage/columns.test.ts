/** Columns: how they are stored, and the schema of their values. */
import { Type } from '@sinclair/typebox'
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../src/http/schemas/validation.ts'
import { machine } from '../../../src/state/model/machine.ts'
import * as columns from '../../../src/state/storage/columns.ts'
import { assumed } from '../../../src/state/model/fidelity.ts'

const lamp = machine({
  name: 'test.lamp',
  title: 'Lamp',
  states: ['off', 'on'],
  initial: ['off'],
  moves: { switch_on: { from: ['off'], to: 'on', by: 'the test', fidelity: assumed('A test.') } },
})

const lamps = columns.table('test_lamps', {
  shownName: columns.filledText(5),
  note: columns.text(3).orNull(),
  state: columns.states(lamp).default('off'),
  litAt: columns.instant().orNull(),
  hours: columns.integer(0, 9),
  isNew: columns.flag().named('fresh'),
  tags: columns.listOf(() => Type.String({ maxLength: 5 }), { maxItems: 2 }),
  ...columns.withTimes,
})

const bulbs = columns.table('test_bulbs', {
  id: columns.text(3),
  lampId: columns.refersTo(lamps, { cascade: true }),
  spareOf: columns.refersTo(lamps).orNull(),
})
const sockets = columns.tableWithKey('test_sockets', ['lampId', 'position'], {
  lampId: columns.refersTo(lamps),
  position: columns.integer(),
})

const of = getTableColumns(lamps)

test('are stored under their property in snake_case, or under a name of their own', () => {
  expect(Object.values(of).map(({ name }) => name)).toEqual([
    'workspace',
    'id',
    'shown_name',
    'note',
    'state',
    'lit_at',
    'hours',
    'fresh',
    'tags',
    'created_at',
    'updated_at',
    'revision',
  ])
})

test('are never null unless they say so, and have the default that they name', () => {
  const nullable = Object.entries(of).flatMap(([name, { notNull }]) => (notNull ? [] : [name]))
  expect(nullable).toEqual(['note', 'litAt'])
  const defaults = Object.entries(of).flatMap(([name, column]) =>
    column.hasDefault ? [[name, column.default]] : [],
  )
  expect(defaults).toEqual([['state', 'off']])
})

const namesOf = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)

test.each<[string, SQLiteTable, string[]]>([
  ['a record', lamps, ['workspace', 'id']],
  ['a record with another id', bulbs, ['workspace', 'id']],
  ['a row without an id', sockets, ['workspace', 'lamp_id', 'position']],
])('of %s begin with its key', (_row, table, key) => {
  const { columns: all, primaryKeys } = getTableConfig(table)
  expect(primaryKeys.map((each) => namesOf(each.columns))).toEqual([key])
  expect(namesOf(all).slice(0, key.length)).toEqual(key)
})

test('can replace the id of records', () => {
  expect(columns.meaningOf(getTableColumns(bulbs).id)?.schema()).toMatchObject({ maxLength: 3 })
})

test('that refer to a record are foreign keys within the workspace', () => {
  const keys = getTableConfig(bulbs).foreignKeys.map(({ onDelete, reference }) => {
    const { columns: own, foreignColumns } = reference()
    return [namesOf(own), namesOf(foreignColumns), foreignColumns[0]?.table === lamps, onDelete]
  })
  expect(keys).toEqual([
    [['workspace', 'lamp_id'], ['workspace', 'id'], true, 'cascade'],
    [['workspace', 'spare_of'], ['workspace', 'id'], true, undefined],
  ])
})

test('of states have the states of their machine', () => {
  expect(of.state.enumValues).toBe(lamp.states)
})

test('that are instants say so', () => {
  const instants = Object.entries(of).flatMap(([name, column]) =>
    columns.meaningOf(column)?.isInstant ? [name] : [],
  )
  expect(instants).toEqual(['litAt', 'createdAt', 'updatedAt'])
})

describe('the schema of', () => {
  test.each([
    ['shownName', ['a', '12345'], ['', ' ', '123456', 1, null]],
    ['note', ['', '123'], ['1234', 1]],
    ['state', ['off', 'on'], ['dim', '']],
    ['hours', [0, 9], [-1, 10, 1.5, '1']],
    ['isNew', [true, false], [0, 'true']],
    ['tags', [[], ['a', 'b']], [['a', 'b', 'c'], ['123456'], 'a']],
  ] as const)('%s accepts values within its bounds and no others', (name, good, bad) => {
    const schema = columns.meaningOf(of[name])?.schema()
    if (!schema) throw new Error(`${name} has no meaning`)
    const isGood = (value: unknown): boolean =>
      problemsOf(Type.Object({ value: schema }), { value }).length === 0
    expect(good.filter((value) => !isGood(value))).toEqual([])
    expect(bad.filter((value) => isGood(value))).toEqual([])
  })
})
