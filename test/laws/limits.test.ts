/** Every string, list and free-form value of a request has a limit, and the published documents state it. */
import { expect, test } from 'vitest'
import { limited, limitsOf } from '../../src/http/schemas/limits.ts'
import { contractOf } from '../support/contract.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { buildApp } from '../support/subject.ts'

type Words = Readonly<Record<string, unknown>>

/** Yields the paths in a schema that lack a limit. */
function* lacking(schema: unknown, where: string, refer: (name: string) => unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const words = schema as Words
  if (typeof words['$ref'] === 'string') {
    yield* lacking(refer(words['$ref'].split('/').at(-1) ?? ''), where, refer)
    return
  }
  const missing = Object.keys(limitsOf(words)).filter((word) => word !== 'x-limits')
  if (missing.length > 0) yield `${where}: ${missing.join(', ')}`
  if ('x-max-size' in words) return
  for (const word of ['items', 'additionalProperties', 'not'])
    yield* lacking(words[word], `${where}.${word}`, refer)
  for (const word of ['anyOf', 'oneOf', 'allOf', 'properties', 'patternProperties']) {
    for (const [name, held] of Object.entries(words[word] ?? {})) {
      yield* lacking(held, `${where}.${name}`, refer)
    }
  }
}

/** Snapshots are checked record by record against the tables. */
const ELSEWHERE = /^control (?:putSnapshot|createWorkspace)/

test.each([...PUBLISHED, CONTROL].map((published) => [published.definition.name, published] as const))(
  'publishes a limit for every request value of %s',
  (name, published) => {
    const { document } = contractOf(published)
    const refer = (component: string): unknown => document.components.schemas[component]
    const found = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => {
        const where = `${name} ${operation.operationId}`
        const bodies = Object.values((operation.requestBody?.['content'] ?? {}) as Record<string, Words>)
        const sent = [...bodies, ...((operation.parameters ?? []) as unknown as Words[])]
        return sent.flatMap(({ schema }) => [...lacking(schema, where, refer)])
      }),
    )
    expect(found.filter((where) => !ELSEWHERE.test(where))).toEqual([])
  },
)

test('limits every field of every record in a snapshot', async () => {
  const app = await buildApp()
  const sections = app.records.sections()
  await app.close()
  const found = Object.entries(sections).flatMap(([name, section]) => [
    ...lacking(limited(section), name, () => undefined),
  ])
  expect(found).toEqual([])
})
