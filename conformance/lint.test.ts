/** Two linters that integrators use find no problems in the published documents. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { everyDocument } from '../test/support/documents.ts'

const DOCUMENTS = everyDocument().map(({ name, document }) => [name, JSON.stringify(document)] as const)

/** Paths of the specification that a router distinguishes by their fixed parts. */
const AMBIGUOUS =
  /Found two ambiguous paths: `[\w/]*\/candidates\/\{candidate_id\}\/notes` and `[\w/]*\/candidates\/import\/\{import_id\}`/

test.each(DOCUMENTS)('finds no problems with Redocly in the document of %s', async (_name, source) => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source,
    absoluteRef: 'openapi.json',
    config,
  })
  expect(
    problems
      .filter(({ message }) => !AMBIGUOUS.test(message))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${String(location[0]?.pointer)}`),
  ).toEqual([])
})

/** The types of Spectral do not accept its own ruleset. */
const RULES = { extends: [[oas as unknown as RulesetDefinition, 'recommended']] } satisfies RulesetDefinition

test.each(DOCUMENTS)('finds no problems with Spectral in the document of %s', async (_name, source) => {
  const linter = new spectral.Spectral()
  linter.setRuleset(RULES)
  const problems = await linter.run(source)
  expect(
    problems.map(({ code, message, path }) => `${String(code)}: ${message} at ${path.join('/')}`),
  ).toEqual([])
})

test('finds the problems of a faulty document with both linters', async () => {
  const [, document = ''] = DOCUMENTS[0] ?? []
  const broken = JSON.parse(document) as { paths: Record<string, { get: object }> }
  broken.paths['/anything'] = { get: { responses: {}, parameters: [{ in: 'path', name: 'no' }] } }
  const source = JSON.stringify(broken)
  const config = await createConfig({ extends: ['recommended'] })
  const linter = new spectral.Spectral()
  linter.setRuleset(RULES)
  expect(await lintFromString({ source, absoluteRef: 'openapi.json', config })).not.toEqual([])
  expect(await linter.run(source)).not.toEqual([])
})
