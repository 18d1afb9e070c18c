/** The specification states almost no limits for CRM fields. The assumed limits are marked. */
import { expect, test } from 'vitest'
import { freshSales } from '../../support/deals.ts'

interface Schema {
  readonly [rule: string]: unknown
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Parameter {
  readonly name: string
  readonly schema: Schema
  readonly 'x-fidelity'?: string
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: Parameter[] }>>>>
}

const SIZES = ['maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'maxItems']

/** "Page size: 1-100", and the limits that are published as assumed (`x-limits`). */
const isKnown = (path: string, schema: Schema): boolean =>
  /\?(page|per_page)$/.test(path) ||
  schema['x-limits'] !== undefined ||
  String(schema['description']).includes('(assumed)')

function* unlabelled(path: string, schema: Schema): Generator<string> {
  if (schema['x-fidelity'] === 'assumed') return
  if (SIZES.some((size) => size in schema) && !isKnown(path, schema)) yield path
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* unlabelled(`${path}.${name}`, property)
  }
  if (schema.items) yield* unlabelled(`${path}[]`, schema.items)
  for (const each of schema.anyOf ?? []) yield* unlabelled(path, each)
}

test('marks every limit of the CRM as assumed', async () => {
  const { fresh } = await freshSales()
  const { components, paths } = (await fresh.call('GET', '/_sim/openapi/crm.json')).body as Document

  const sent = Object.entries(components.schemas).filter(([name]) => /(Create|Move|Won|Lost)$/.test(name))
  expect(sent).toHaveLength(9)
  const inBodies = sent.flatMap(([name, schema]) => [...unlabelled(name, schema)])
  const inQueries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters.flatMap(({ name, schema, 'x-fidelity': fidelity }) =>
        fidelity === 'assumed' ? [] : [...unlabelled(`${path}?${name}`, schema)],
      ),
    ),
  )

  expect([...inBodies, ...inQueries]).toEqual([])
})

test('marks as assumed that a webhook must be HTTPS', async () => {
  const { fresh } = await freshSales()
  const { components } = (await fresh.call('GET', '/_sim/openapi/crm.json')).body as Document
  const { url } = components.schemas['WebhookCreate']?.properties ?? {}
  expect(url?.['description']).toMatch(/^HTTPS.*\(assumed\)\.$/)
})
