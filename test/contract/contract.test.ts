/** Tests the response checker of the test suite: a response that differs from the document fails. */
import { Type } from '@sinclair/typebox'
import { expect, test } from 'vitest'
import { COMMON_REFUSALS } from '../../src/http/definition/dialect.ts'
import type { MountedRoute } from '../../src/http/definition/definition.ts'
import { documented } from '../../src/state/model/fidelity.ts'
import { makeContract, type Answer } from '../support/contract.ts'
import { loadedInterface } from '../support/definitions.ts'

const Pet = Type.Object({
  id: Type.String(),
  born: Type.Optional(Type.String({ format: 'date-time' })),
  secret: Type.Optional(Type.String({ writeOnly: true })),
})

const route = (
  method: string,
  path: string,
  answers: MountedRoute['operation']['answers'],
): MountedRoute => ({
  interface: 'pets',
  method,
  path,
  schema: method === 'POST' ? { body: Type.Object({ name: Type.String() }) } : {},
  operation: { id: method + path, summary: '', tag: 'Pets', fidelity: documented, answers },
})

const contract = makeContract({
  definition: loadedInterface({
    name: 'pets',
    title: 'Pets',
    description: 'Pets.',
    basePath: '/pets',
    resources: [],
    dialect: {
      credential: { kind: 'bearer' },
      refusals: COMMON_REFUSALS,
      body: ({ code }) => ({ error: code }),
      errorSchema: Type.Object({ error: Type.String() }),
    },
  }),
  routes: [
    route('GET', '/{id}', { 200: Type.Object({ data: Pet }) }),
    route('GET', '/search', { 200: Type.Object({ found: Type.Array(Pet) }) }),
    route('POST', '/', { 201: Pet }),
    route('DELETE', '/{id}', { 204: null }),
  ],
})

const check = (more: Partial<Answer>): (() => void) => {
  const answer = {
    method: 'GET',
    url: '/pets/1',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: '{"data":{"id":"1"}}',
    sent: undefined,
    ...more,
  }
  return () => {
    contract.check(answer)
  }
}

test.each<[string, Partial<Answer>]>([
  ['the documented response', {}],
  ['an optional field', { text: '{"data":{"id":"1","born":"2026-01-31T09:30:00.000Z"}}' }],
  ['a path with a query', { url: '/pets/1?a=b' }],
  ['a fixed path before a parameter', { url: '/pets/search', text: '{"found":[]}' }],
  ['a documented error', { status: 404, text: '{"error":"not_found"}' }],
  ['a path that no operation has', { url: '/pets/1/toys', status: 404, text: '{"error":"not_found"}' }],
  [
    'a method that the path does not have',
    { method: 'PUT', status: 405, text: '{"error":"method_not_allowed"}' },
  ],
  ['no body', { method: 'DELETE', status: 204, contentType: undefined, text: '' }],
  [
    'the request body',
    { method: 'POST', url: '/pets/', status: 201, text: '{"id":"1"}', sent: { name: 'x' } },
  ],
])('accepts %s', (_what, answer) => {
  expect(check(answer)).not.toThrow()
})

test.each<[string, Partial<Answer>, RegExp]>([
  ['an undocumented status', { status: 202 }, /status 202 is not documented/],
  ['an undocumented field', { text: '{"data":{"id":"1","age":3}}' }, /additional properties/],
  [
    'an undocumented field next to the envelope',
    { text: '{"data":{"id":"1"},"meta":{}}' },
    /additional properties/,
  ],
  ['a missing field', { text: '{"data":{}}' }, /required property 'id'/],
  ['a field of another type', { text: '{"data":{"id":1}}' }, /must be string/],
  ['a field of another format', { text: '{"data":{"id":"1","born":"yesterday"}}' }, /format "date-time"/],
  ['a field that only requests have', { text: '{"data":{"id":"1","secret":"x"}}' }, /additional properties/],
  ['another content type', { contentType: 'text/html' }, /content type text\/html is not documented/],
  ['no content type', { contentType: undefined }, /content type {2}is not documented/],
  ['an error of another shape', { status: 404, text: '{"message":"gone"}' }, /required property 'error'/],
  ['a body that should be empty', { method: 'DELETE', status: 204, text: '{}' }, /has a body/],
  ['a success without an operation', { url: '/pets/1/toys' }, /status 200 where there is no operation/],
  [
    'a wrong shape without an operation',
    { url: '/pets/1/toys', status: 404, text: '{"message":"?"}' },
    /required property 'error'/,
  ],
  [
    'a success for a request body that the document forbids',
    { method: 'POST', url: '/pets/', status: 201, text: '{"id":"1"}', sent: { name: 1 } },
    /what was taken/,
  ],
])('refuses %s', (_what, answer, words) => {
  expect(check(answer)).toThrow(words)
})
