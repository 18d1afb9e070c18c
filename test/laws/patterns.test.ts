/** No expression of any schema takes longer than in proportion to its text: neither a checked nor a published one. */
import { Linter } from 'eslint'
import regexp from 'eslint-plugin-regexp'
import { expect, test } from 'vitest'
import { contractOf } from '../support/contract.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { buildApp, INTERFACES } from '../support/subject.ts'

const linter = new Linter()

/** What the rules of .oxlintrc.jsonc say about the pattern, as validators compile it. */
const verdict = (pattern: string): string[] =>
  linter
    .verify(`export const pattern = ${String(new RegExp(pattern, 'u'))}`, {
      plugins: { regexp },
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      },
    })
    .map(({ message }) => message)

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  const { pattern, patternProperties } = value as { pattern?: unknown; patternProperties?: object }
  if (typeof pattern === 'string') yield pattern
  yield* Object.keys(patternProperties ?? {})
  for (const member of Object.values(value)) yield* patternsIn(member)
}

test('no pattern of a schema backtracks superlinearly', async () => {
  const app = await buildApp()
  const wires = await Promise.all(INTERFACES.map((entry) => entry.wire()))
  const all = [...PUBLISHED, CONTROL]
  const patterns = new Set([
    ...patternsIn(all.map((published) => contractOf(published).document)),
    ...patternsIn(all.flatMap(({ routes }) => routes.map(({ schema }) => schema))),
    ...patternsIn(wires.map(({ triggers = [] }) => triggers)),
    ...patternsIn(app.records.sections()),
  ])
  await app.close()
  expect(patterns.size).toBeGreaterThan(10)
  const slow = [...patterns].flatMap((pattern) => verdict(pattern).map((why) => `${pattern}: ${why}`))
  expect(slow).toEqual([])
})

test('the checker knows a slow one', () => {
  expect(verdict('^[^\\n]*\\S[^\\n]*$')).not.toEqual([])
  expect(verdict('\\s+$')).not.toEqual([])
})
