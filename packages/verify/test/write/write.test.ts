/** Write mode against a second simulator: it finds what differs, nothing else, and cleans up after itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Report, Baseline } from '../../src/index.ts'
import { SCENARIOS } from '../../src/write/scenarios/index.ts'
import type { Answer } from '../../../mutate/test/drift/kind.ts'
import { Baselines } from '../../../mutate/test/drift/baselines.ts'
import {
  runWriting,
  startProxy,
  startService,
  type SeenCall,
  type Service,
  type WritingRun,
} from '../../../../test/support/writing.ts'

const ALL = Object.entries(SCENARIOS).flatMap(([name, { scenarios }]) =>
  scenarios.map(({ resource }) => `${name}.${resource}`),
)

const baselines = new Baselines()
let service: Service
let baseline: Baseline
let ledgers: string

beforeAll(async () => {
  ledgers = mkdtempSync(join(tmpdir(), 'suite-sim-ledgers-'))
  service = await startService()
  baseline = await baselines.of()
})

/** Empties the journal. */
beforeEach(() => service.forget())

afterAll(async () => {
  rmSync(ledgers, { recursive: true, force: true })
  await baselines.close()
  await service.close()
})

/** Only the test of a whole run needs the reads. */
const run = (options: WritingRun): Promise<Report> =>
  runWriting({ service, baseline, ledgers }, { reads: false, ...options })

const writes = async (): Promise<string[]> =>
  (await service.calls()).filter((call) => !call.startsWith('GET ')).map((call) => call.split('?')[0] ?? '')

const shown = ({ differences }: Report) =>
  differences.map(({ oracle, operation, place, message, expected, actual }) => ({
    oracle,
    operation,
    place,
    message,
    expected,
    actual,
  }))

test('finds no difference in another simulator, with all resources', async () => {
  const report = await run({ allow: ALL, reads: true })
  expect(shown(report)).toEqual([])
  expect(report.run).toMatchObject({ mode: 'write', endedEarly: null })
  const unwritten = report.notChecked.filter(({ what }) => /^(?:POST|PUT|PATCH|DELETE) /.test(what))
  const uncovered = Object.values(SCENARIOS).flatMap((each) => Object.values(each.uncovered))
  expect(unwritten.map(({ why }) => why).toSorted()).toEqual(uncovered.toSorted())

  // What reads cannot show now has a verdict.
  const agrees = (kind: string) =>
    report.claims.filter((claim) => claim.kind === kind && claim.verdict === 'agrees').length
  for (const kind of ['request', 'move', 'default', 'bound', 'field', 'status'])
    expect(agrees(kind), kind).toBeGreaterThan(0)
  expect(report.claims).toContainEqual(
    expect.objectContaining({ claim: 'move crm.deal win', verdict: 'agrees', isCheckable: true }),
  )
  expect(report.claims).toContainEqual(
    expect.objectContaining({ claim: 'request POST /contacts/import body', isCheckable: false }),
  )

  expect(report.written?.deleted).toBeGreaterThan(20)
  const remaining = new Set(
    report.written?.remaining.map(({ record }) => record.split(' ').slice(0, 2).join(' ')),
  )
  expect([...remaining].toSorted()).toEqual([
    'conversations conversations',
    'crm activities',
    'crm deals',
    'forms forms',
    'integration-payments customers',
    'lite-invoicing invoices',
    'meetings meetings',
    'tax-invoicing invoices',
    'tax-invoicing payment-receipts',
    'tax-invoicing webhooks',
  ])
  expect(report.notes?.join(' ')).toMatch(/deleted product stays.*starts the automations of the account/s)
})

describe('without --allow', () => {
  test('creates nothing that no call deletes', async () => {
    const before = await service.snapshot()
    const report = await run({})
    expect(shown(report)).toEqual([])
    expect(report.written?.remaining).toEqual([])
    const calls = await writes()
    for (const path of [
      '/crm/v1/deals',
      '/crm/v1/activities',
      '/forms/api/v1/forms',
      '/integration-pay/v1/customers',
      '/einvoicing/v1/invoices',
      '/einvoicing/v1/payment-receipts',
      '/einvoicing/v1/webhooks',
      '/einvoice-external/invoicing/lite',
      '/chat/api/v1/accounts/1/conversations',
      '/meetings/public/meetings',
    ])
      expect(calls, path).not.toContain(`POST ${path}`)
    expect(calls).toContain('POST /crm/v1/contacts')
    const after = await service.snapshot()
    for (const [area, section] of [
      ['crm', 'deals'],
      ['crm', 'contacts'],
      ['crm', 'pipelines'],
      ['meetings', 'meetings'],
      ['webhooks', 'subscriptions'],
    ] as const)
      expect(after[area]?.[section], section).toEqual(before[area]?.[section])
    expect(report.notChecked).toContainEqual(
      expect.objectContaining({ what: 'POST /deals', why: 'it needs --allow deals' }),
    )
  })

  test('one allowed resource leaves the others out', async () => {
    await run({ interfaces: ['crm'], allow: ['activities'] })
    const calls = await writes()
    expect(calls).toContain('POST /crm/v1/activities')
    expect(calls).not.toContain('POST /crm/v1/deals')
  })
})

test('without a confirmation nothing is stamped or sent', async () => {
  const interfaces = ['tax-invoicing', 'lite-invoicing', 'conversations', 'meetings'] as const
  const report = await run({ interfaces, allow: ALL, confirms: false })
  expect(shown(report)).toEqual([])
  const calls = await writes()
  expect(calls.filter((call) => /invoic(?:es|ing)\/?|receipts|participants|agents|send/.test(call))).toEqual(
    calls.filter((call) => /\/einvoicing\/v1\/(?:clients|products|webhooks)/.test(call)),
  )
  // A private note is sent to no address.
  expect(calls.filter((call) => call.endsWith('/messages'))).toHaveLength(1)
  expect(report.notChecked).toContainEqual(
    expect.objectContaining({ what: 'POST /invoices', why: 'nobody confirmed "stamp"' }),
  )
})

test('each confirmation is asked for once in each scenario', async () => {
  const questions: string[] = []
  const confirm = (question: string, word: string): Promise<boolean> => {
    questions.push(`${word}: ${question}`)
    return Promise.resolve(word === 'send')
  }
  await run({ interfaces: ['conversations', 'meetings'], allow: ALL, hooks: { confirm } })
  expect(questions.map((question) => question.replace(/^(\w+).*\((.+)\)$/, '$1 $2'))).toEqual([
    'send conversations conversations',
    'send conversations agents',
    'send meetings meetings',
  ])
})

describe('finds', () => {
  type Json = Record<string, unknown>
  type Change = (call: SeenCall, answer: Answer & { json: Json }) => Answer | null

  const changed = async (
    change: Change,
    interfaces: readonly InterfaceName[],
    allow: readonly string[] = [],
    rewrite: (call: SeenCall, body: string) => string = (_, body) => body,
  ) => {
    const proxy = await startProxy({
      target: service.url,
      rewrite,
      change: (call, answer) => change(call, answer as Answer & { json: Json }) ?? answer,
    })
    try {
      return await run({ url: proxy.url, interfaces, allow })
    } finally {
      await proxy.close()
    }
  }

  const isCall = ({ method, url }: SeenCall, address: string): boolean =>
    address === `${method} ${url.split('?')[0]?.replace(/_[A-Za-z\d]{20}\b/, '_ID') ?? ''}`

  test.each([
    {
      name: 'another value in the answer to a creation',
      change: (call, answer) =>
        isCall(call, 'POST /crm/v1/contacts') && answer.status === 201
          ? { ...answer, json: { ...answer.json, position: 'Seller' } }
          : null,
      found: {
        claim: 'field POST /contacts 201.position',
        operation: 'POST /contacts',
        oracle: 'story',
        expected: 'Buyer',
        actual: 'Seller',
      },
    },
    {
      name: 'a change that the answer does not show',
      change: (call, answer) =>
        isCall(call, 'PATCH /crm/v1/contacts/con_ID') && answer.status === 200
          ? { ...answer, json: { ...answer.json, company: 'Suite Simulator' } }
          : null,
      found: { place: 'PATCH /contacts/{contact_id} 200.company', actual: 'Suite Simulator' },
    },
    {
      name: 'another status of a creation',
      change: (call, answer) =>
        isCall(call, 'POST /crm/v1/contacts') && answer.status === 201 ? { ...answer, status: 200 } : null,
      found: { operation: 'POST /contacts', oracle: 'story', expected: 201, actual: 200 },
    },
    {
      name: 'a refusal with another code',
      change: (call, answer) =>
        answer.status === 409 && isCall(call, 'POST /crm/v1/contacts')
          ? { ...answer, json: { error: { ...(answer.json['error'] as Json), code: 'already_exists' } } }
          : null,
      found: { operation: 'POST /contacts', aspect: 'refusal' },
    },
    {
      name: 'a body that is accepted',
      change: (call, answer) =>
        answer.status === 422 && isCall(call, 'PATCH /crm/v1/contacts/con_ID')
          ? { ...answer, status: 200, json: {} }
          : null,
      found: { operation: 'PATCH /contacts/{contact_id}', aspect: 'refusal' },
    },
    {
      name: 'a body that is refused',
      change: (call, answer) =>
        answer.status === 200 && isCall(call, 'PATCH /crm/v1/contacts/con_ID')
          ? { ...answer, status: 422, json: { error: { code: 'validation_error', message: 'No.' } } }
          : null,
      found: { operation: 'PATCH /contacts/{contact_id}', aspect: 'accepts' },
    },
    {
      name: 'a move that ends in another state',
      allow: ['deals'],
      change: (call, answer) =>
        isCall(call, 'POST /crm/v1/deals/deal_ID/won') && answer.status === 200
          ? { ...answer, json: { ...answer.json, status: 'open' } }
          : null,
      found: { claim: 'move crm.deal win', expected: 'won', actual: 'open' },
    },
    {
      name: 'a record that is still there after its deletion',
      change: (call, answer) =>
        call.method === 'GET' && isCall(call, 'GET /crm/v1/contacts/con_ID') && answer.status === 404
          ? { ...answer, status: 200, json: {} }
          : null,
      found: { operation: 'GET /contacts/{contact_id}', aspect: 'refusal', oracle: 'story' },
    },
    {
      name: 'another default',
      change: (call, answer) =>
        isCall(call, 'POST /workspace/public/v1/products') && answer.status === 201
          ? { ...answer, json: { data: { ...(answer.json['data'] as Json), hasVariants: true } } }
          : null,
      interfaces: ['catalog'],
      found: { claim: 'default ProductBody.hasVariants false', expected: false, actual: true },
    },
    {
      name: 'a row of a filtered list that is another record',
      change: (call, answer) =>
        call.url.includes('tag=suite-sim') ? { ...answer, json: { ...answer.json, data: [] } } : null,
      found: { operation: 'GET /contacts', oracle: 'story' },
    },
    {
      name: 'a change that does not move the time of the last change',
      change: (call, answer) =>
        call.url.includes('/crm/v1/contacts') && typeof answer.json['updated_at'] === 'string'
          ? { ...answer, json: { ...answer.json, updated_at: answer.json['created_at'] } }
          : null,
      found: { place: 'PATCH /contacts/{contact_id} 200.updated_at', oracle: 'story' },
    },
    {
      name: 'a time of the last change in seconds that does not move',
      interfaces: ['conversations'],
      allow: ['conversations'],
      change: (call, answer) =>
        call.url.includes('/conversations') && typeof answer.json['updated_at'] === 'number'
          ? { ...answer, json: { ...answer.json, updated_at: answer.json['created_at'] } }
          : null,
      found: { place: 'PATCH /accounts/{account_id}/conversations/{id} 200.updated_at', oracle: 'story' },
    },
    {
      name: 'a list that has the time of the last change from before a change',
      change: (call, answer) =>
        isCall(call, 'GET /crm/v1/contacts') && call.url.includes('search=')
          ? {
              ...answer,
              json: {
                ...answer.json,
                data: (answer.json['data'] as Json[]).map((row) => ({
                  ...row,
                  updated_at: row['created_at'],
                })),
              },
            }
          : null,
      found: { place: 'GET /contacts 200.data[].updated_at', oracle: 'story' },
    },
    {
      name: 'an enum value in another case that a change accepts',
      rewrite: ({ method }, body) => (method === 'PATCH' ? body.replace('"LOOP"', '"loop"') : body),
      interfaces: ['signage'],
      found: {
        operation: 'PATCH /playlists/{playlist_id}',
        aspect: 'refusal',
        message: 'The service accepts a call that the simulator refuses, in the story of playlists.',
      },
    },
    {
      name: 'an enum value in another case that a creation accepts',
      rewrite: ({ method }, body) => (method === 'POST' ? body.replace('"REMOTE"', '"remote"') : body),
      interfaces: ['recruiting'],
      found: { operation: 'POST /vacancies', aspect: 'refusal' },
    },
    {
      name: 'a list that still has the record from before a change',
      change: (call, answer) =>
        isCall(call, 'GET /crm/v1/contacts') && call.url.includes('search=')
          ? {
              ...answer,
              json: {
                ...answer.json,
                data: (answer.json['data'] as Json[]).map((row) => ({ ...row, company: 'Suite Simulator' })),
              },
            }
          : null,
      found: { place: 'GET /contacts 200.data[].company', expected: null, actual: 'Suite Simulator' },
    },
  ] as {
    name: string
    change?: Change
    rewrite?: (call: SeenCall, body: string) => string
    found: object
    interfaces?: InterfaceName[]
    allow?: string[]
  }[])('$name', async ({ change = () => null, rewrite, found, interfaces = ['crm'], allow }) => {
    const report = await changed(change, interfaces, allow, rewrite)
    const differences = report.differences.map(({ evidence, ...difference }) => ({
      ...difference,
      evidence: evidence.length,
    }))
    expect(differences).toContainEqual(expect.objectContaining({ ...found, status: 'differs' }))
  })
})
