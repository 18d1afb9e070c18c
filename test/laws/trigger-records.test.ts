/** Every field of a trigger that names a record says in which section the record is. */
import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { INTERFACES } from '../support/subject.ts'

const sets = INTERFACES.flatMap(({ records }) => records)
const wires = await Promise.all(INTERFACES.map((each) => each.load()))

const fields = wires
  .flatMap(({ triggers = [] }) => triggers)
  .flatMap(({ name, body }) =>
    Object.entries((body as { properties?: Record<string, object> }).properties ?? {}).map(
      ([field, schema]) => ({
        at: `${name} ${field}`,
        field,
        section: (schema as { 'x-record'?: string })['x-record'],
      }),
    ),
  )

/** Fields with the name of an id that refer to no record. */
const OTHERS: Readonly<Record<string, string>> = {
  'crm.template.define id': 'the id of the template to define, which need not exist',
  'crm.team.define id': 'the id of the team to define, which need not exist',
  'crm.segment.define id': 'the id of the segment to define, which need not exist',
  'crm.team.define member_ids': 'users, which are no records',
}

describe('fields of triggers', () => {
  const named = fields.filter(
    ({ field, section }) => section !== undefined || /(?:^i|_i|[a-z]I)ds?$|hashUrl$/.test(field),
  )

  test.each(named)('$at names its section, or is listed', ({ at, section }) => {
    expect(section === undefined).toBe(at in OTHERS)
  })

  test.each(named.filter(({ section }) => section !== undefined))(
    '$at names an existing section and key',
    (each) => {
      const [of, list, key = 'id', ...rest] = each.section?.split('.') ?? []
      expect(rest).toEqual([])
      const set = sets.find(({ section, name }) => section === of && name === list)
      expect(Object.keys(getTableColumns(set?.table as SQLiteTable))).toContain(key)
    },
  )

  test('that are listed as others exist', () => {
    const known = fields.map(({ at }) => at)
    for (const at of Object.keys(OTHERS)) expect(known).toContain(at)
  })
})
