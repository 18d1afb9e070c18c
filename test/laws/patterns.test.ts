/** Every pattern in a schema, internal or published, matches in linear time. */
import { Linter } from 'eslint'
import regexp from 'eslint-plugin-regexp'
import { expect, test } from 'vitest'
import { contractOf } from '../support/contract.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { buildApp, INTERFACES } from '../support/subject.ts'

const linter = new Linter()

/** The findings of the rules in .oxlintrc.jsonc for the pattern, as validators compile it. */
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

test('has no pattern that backtracks superlinearly', async () => {
  const app = await buildApp()
  const wires = await Promise.all(INTERFACES.map((entry) => entry.load()))
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

test('detects a slow pattern', () => {
  expect(verdict('^[^\\n]*\\S[^\\n]*$')).not.toEqual([])
  expect(verdict('\\s+$')).not.toEqual([])
})
