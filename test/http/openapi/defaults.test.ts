/**
 * Every default that the specification shows is published: as `default` of a query parameter, and in words and as
 * `x-default` of a field of a body, which generators would require if it had `default`.
 */
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/http/openapi/documentParts.ts'
import { everyOperation, type Subject } from '../../support/examples.ts'
import { bodyOf } from '../../laws/requestFields.ts'

const SUBJECTS = everyOperation()

function subjectOf(interfaceName: string, method: string, path: string): Subject {
  const found = SUBJECTS.find(
    ({ route }) => route.interface === interfaceName && route.method === method && route.path === path,
  )
  if (!found) throw new Error(`${interfaceName} has no ${method} ${path}`)
  return found
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: { readonly default?: unknown }
}

const queryOf = (document: OpenApiDocument, method: string, path: string): readonly Parameter[] =>
  ((document.paths[path]?.[method.toLowerCase()]?.parameters ?? []) as unknown as Parameter[]).filter(
    (each) => each.in === 'query',
  )

const queryOfSubject = ({ document, route }: Subject) => queryOf(document, route.method, route.path)

describe('default of a query parameter', () => {
  test.each([
    // "limit (1-100, default 25); sort (…; default created_at); order (asc, desc; default desc)"
    ['catalog', '/products', { limit: 25, sort: 'created_at', order: 'desc' }],
    ['catalog', '/activities', { limit: 25, sort: 'created_at', order: 'desc' }],
    // "limit (default 25, max 100), offset"
    ['forms', '/api/v1/forms', { limit: 25 }],
    ['forms', '/api/v1/forms/{formId}/responses', { limit: 25 }],
    // "page (default 1), per_page (default 20, max 100)"
    ['payments', '/payment-links', { page: 1, per_page: 20 }],
    ['payments', '/transactions', { page: 1, per_page: 20 }],
    ['payments', '/reports/settlements', { page: 1, per_page: 20 }],
    // "group_by (day, week, month; default day)"
    ['payments', '/reports/revenue', { group_by: 'day' }],
    // "lim (default 10, max 100), off (default 0)"
    ['integration-payments', '/v1/payment-links', { lim: 10, off: 0 }],
  ])('of %s GET %s is published', (interfaceName, path, defaults) => {
    const query = queryOfSubject(subjectOf(interfaceName, 'GET', path))
    for (const [name, value] of Object.entries(defaults)) {
      const parameter = query.find((each) => each.name === name)
      expect(parameter, name).toMatchObject({ required: false, schema: { default: value } })
    }
  })

  // "Page size: 1-100; default 25: all list operations", "All lists accept page (default 1) and per_page (default 25)"
  const PAGED = SUBJECTS.filter(
    (subject) =>
      ['signage', 'crm', 'recruiting', 'tax-invoicing'].includes(subject.route.interface) &&
      queryOfSubject(subject).some(({ name }) => name === 'per_page'),
  )

  test.each(PAGED.map((subject) => [subject.title, subject] as const))(
    'of a page of %s is published',
    (_title, subject) => {
      const query = queryOfSubject(subject)
      for (const [name, value] of Object.entries({ page: 1, per_page: 25 })) {
        expect(query.find((each) => each.name === name)).toMatchObject({
          required: false,
          schema: { default: value },
        })
      }
    },
  )

  test.each(SUBJECTS.map((subject) => [subject.title, subject] as const))(
    'of %s is the one that the server applies',
    (_title, subject) => {
      const { properties = {} } = (subject.route.schema.querystring ?? {}) as {
        properties?: Readonly<Record<string, { default?: unknown }>>
      }
      const applied = Object.entries(properties).map(([name, schema]) => [name, schema.default])
      const published = queryOfSubject(subject).map(({ name, schema }) => [name, schema.default])
      expect(Object.fromEntries(published)).toEqual(Object.fromEntries(applied))
    },
  )
})

interface Field {
  readonly description?: string
  readonly 'x-default'?: unknown
}

const fieldOf = (interfaceName: string, method: string, path: string, name: string): Field => {
  const { document } = subjectOf(interfaceName, method, path)
  const schema = bodyOf(document, method, path)
  return (schema?.properties?.[name] ?? {}) as Field
}

describe('default of a field of a body', () => {
  test.each([
    ['catalog', '/products', 'status', 'active'],
    ['catalog', '/products', 'hasVariants', false],
    ['catalog', '/products', 'sortOrder', 0],
    ['catalog', '/activities', 'priority', 'medium'],
    ['crm', '/contacts/import', 'duplicate_strategy', 'skip'],
    ['integration-payments', '/v1/customers/{id}/vault', 'paymentProvider', 'processor_a'],
    ['integration-payments', '/v1/collections/links', 'isTest', false],
  ])('of %s POST %s, %s, is published in words and as x-default', (interfaceName, path, name, value) => {
    const field = fieldOf(interfaceName, 'POST', path, name)
    expect(field['x-default']).toBe(value)
    expect(field.description).toContain(`Default is ${String(value)}.`)
    expect(field).not.toHaveProperty('default')
  })

  test('is published as assumed if the specification shows it only for another operation', () => {
    expect(fieldOf('integration-payments', 'POST', '/v1/collections/payment-links', 'isTest')).toMatchObject({
      'x-default': false,
      description: 'Default is false (assumed).',
    })
  })

  test.each([
    ['catalog', '/products', 'currency', 'the currency of the workspace'],
    ['catalog', '/products', 'ownerId', 'the user of the API key'],
    ['catalog', '/activities', 'ownerId', 'the user of the API key'],
    ['payments', '/transactions/{transaction_id}/refund', 'amount', 'the remaining amount'],
  ])('of %s POST %s, %s, is published in words if it depends on other data', (...[of, path, name, words]) => {
    expect(fieldOf(of, 'POST', path, name).description).toMatch(new RegExp(`Default.* ${words}`))
  })

  test('of a new record is no default of an update', () => {
    expect(fieldOf('catalog', 'PUT', '/products/{id}', 'status')).not.toHaveProperty('x-default')
  })
})
