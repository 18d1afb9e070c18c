/** Recordings and HAR files that people have edited, or got from others: no file runs code or reaches other workspaces. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INTERFACES } from '../../../../test/support/subject.ts'
import { testOf } from '../../src/replay/code/index.ts'
import { SLUG_PATHS, WORKSPACE_PATHS } from '../../src/replay/format/places.ts'
import { readRecording } from '../../src/replay/recordingFile.ts'
import { printable } from '@suite-sim/kit/terminal/problem'
import { FILES_PATH } from '../../../../src/http/server/parts.ts'
import { controlApp, makeWorkspace } from '../../../../test/control/app.ts'
import { runIn } from '../../../../test/support/packed.ts'
import { scratchFolder } from '../../../../test/support/process.ts'
import { fileWith } from '../../../../test/support/recordings.ts'
import { describeWith } from '../../../../test/support/toolchains.ts'

type Members = Record<string, unknown>

const STEP = {
  kind: 'call',
  at: '2026-01-31T12:00:00.000Z',
  interface: 'payments',
  operation: 'listLinks',
  method: 'GET',
  path: '/pay/v1/payment-links',
  origin: 'http://127.0.0.1:4012',
  headers: { accept: 'application/json' },
  status: 200,
  answer: { data: [] },
}

const CHANGE = { section: 'payments.links', id: 'pl_1', change: 'added', fields: [] }

const FILE = {
  format: 'suite-simulator-recording/1',
  id: 'rec_1',
  name: 'Checkout',
  version: '1.0.0',
  endedBy: null,
  workspace: {
    id: 'shop',
    accountId: 1,
    publicUrl: 'http://127.0.0.1:4012',
    ids: { seed: 'a', fixed: 'b' },
  },
  start: { at: STEP.at, settings: {}, faults: [], snapshot: { format: 1, users: [] } },
  steps: [STEP],
  end: {
    at: STEP.at,
    snapshot: { bytes: 1, sha256: 'x' },
    diff: { summary: {}, data: [CHANGE], isComplete: true },
  },
}

const withStep = (members: Members) => ({ ...FILE, steps: [{ ...STEP, ...members }] })
const withControl = (path: string) => withStep({ kind: 'control', method: 'DELETE', path })
const withChange = (change: unknown) => ({
  ...FILE,
  end: { ...FILE.end, diff: { ...FILE.end.diff, data: [change] } },
})
const CALLER = { name: '0a1b2c3d', user: 'u_1', scopes: ['*'], interfaces: ['*'], expiresAt: null }
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000)
const INJECTED = 'a=1;touch pwned;x'

test('a whole file is read, with every kind of step', () => {
  const own = '/_sim/workspaces/shop'
  const kinds = [
    { kind: 'clock', method: 'POST', path: `${own}/clock/advance`, body: { duration: 'P1D' } },
    { kind: 'control', method: 'PATCH', path: own, body: {} },
    { kind: 'trigger', method: 'POST', path: `${own}/triggers/payments.link.pay?x=..`, body: {} },
    { kind: 'page', path: '/pay/links/shop/pl_1' },
    { kind: 'call', path: '/crm/v1/contacts/%zz?q=/_sim/workspaces/other', caller: CALLER },
    { kind: 'call', path: '/crm/v1/contacts/..%2fx', status: 0 },
  ]
  const steps = kinds.map((each) => ({ ...STEP, ...each }))
  expect(readRecording(fileWith({ ...FILE, steps })).steps).toHaveLength(steps.length)
})

describe('a file is refused with the place if', () => {
  test.each([
    [
      'a control call',
      withControl('/_sim/workspaces/victim'),
      'steps[0].path must be /_sim/workspaces/shop or',
    ],
    ['it starts with the same characters', withControl('/_sim/workspaces/shopper'), 'steps[0].path must be'],
    ['it leaves by dots', withControl('/_sim/workspaces/shop/../victim'), 'steps[0].path must be'],
    ['encoded dots', withControl('/_sim/workspaces/shop/%2e%2E/victim'), 'steps[0].path must be'],
    ['encoded slashes', withControl('/_sim/workspaces/shop/..%2fvictim'), 'steps[0].path must be'],
    ['backslashes', withControl('/_sim/workspaces/shop/..\\victim'), 'steps[0].path must be'],
    ['all are reset', withControl('/_sim/reset'), 'steps[0].path must be'],
    [
      'a call',
      withStep({ path: '/_sim/workspaces/shop' }),
      'steps[0].path must be a path of an interface or a',
    ],
    ['a page', withStep({ kind: 'page', path: '/_sim/reset' }), 'steps[0].path must be a path of an'],
    [
      'a call with dots',
      withStep({ path: '/pay/v1/../../_sim/reset' }),
      'steps[0].path must be a path of an',
    ],
    ['a call with slashes', withStep({ path: '//_sim/reset' }), 'steps[0].path must be a path of an'],
    ['a call encodes it', withStep({ path: '/%5Fsim/reset' }), 'steps[0].path must be a path of an'],
    ['a key has code', withStep({ caller: { ...CALLER, name: INJECTED } }), 'steps[0].caller must have'],
    ['scopes are no list', withStep({ caller: { ...CALLER, scopes: 'x' } }), 'steps[0].caller must have'],
    ['scopes are no texts', withStep({ caller: { ...CALLER, scopes: [1] } }), 'steps[0].caller must have'],
    ['interfaces too', withStep({ caller: { ...CALLER, interfaces: [{}] } }), 'steps[0].caller must have'],
    ['a method has code', withStep({ method: 'GET;x' }), 'steps[0].method must be a method'],
    ['a status has code', withStep({ status: '200;x' }), 'steps[0].status must be 0 or a status from'],
    ['a status is large', withStep({ status: 600 }), 'steps[0].status must be 0 or a status from'],
    ['an origin is none', withStep({ origin: 5 }), 'steps[0].origin must be a URL'],
    ['an operation is none', withStep({ operation: 5 }), 'steps[0].operation and interface must be names'],
    ['an operation has codes', withStep({ operation: '\u001b[2J' }), 'steps[0].operation and interface'],
    ['a text is none', withStep({ text: 5 }), 'steps[0].text must be a text'],
    ['a location is none', withStep({ location: {} }), 'steps[0].location must be a text'],
    ['an answer is none', withStep({ answerText: 1 }), 'steps[0].answerText must be a text'],
    ['a header has a space', withStep({ headers: { 'x y': 'z' } }), 'steps[0].headers must be an object of'],
    [
      'a header has lines',
      withStep({ headers: { x: 'y\r\nz: 1' } }),
      'steps[0].headers must be an object of',
    ],
    [
      'a field is a path',
      withStep({ form: [{ name: 'a=@/etc/hosts;', value: '' }] }),
      'steps[0].form must be a',
    ],
    [
      'a trigger has no object',
      {
        ...FILE,
        steps: [{ ...STEP, kind: 'trigger', path: '/_sim/workspaces/shop/triggers/x', body: null }],
      },
      'steps[0].body must be the object of a trigger',
    ],
    ['a change is null', withChange(null), 'end.diff.data[0] must have the texts section and id'],
    [
      'a change has no fields',
      withChange({ section: 'a', id: 'b' }),
      'end.diff.data[0].fields must be a list',
    ],
    ['a field is null', withChange({ ...CHANGE, fields: [null] }), 'end.diff.data[0].fields must be a list'],
    [
      'the version has codes',
      { ...FILE, version: '\u001b]0;x\u0007' },
      'version must be a version such as 1.0.0',
    ],
    ['endedBy has codes', { ...FILE, endedBy: '\u001b[2J' }, 'endedBy must be null or the limit'],
    [
      'the id is a path',
      { ...FILE, workspace: { ...FILE.workspace, id: '../x' } },
      'workspace.id must be 1 to',
    ],
    [
      'an answer is deep',
      JSON.stringify(withStep({ answer: 'DEEP' })).replace('"DEEP"', DEEP),
      'must have at most 200 levels of lists and objects',
    ],
    [
      'a fault is none',
      { ...FILE, start: { ...FILE.start, faults: [1] } },
      'start.faults must be a list of objects',
    ],
    [
      'a HAR file has such a method',
      har({ method: '\u001b[2J' }),
      'log.entries[0].request must have a method',
    ],
  ])('%s', (_case, content, message) => {
    const file = fileWith(content)
    expect(() => readRecording(file)).toThrow(message)
    expect(() => readRecording(file)).toThrow(file)
  })
})

function har(members: Members, log: Members = {}) {
  const request = {
    method: 'get',
    url: 'https://api.example.com/pay/v1/payment-links',
    headers: [],
    ...members,
  }
  return { log: { entries: [{ request, response: { status: 200, content: {} } }], ...log } }
}

test('a HAR file loses the headers that can not be sent or have no effect', () => {
  const headers = [
    'x y',
    'dnt',
    'priority',
    'pragma',
    'via',
    'forwarded',
    'te',
    'x-real-ip',
    ':authority',
    'x-own',
  ]
  const file = fileWith(
    har({ headers: [...headers.map((name) => ({ name, value: '1' })), { name: 'x-lines', value: 'a\nb' }] }),
  )
  const [step] = readRecording(file).steps
  expect([step?.method, step?.headers]).toEqual(['GET', { 'x-own': '1' }])
})

test('the paths with a workspace are those of all pages', () => {
  const pages = INTERFACES.flatMap(({ pagesPath = [], framedPagesPath = [] }) =>
    [pagesPath, framedPagesPath].flat(),
  )
  const paths = [...WORKSPACE_PATHS, ...SLUG_PATHS]
  expect(paths.toSorted()).toEqual(['/_sim/workspaces', FILES_PATH, ...pages].toSorted())
})

test('a terminal gets no control characters except colors', () => {
  expect(printable('a\tb\r\nc\u001b[32md\u001b[39m')).toBe('a\tb\r\nc\u001b[32md\u001b[39m')
  expect(printable('\u001b[2J\u0007\u009b1m\rx\u001b]0;t')).toBe('\uFFFD[2J\uFFFD\uFFFD1m\uFFFDx\uFFFD]0;t')
})

describe('a written test', () => {
  test.each(['vitest', 'pytest', 'curl'] as const)(
    'for %s is written from odd but allowed values',
    (format) => {
      const own = '/_sim/workspaces/shop'
      const steps = [
        {
          path: '/pay/v1/payment-links?filter[a]=1&b={1,2}',
          answer: JSON.parse('{"__proto__": {"polluted": 1}}') as unknown,
        },
        { kind: 'trigger', method: 'POST', path: `${own}/triggers/%zz`, status: 404 },
        { method: 'POST', body: JSON.parse('{"__proto__": 1}') as unknown, status: 400 },
        { method: 'POST', text: '@/etc/hosts', status: 400 },
      ].map((each) => ({ ...STEP, ...each }))
      const recording = readRecording(fileWith({ ...FILE, name: 'a\u001b[2J\nb', steps }))
      const text = testOf(format, recording, 'x.json')
      expect(text).not.toContain('\u001b')
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
      if (format === 'vitest') expect(text).toContain("{ ['__proto__']: 1 }")
      else expect(text).not.toContain("--data-binary '@")
    },
  )
})

describeWith('curl', 'a script of another one', () => {
  test('sends no local file, and brackets as they are', async () => {
    const app = await controlApp({ ownApp: true })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { id, key } = await makeWorkspace(app)
    const path = `/workspaces/${id}`
    const { body } = await app.sim('POST', `${path}/recordings`)
    const { id: recording } = body as { id: string }
    await app.call('GET', '/pay/v1/payment-links?filter[a]={1,2}', key)
    await app.fastify.inject({
      method: 'POST',
      url: '/pay/v1/payment-links',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: '@secret.txt',
    })
    const folder = scratchFolder()
    writeFileSync(join(folder, 'secret.txt'), '{"amount":100,"currency":"USD"}')
    const stopped = await app.sim('POST', `${path}/recordings/${recording}/stop`)
    const script = testOf('curl', readRecording(fileWith(stopped.text)), 'x.json')
    writeFileSync(join(folder, 'test.sh'), script)
    const ended = await runIn(folder, ['sh', 'test.sh'], { SIM_URL: url })
    expect([ended.code, ended.stderr], readFileSync(join(folder, 'test.sh'), 'utf8')).toEqual([0, ''])
  })
})
