/** The published documents name the readings on which an answer depends. */
import { expect, test } from 'vitest'
import { READINGS } from '../../../src/control/shared/readings.ts'
import { interfaceDocument } from '../../../src/http/openapi/openapi.ts'
import { PUBLISHED } from '../../support/published.ts'

const OPTIONS = { serverUrl: 'http://127.0.0.1:4012', version: '1.2.3' }

interface Described {
  readonly operationId: string
  readonly description?: string
  readonly 'x-reading'?: readonly string[]
  readonly 'x-scope'?: readonly string[]
  readonly 'x-scope-reading'?: Readonly<Record<string, readonly string[]>>
}

const documents = PUBLISHED.map((published) => ({
  name: published.definition.name,
  document: interfaceDocument(published, OPTIONS),
}))

const operationsOf = (name: string): Described[] =>
  documents
    .filter((each) => each.name === name)
    .flatMap(({ document }) =>
      Object.values(document.paths).flatMap((methods) => Object.values(methods) as Described[]),
    )

const marked = (name: string, reading: string): string[] =>
  operationsOf(name)
    .filter((operation) => operation['x-reading']?.includes(reading))
    .map(({ operationId }) => operationId)

test.each([
  ['crm', 19],
  ['signage', 19],
  ['recruiting', 1],
  ['tax-invoicing', 10],
])('of %s mark %i operations with the reading scopes.unlisted', (name, count) => {
  const ofArea = operationsOf(name).filter((operation) => operation['x-scope-reading'])
  expect(marked(name, 'scopes.unlisted')).toEqual(ofArea.map(({ operationId }) => operationId))
  expect(ofArea).toHaveLength(count)
  for (const operation of ofArea) {
    expect(operation['x-scope']).toBeUndefined()
    const [scope = ''] = operation['x-scope-reading']?.['area'] ?? []
    expect(operation['x-scope-reading']).toEqual({ area: [scope], any: [] })
    expect(operation.description).toContain(`\`${scope}\``)
  }
})

test.each([
  [
    'catalog.products_module',
    [
      'completeActivity',
      'createActivity',
      'deleteActivity',
      'getActivity',
      'listActivities',
      'updateActivity',
    ],
  ],
  ['recruiting.vacancy_status', ['setVacancyStatus', 'updateVacancy']],
  ['recruiting.delete_vacancy', ['deleteVacancy']],
  ['payments.refund_event', ['refundTransaction']],
  ['integration-payments.invalid_state', ['cancelPaymentLink']],
])('mark the operations of %s', (reading, operations) => {
  const all = documents.flatMap(({ name }) => marked(name, reading))
  expect(all.toSorted()).toEqual(operations)
})

test('mark every operation of integration payments with the reading of unknown keys, and publish both statuses', () => {
  const operations = operationsOf('integration-payments')
  expect(marked('integration-payments', 'integration-payments.unknown_key')).toHaveLength(operations.length)
  const [{ document } = { document: undefined }] = documents.filter(
    ({ name }) => name === 'integration-payments',
  )
  for (const [status, reading] of [
    ['NotFound', 'integration-payments.unknown_key'],
    ['Unauthorized', 'integration-payments.unknown_key'],
    ['BadRequestDocumented', 'integration-payments.invalid_state'],
    ['ConflictDocumented', 'integration-payments.invalid_state'],
  ] as const) {
    expect(document?.components.responses[status]?.['x-reading']).toContain(reading)
  }
})

test('mark no reading that does not exist, and every reading somewhere', () => {
  const all = documents.flatMap(({ document }) => [
    ...JSON.stringify(document).matchAll(/"x-reading":\[([^\]]*)\]/g),
  ])
  const names = new Set(all.flatMap(([, list = '']) => JSON.parse(`[${list}]`) as string[]))
  expect([...names].toSorted()).toEqual(READINGS.map(({ name }) => name).toSorted())
})
