import { describe, expect, test } from 'vitest'
import { UTC } from '@suite-sim/kit/time/instants'
import { OPERATORS, type Operator } from '../../../../src/state/crm/automationParts.ts'
import { isMet } from '../../../../src/state/crm/automations/conditions.ts'

const data = {
  deal: {
    name: 'Forty desks',
    value: 1000,
    score: '12.5',
    expected_close_date: '2026-12-31',
    created_at: '2026-12-31T00:00:00.000Z',
    contact: null,
    owner: { id: 'user-1', name: 'Ana' },
    custom_fields: { 'Lead source': 'fair', empty: {} },
    urgent: true,
    code: '007',
  },
  contact: { tags: ['vip', 'fleet'], none: [], blank: '' },
}

const cases: [met: boolean, field: string, operator: Operator, value: unknown, why: string][] = [
  [true, 'deal.name', 'equals', 'Forty desks', 'texts to the letter'],
  [false, 'deal.name', 'equals', 'forty desks', 'texts with case'],
  [true, 'deal.value', 'equals', 1000, 'numbers'],
  [true, 'deal.value', 'equals', '1000', 'a number that is written as text'],
  [false, 'deal.value', 'equals', '1000x', 'a text that is no number'],
  [false, 'deal.code', 'equals', '7', 'texts are no numbers'],
  [true, 'deal.urgent', 'equals', true, 'booleans'],
  [false, 'deal.urgent', 'equals', 'true', 'a text is no boolean'],
  [true, 'deal.contact', 'equals', null, 'null'],
  [true, 'deal.nothing.here', 'equals', null, 'a field that is not there is null'],
  [false, 'deal.nothing', 'equals', '', 'a field that is not there is not a text'],
  [true, 'deal.expected_close_date', 'equals', '2026-12-31T00:00:00Z', 'moments however they are written'],
  [true, 'contact.tags', 'equals', ['vip', 'fleet'], 'lists member by member'],
  [false, 'contact.tags', 'equals', ['vip'], 'lists as a whole'],
  [true, 'deal.owner_id', 'equals', 'user-1', 'the id of a record by its usual name'],
  [true, 'deal.custom_fields.Lead source', 'equals', 'fair', 'a custom field with a space'],
  [true, 'contact.tags.1', 'equals', 'fleet', 'a member of a list by its place'],
  [false, 'deal.__proto__', 'is_not_empty', undefined, 'nothing that is not its own'],
  [false, 'deal.name.length', 'is_not_empty', undefined, 'nothing inside a text'],

  [false, 'deal.value', 'not_equals', 1000, 'the opposite of equals'],
  [true, 'deal.value', 'not_equals', 1001, 'the opposite of equals'],
  [true, 'deal.nothing', 'not_equals', 'x', 'what is not there is not equal'],

  [true, 'deal.value', 'greater_than', 999.99, 'numbers'],
  [false, 'deal.value', 'greater_than', 1000, 'not the same'],
  [true, 'deal.value', 'greater_than', '999', 'as numbers, not as texts'],
  [true, 'deal.score', 'greater_than', 9, 'as numbers, not as texts'],
  [true, 'deal.score', 'greater_than', '9', 'two numbers that are written as texts'],
  [false, 'deal.nothing', 'greater_than', -1, 'what is not there is not greater'],
  [false, 'deal.urgent', 'greater_than', 0, 'a boolean is no number'],
  [true, 'deal.created_at', 'greater_than', '2026-12-30T23:59:59-00:00', 'moments'],
  [false, 'deal.created_at', 'greater_than', '2026-12-31', 'the same moment'],
  [true, 'deal.name', 'greater_than', 'Eighty', 'texts by letter'],

  [true, 'deal.value', 'greater_than_or_equal', 1000, 'the same'],
  [false, 'deal.value', 'greater_than_or_equal', 1000.01, 'less'],
  [true, 'deal.value', 'less_than', 1000.01, 'less'],
  [false, 'deal.value', 'less_than', 1000, 'not the same'],
  [true, 'deal.value', 'less_than_or_equal', 1000, 'the same'],
  [false, 'deal.value', 'less_than_or_equal', 999.99, 'more'],
  [false, 'deal.nothing', 'less_than', 1, 'what is not there is not less'],

  [true, 'deal.name', 'contains', 'desk', 'a part of a text'],
  [false, 'deal.name', 'contains', 'Desk', 'with case'],
  [true, 'contact.tags', 'contains', 'vip', 'a member of a list'],
  [false, 'contact.tags', 'contains', 'vi', 'no part of a member'],
  [false, 'deal.nothing', 'contains', 'x', 'nothing contains nothing'],
  [true, 'deal.name', 'not_contains', 'chair', 'the opposite of contains'],
  [false, 'contact.tags', 'not_contains', 'vip', 'the opposite of contains'],
  [true, 'deal.name', 'starts_with', 'Forty', 'the beginning'],
  [false, 'deal.name', 'starts_with', 'desks', 'the end is not the beginning'],
  [true, 'deal.name', 'ends_with', 'desks', 'the end'],
  [false, 'deal.name', 'ends_with', 'Forty', 'the beginning is not the end'],
  [false, 'deal.value', 'starts_with', '1', 'a number has no beginning'],

  [true, 'deal.value', 'in', [1, 1000], 'one of them'],
  [false, 'deal.value', 'in', [1, 2], 'none of them'],
  [false, 'deal.value', 'in', 1000, 'no list'],
  [true, 'deal.value', 'not_in', [1, 2], 'none of them'],
  [false, 'deal.value', 'not_in', [1000], 'one of them'],

  [true, 'deal.contact', 'is_empty', undefined, 'null'],
  [true, 'contact.none', 'is_empty', undefined, 'an empty list'],
  [true, 'contact.blank', 'is_empty', undefined, 'an empty text'],
  [true, 'deal.custom_fields.empty', 'is_empty', undefined, 'an empty object'],
  [true, 'deal.nothing', 'is_empty', undefined, 'what is not there'],
  [false, 'deal.value', 'is_empty', undefined, 'a number'],
  [true, 'deal.owner', 'is_not_empty', undefined, 'a record'],
  [false, 'contact.none', 'is_not_empty', undefined, 'an empty list'],
]

describe('condition', () => {
  test.each(cases)('holds: %s for %s %s %j (%s)', (met, field, operator, value) => {
    expect(isMet({ field, operator, value }, 'deal.created', data, UTC)).toBe(met)
  })

  test.each(OPERATORS)('covers %s with a true and a false case', (operator) => {
    const outcomes = cases.filter(([, , each]) => each === operator).map(([met]) => met)
    expect(new Set(outcomes)).toEqual(new Set([true, false]))
  })
})
