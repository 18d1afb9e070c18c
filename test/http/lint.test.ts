/** Two linters that integrators use find nothing to complain about in what is published. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { interfaceDocument, suiteDocument } from '../../src/http/openapi.ts'
import { CONTROL, PUBLISHED } from '../support/published.ts'

const OPTIONS = { serverUrl: 'http://127.0.0.1:4012', version: '1.0.0' }

function documentOf(name: string): string {
  const one = [...PUBLISHED, CONTROL].find(({ definition }) => definition.name === name)
  return JSON.stringify(one ? interfaceDocument(one, OPTIONS) : suiteDocument(PUBLISHED, OPTIONS))
}

const NAMES = [...[...PUBLISHED, CONTROL].map(({ definition }) => definition.name), 'the whole suite']

test.each(NAMES)('Redocly has nothing against the document of %s', async (name) => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source: documentOf(name),
    absoluteRef: 'openapi.json',
    config,
  })
  expect(
    problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} at ${String(location[0]?.pointer)}`,
    ),
  ).toEqual([])
})

/** Spectral types what a ruleset may be more narrowly than its own one is typed. */
const RULES = { extends: [[oas as unknown as RulesetDefinition, 'recommended']] } satisfies RulesetDefinition

test.each(NAMES)('Spectral has nothing against the document of %s', async (name) => {
  const linter = new spectral.Spectral()
  linter.setRuleset(RULES)
  const problems = await linter.run(documentOf(name))
  expect(
    problems.map(({ code, message, path }) => `${String(code)}: ${message} at ${path.join('/')}`),
  ).toEqual([])
})

test('both linters complain about a document that has something to complain about', async () => {
  const broken = JSON.parse(documentOf('catalog')) as { paths: Record<string, { get: object }> }
  broken.paths['/products'] = { get: { responses: {}, parameters: [{ in: 'path', name: 'no' }] } }
  const source = JSON.stringify(broken)
  const config = await createConfig({ extends: ['recommended'] })
  const linter = new spectral.Spectral()
  linter.setRuleset(RULES)
  expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([])
  expect(await linter.run(source)).not.toEqual([])
})
