/** Wire shapes: what follows from a column, and what a field says itself. */
import { Type, type Static } from '@sinclair/typebox'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { bodyOnly, made, shape, valueOf } from '../../../src/http/shapes/shape.ts'
import * as columns from '../../../src/state/storage/columns.ts'
import { freshState, NOON } from '../../support/state.ts'

const lamps = columns.table('test_shaped_lamps', {
  shownName: columns.filledText(5),
  note: columns.text(3).orNull(),
  color: columns.choice(['red', 'blue']),
  dueAt: columns.instant().orNull(),
  hours: columns.integer(0, 9),
  isNew: columns.flag(),
  ...columns.withCreation,
})

const Lamp = shape({ item: 'TestLamp', create: 'TestLampCreate' }, lamps, {
  fields: () => ({
    id: { schema: Type.String() },
    shown_name: { sent: 'both', required: true, words: { examples: ['desk'] } },
    note: { sent: 'both', bounded: true, assumed: 'No length is shown.' },
    color: { sent: 'create', takes: { description: 'Red by default.' } },
    due_at: { sent: 'update', shows: { description: 'null without a date.' } },
    hours: { sent: 'create', schema: Type.Integer({ minimum: 0 }) },
    force: bodyOnly('update', Type.Boolean()),
    label: made(Type.String(), [lamps.shownName, lamps.isNew], ([name, isNew]) =>
      isNew ? `${name} (new)` : name,
    ),
    created_at: {},
  }),
})

const row = {
  workspace: 1,
  id: 'lamp_1',
  shownName: 'desk',
  note: null,
  color: 'red',
  dueAt: NOON,
  hours: 3,
  isNew: true,
  createdAt: NOON,
  revision: 1,
} as const

/** The schema as it is published. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))

describe('a shape', () => {
  test('shows each field by its column, in order, without bounds unless the field says so', () => {
    expect(Object.keys(Lamp.item.properties)).toEqual([
      'id',
      'shown_name',
      'note',
      'color',
      'due_at',
      'hours',
      'label',
      'created_at',
    ])
    expect(plain(Lamp.item.properties['shown_name'])).toEqual({ type: 'string', examples: ['desk'] })
    expect(plain(Lamp.item.properties['note'])).toEqual({
      type: ['string', 'null'],
      maxLength: 3,
      'x-fidelity': 'assumed',
      'x-fidelity-why': 'No length is shown.',
    })
    expect(plain(Lamp.item.properties['color'])).toEqual({ type: 'string', enum: ['red', 'blue'] })
    expect(plain(Lamp.item.properties['due_at'])).toEqual({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'null without a date.',
    })
  })

  test('takes the fields that its bodies name, with the bounds of their columns', () => {
    expect(Object.keys(Lamp.create.properties)).toEqual(['shown_name', 'note', 'color', 'hours'])
    expect(Lamp.create['required']).toEqual(['shown_name'])
    expect(Lamp.create.properties['shown_name']).toMatchObject({ maxLength: 5, pattern: '\\S' })
    expect(Lamp.create.properties['color']).toMatchObject({ description: 'Red by default.' })
    expect(Object.keys(Lamp.update.properties)).toEqual(['shown_name', 'note', 'due_at', 'force'])
    expect(Lamp.update['required']).toBeUndefined()
    expect(Lamp.update.properties['due_at']).toMatchObject({ type: ['string', 'null'], format: 'instant' })
  })

  test('has the types of its fields', () => {
    expectTypeOf<Static<typeof Lamp.item>>().toEqualTypeOf<{
      readonly id: string
      readonly shown_name: string
      readonly note: string | null
      readonly color: 'red' | 'blue'
      readonly due_at: string | null
      readonly hours: number
      readonly label: string
      readonly created_at: string
    }>()
    expectTypeOf<Static<typeof Lamp.create>['shown_name']>().toEqualTypeOf<string>()
    expectTypeOf<Static<typeof Lamp.update>['force']>().toEqualTypeOf<boolean | undefined>()
    // A field without a column does not compile.
    // @ts-expect-error: the table has no column "weight"
    shape({}, lamps, { fields: () => ({ weight: {} }) })
  })

  test('parses the fields that were sent, with times of the workspace', () => {
    const { workspace } = freshState()
    expect(Lamp.parse(workspace, {})).toEqual({})
    expect(Lamp.parse(workspace, { shown_name: 'desk', note: null, force: true, unknown: 1 })).toEqual({
      shownName: 'desk',
      note: null,
    })
    expect(Lamp.parse(workspace, { due_at: '2026-11-21T12:00:00' })).toEqual({ dueAt: NOON })
    expect(Lamp.parse(workspace, { due_at: null })).toEqual({ dueAt: null })
  })

  test('writes a record as the data of events', () => {
    expect(Lamp.view(row, freshState().workspace)).toEqual({
      id: 'lamp_1',
      shown_name: 'desk',
      note: null,
      color: 'red',
      due_at: '2026-11-21T12:00:00.000Z',
      hours: 3,
      label: 'desk (new)',
      created_at: '2026-11-21T12:00:00.000Z',
    })
  })

  test('leaves out fields that omit null while they are null', () => {
    const Sparse = shape({}, lamps, {
      fields: () => ({
        id: { schema: Type.String() },
        note: { omitsNull: true, sent: 'create', words: { description: 'A note.' } },
        due_at: { omitsNull: true },
        label: { ...made(Type.String(), [lamps.shownName], ([name]) => name), omitsNull: true },
      }),
    })
    expect(plain(Sparse.item)).toMatchObject({
      properties: { note: { type: 'string', description: 'A note.' }, due_at: { type: 'string' } },
      required: ['id'],
    })
    expect(Sparse.create.properties['note']).toMatchObject({ type: ['string', 'null'] })
    expectTypeOf<Static<typeof Sparse.item>>().toEqualTypeOf<{
      readonly id: string
      readonly note?: string
      readonly due_at?: string
      readonly label?: string
    }>()
    const { workspace } = freshState()
    const text = (of: typeof row | (Omit<typeof row, 'note' | 'dueAt'> & { note: string; dueAt: null })) => {
      const written = Sparse.rendering().one(workspace, of)
      expect(JSON.parse(written)).toEqual(Sparse.view(of, workspace))
      return written
    }
    expect(text(row)).toBe('{"id":"lamp_1","due_at":"2026-11-21T12:00:00.000Z","label":"desk"}')
    expect(text({ ...row, note: 'new', dueAt: null })).toBe('{"id":"lamp_1","note":"new","label":"desk"}')
  })

  test('takes a computed field from bodies for the handler', () => {
    const Named = shape({}, lamps, {
      fields: () => ({
        label: {
          ...made(Type.String(), [lamps.shownName], ([name]) => `${name}!`),
          sent: 'create',
          body: Type.String({ description: 'Without the exclamation mark.' }),
        },
        force: { ...bodyOnly('create', Type.Boolean()), required: true },
      }),
    })
    expect(Named.create['required']).toEqual(['force'])
    expectTypeOf<Static<typeof Named.create>['force']>().toEqualTypeOf<boolean>()
    expect(plain(Named.item.properties)).toEqual({ label: { type: 'string' } })
    expect(plain(Named.create.properties)).toEqual({
      force: { type: 'boolean' },
      label: { type: 'string', description: 'Without the exclamation mark.' },
    })
    expectTypeOf<Static<typeof Named.item>>().toEqualTypeOf<{ readonly label: string }>()
    expectTypeOf<Static<typeof Named.create>['label']>().toEqualTypeOf<string | undefined>()
    const { workspace } = freshState()
    expect(Named.view(row, workspace)).toEqual({ label: 'desk!' })
    expect(Named.parse(workspace, { label: 'lamp' })).toEqual({})
  })

  test('gives its fields to other shapes', () => {
    const Small = shape({}, lamps, { fields: () => ({ ...Lamp.fields(), is_new: {} }) })
    expect(Object.keys(Small.item.properties)).toContain('is_new')
  })

  test('leaves computed fields of bodies to the handler, with a schema of their own', () => {
    const Timed = shape({}, lamps, {
      fields: () => ({
        hours: {
          ...made(Type.String(), [lamps.hours], ([hours]) => `${String(hours)} h`),
          sent: 'both',
          required: true,
          body: Type.Integer(),
        },
        is_new: { ...made(Type.Boolean(), [lamps.isNew], ([isNew]) => isNew), sent: 'create' },
        code: { ...bodyOnly('create', Type.String()), required: true },
      }),
    })
    expect(Object.keys(Timed.create.properties)).toEqual(['hours', 'is_new', 'code'])
    expect(Timed.create['required']).toEqual(['hours', 'code'])
    expect(Timed.create.properties).toMatchObject({ hours: { type: 'integer' }, is_new: { type: 'boolean' } })
    expect(Timed.update['required']).toBeUndefined()
    expectTypeOf<Static<typeof Timed.create>>().toMatchObjectType<{ hours: number; code: string }>()
    const { workspace } = freshState()
    expect(Timed.parse(workspace, { hours: 4, is_new: true, code: 'a' })).toEqual({})
    expect(Timed.view(row, workspace)).toEqual({ hours: '3 h', is_new: true })
  })
})

test('a value of a column alone has its bounds', () => {
  expect(valueOf(lamps.shownName, { description: 'A name.' })).toMatchObject({
    type: 'string',
    maxLength: 5,
    description: 'A name.',
  })
})

test('refuses null in bodies if the field says so, although its column can be null', () => {
  const Chosen = shape({}, lamps, {
    fields: () => ({ note: { sent: 'both', refusesNull: true, body: Type.String({ maxLength: 3 }) } }),
  })
  expect(plain(Chosen.item.properties['note'])).toMatchObject({ type: ['string', 'null'] })
  for (const body of [Chosen.create, Chosen.update]) {
    expect(plain(body.properties['note'])).toEqual({ type: 'string', maxLength: 3 })
  }
  expectTypeOf<Static<typeof Chosen.create>['note']>().toEqualTypeOf<string | undefined>()
})
