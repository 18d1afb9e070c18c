import { expect, test } from 'vitest'
import { CONTROL, PUBLISHED } from '../support/published.ts'
import { interfaceDocument, suiteDocument } from '../support/subject.ts'
import { bytesOf, type Plan } from './request.ts'
import { Planner } from './generators/index.ts'
import type { AttackedWorkspace } from './attackedWorkspace.ts'
import { readSurface } from './surface.ts'

const PREY: AttackedWorkspace = {
  id: 'attacked',
  key: 'its-key',
  badKeys: ['a', 'b', 'c', 'd'],
  foreignIds: ['foreign-record-1'],
  sentForeignIds: new Set(),
  adminToken: 'token',
}

const options = { serverUrl: 'http://127.0.0.1:4012', version: '1.0.0' }
const answers: Readonly<Record<string, unknown>> = {
  '/_sim/openapi.json': suiteDocument(PUBLISHED, options),
  '/_sim/openapi/control.json': interfaceDocument(CONTROL, options),
  '/_sim/triggers': { data: [{ name: 'toy.thing.happen', body: { type: 'object', properties: {} } }] },
}
const surface = await readSurface((path) => Promise.resolve(answers[path]))

const sent = ({ stages }: Plan): string[] =>
  stages.flatMap(({ requests }) => requests.map((request) => bytesOf(request, 'host').toString('latin1')))

test('attacks every operation and every trigger', () => {
  const routes = [...PUBLISHED, CONTROL].flatMap((each) => each.routes)
  expect(surface.operations).toHaveLength(routes.length)
  expect(surface.operations.map(({ title }) => title)).toContain(
    'POST /_sim/workspaces/{id}/triggers/toy.thing.happen',
  )
})

test('generates the same case for the same seed, and another for a different one', () => {
  const plans = [
    new Planner(surface, PREY, 1),
    new Planner(surface, PREY, 1),
    new Planner(surface, PREY, 2),
  ].map((planner) => surface.operations.flatMap((operation) => sent(planner.plan(operation, 0))))
  expect(plans[1]).toEqual(plans[0])
  expect(plans[2]).not.toEqual(plans[0])
})

test('generates attacks of every kind, and no requests to existing hosts', () => {
  const planner = new Planner(surface, PREY, 1)
  const plans = surface.operations.flatMap((operation) =>
    Array.from({ length: 5 }, (_, number) => planner.plan(operation, number)),
  )
  const kinds = new Set(plans.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual([
    'body',
    'form',
    'framing',
    'head',
    'method',
    'path',
    'query',
    'sequence',
  ])
  expect(plans.flatMap(sent).filter((text) => text.includes('example.com'))).toEqual([])
})
