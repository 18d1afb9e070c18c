/**
 * Every fact of the published documents is either in the list of documented facts
 * (`documented/<interface>.json`, made by hand from the specification) or labelled as assumed, and no label contradicts
 * the list.
 */
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/http/openapi/fidelity/facts.ts'
import { DOCUMENTED_LISTS } from '../support/documentedLists.ts'
import { operationRowsOf } from '../support/operationTable.ts'
import { PUBLISHED } from '../support/published.ts'
import { interfaceDocument } from '../support/subject.ts'

/** Interfaces whose list is still missing. */
const WITHOUT_LIST: readonly string[] = [
  'crm',
  'signage',
  'recruiting',
  'forms',
  'integration-payments',
  'pos',
  'tax-invoicing',
  'lite-invoicing',
  'conversations',
  'meetings',
]

test('has a list for each interface', () => {
  const names = PUBLISHED.map(({ definition }) => definition.name)
  expect(names.filter((name) => !DOCUMENTED_LISTS.has(name))).toEqual(WITHOUT_LIST)
})

describe.each([...DOCUMENTED_LISTS])('%s', (name, list) => {
  test('labels exactly what the specification does not show', () => {
    const published = PUBLISHED.find(({ definition }) => definition.name === name)
    if (!published) throw new Error(`There is no interface ${name}.`)
    const document = interfaceDocument(published, { serverUrl: '', version: '' })
    const { failures } = compare(document, list, operationRowsOf(name))
    expect(failures.join('\n')).toBe('')
  })
})
