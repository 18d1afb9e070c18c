/** HAR files of other programs: what is wrong in them is a clear error, and not a crash. */
import { describe, expect, test } from 'vitest'
import { readCapture } from '../../src/exchanges/capture.ts'
import { VerifyOptionsError } from '../../src/options.ts'
import type { Operation } from '../../src/model/operation.ts'
import { AT } from '../../../../test/support/verifyReport.ts'

const operation = {
  interface: 'crm',
  id: 'listContacts',
  method: 'GET',
  path: '/contacts',
  address: 'GET /contacts',
  inPath: [],
  inQuery: [],
  published: { responses: {} },
} as unknown as Operation

const BASE = 'https://suite.example.com/crm/v1'

interface Changes {
  readonly entry?: object
  readonly request?: object
  readonly response?: object
}

const harWith = ({ entry, request, response }: Changes = {}) => ({
  log: {
    entries: [
      {
        startedDateTime: AT,
        request: { method: 'GET', url: `${BASE}/contacts`, ...request },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: { text: '{"data":[]}', mimeType: 'application/json' },
          ...response,
        },
        ...entry,
      },
    ],
  },
})

const read = (har: unknown) => readCapture(har, [operation], new Map([['crm', BASE]]))

describe('a capture', () => {
  test.each<[string, Changes]>([
    ['everything', {}],
    ['no headers and no content', { response: { headers: undefined, content: undefined } }],
    ['a time with an offset', { entry: { startedDateTime: '2026-11-26T11:00:00.000+01:00' } }],
    ['a body that is no JSON', { response: { content: { text: '<html>' } } }],
    ['a request with a body', { request: { postData: { text: '{}' } } }],
  ])('can have %s', (_, changes) => {
    const { answers, foreign } = read(harWith(changes))
    expect({ count: answers.exchanges.length, foreign }).toEqual({ count: 1, foreign: 0 })
  })

  test.each<[string, Changes]>([
    ['no time', { entry: { startedDateTime: undefined } }],
    ['a time that is a number', { entry: { startedDateTime: 1_764_150_000 } }],
    ['a time that is none', { entry: { startedDateTime: 'yesterday' } }],
    ['a time without a time zone', { entry: { startedDateTime: '2026-11-26T10:00:00' } }],
    ['a duration that is a text', { entry: { time: 'long' } }],
    ['no request', { entry: { request: null } }],
    ['no URL', { request: { url: '/contacts' } }],
    ['a body that is null', { request: { postData: null } }],
    ['a body that is no text', { request: { postData: { text: 5 } } }],
    ['no response', { entry: { response: undefined } }],
    ['a status that is a text', { response: { status: '200' } }],
    ['a status with decimals', { response: { status: 200.5 } }],
    ['headers that are an object', { response: { headers: {} } }],
    ['a header that is null', { response: { headers: [null] } }],
    ['a header whose name is a number', { response: { headers: [{ name: 1, value: 'x' }] } }],
    ['a header without a value', { response: { headers: [{ name: 'x' }] } }],
    ['content that is null', { response: { content: null } }],
    ['a text that is a number', { response: { content: { text: 7, encoding: 'base64' } } }],
    ['a media type that is a list', { response: { content: { text: '', mimeType: [] } } }],
  ])('is refused because of %s', (_, changes) => {
    const found = expect(() => read(harWith(changes)))
    found.toThrow(VerifyOptionsError)
    found.toThrow('log.entries[0] must have startedDateTime')
  })
})
