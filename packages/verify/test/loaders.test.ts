/**
 * What was read of a service is loaded into the simulator: the records are those of the service, and drift of computed
 * values, filters and searches shows.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { ServiceClient } from '../src/exchanges/serviceClient.ts'
import { LOADERS } from '../src/differential/loaders/index.ts'
import type { Loaded } from '../src/differential/loaders/loader.ts'
import { operationsOf } from '../src/model/operation.ts'
import { demoValues } from '../src/crawl/demoValues.ts'
import { crawl } from '../src/crawl/crawl.ts'
import type { Answer, Kind } from '../../mutate/test/drift/kind.ts'
import { startMutatingProxy } from '../../mutate/test/drift/proxy.ts'
import { readablesOf, type Readable } from '../../mutate/test/drift/readable.ts'
import { DEMO_KEY, startTarget, type Target } from '../../mutate/test/drift/target.ts'
import { startVerifying, type Verifying } from '../../mutate/test/drift/verifying.ts'

type Json = Record<string, unknown>
type Sections = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>

let target: Target
let verifying: Verifying
let readables: readonly Readable[]
let demo: Sections

async function json<Body>(path: string): Promise<Body> {
  return (await (await fetch(`${target.url}${path}`)).json()) as Body
}

beforeAll(async () => {
  target = await startTarget()
  verifying = startVerifying()
  verifying.explainNothing()
  await target.stopClock()
  readables = await readablesOf(target.url)
  demo = await json('/_sim/workspaces/demo/snapshot')
})

afterAll(async () => {
  await verifying.close()
  await target.close()
})

async function loadedOf(name: InterfaceName): Promise<Loaded> {
  const operations = operationsOf(name, await json(`/_sim/openapi/${name}.json`))
  const client = new ServiceClient({
    service: { baseUrl: target.url, key: DEMO_KEY },
    budget: Infinity,
    intervalMs: 0,
    mayWrite: false,
  })
  const known = { ...demoValues(operations), account_id: '1' }
  const { answers } = await crawl({ client, operations, known, probesAuth: false })
  const loader = LOADERS[name]
  if (!loader) throw new Error(`${name} has no loader`)
  return loader.load(answers, { knowsTimezone: true })
}

interface Section {
  /** The fields that identify a record; its id by default. Some records get ids of their own. */
  readonly by?: readonly string[]
  /** Fields that no call shows. */
  readonly hidden?: readonly string[]
  /** Whether only some records are shown. */
  readonly isPart?: boolean
}

const SECTIONS: Readonly<Record<string, Section>> = {
  'catalog.activityEntities': { by: ['activityId', 'entityType', 'entityId'], isPart: true },
  'conversations.inboxes': { hidden: ['createdAt', 'updatedAt'] },
  'conversations.teams': { hidden: ['createdAt', 'updatedAt'] },
  'conversations.conversations': { hidden: ['assigneeId'] },
  'conversations.messages': { hidden: ['senderId'] },
  'crm.pipelines': { hidden: ['createdAt', 'updatedAt'] },
  'crm.deals': { hidden: ['stageEnteredAt'] },
  'forms.forms': { hidden: ['slug'] },
  'integration-payments.links': { hidden: ['updatedAt'] },
  'lite-invoicing.taxpayers': { by: ['ruc'], hidden: ['id', 'createdAt'], isPart: true },
  'meetings.meetings': {
    by: ['publicMeetingId', 'language'],
    hidden: ['id', 'title', 'startsAt', 'organizerId', 'createdAt', 'updatedAt'],
    isPart: true,
  },
  'meetings.sessions': {
    by: ['summary', 'status'],
    hidden: ['id', 'meetingId', 'startedAt', 'endedAt', 'attendees', 'transcriptFileId', 'createdAt'],
    isPart: true,
  },
  'payments.refunds': { hidden: ['announced'] },
  'payments.settlements': { hidden: ['createdAt'] },
  'recruiting.applications': { by: ['vacancyId', 'candidateId'], hidden: ['id'] },
  'recruiting.stageChanges': {
    by: ['previousStage', 'newStage', 'notes', 'changedBy', 'changedAt'],
    hidden: ['id', 'applicationId', 'notificationSent'],
  },
  'recruiting.imports': { hidden: ['columns', 'source', 'tags'] },
  'recruiting.interviews': { hidden: ['organizerId', 'updatedAt'] },
  'signage.layoutZones': { by: ['layoutId', 'position'], hidden: ['id'] },
  'signage.media': { hidden: ['fileId', 'fileName'] },
  'signage.playlists': { hidden: ['shuffle'] },
  'signage.scheduleGroups': { by: ['scheduleId', 'groupId'] },
  'signage.scheduleRules': { by: ['scheduleId', 'position'], hidden: ['id'] },
  'signage.scheduleScreens': { by: ['scheduleId', 'screenId'] },
  'signage.screens': { hidden: ['statusSince', 'uptimeMs', 'uptimeAt', 'updatedAt'] },
  'tax-invoicing.cancellations': { by: ['invoiceId'], hidden: ['id'] },
  'tax-invoicing.receiptDocuments': { by: ['receiptId', 'position'], hidden: ['id'] },
  'tax-invoicing.series': { by: ['serie'], hidden: ['id', 'createdAt'] },
}

/** Decimals with and without zeros at the end, and the order of names, mean the same. */
const same = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)
    ? Number(value)
    : Array.isArray(value)
      ? value.map(same)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, same(each)]))
        : value

/** Agents are invitations to the loaded workspace, but users of the demo. */
const INVITED = 'conversations.agents'

describe('the records that are loaded', () => {
  test.each(INTERFACE_NAMES)('of %s are those of the service', async (name) => {
    const { snapshot, isComplete } = await loadedOf(name)
    expect(isComplete).toBe(true)
    const loaded = snapshot as Sections
    const sections = Object.entries(loaded[name] ?? {})
    expect(sections.length > 0 || loaded['webhooks']).toBeTruthy()
    for (const [section, rows] of sections) {
      const place = `${name}.${section}`
      if (place === INVITED) continue
      const { by = ['id'], hidden = [], isPart = false } = SECTIONS[place] ?? {}
      const keyOf = (record: Json): string => by.map((field) => String(record[field])).join(' ')
      const records = new Map((demo[name]?.[section] ?? []).map((record) => [keyOf(record), record]))
      if (isPart) expect(rows.length, place).toBeGreaterThan(0)
      else expect(new Set(rows.map(keyOf)), place).toEqual(new Set(records.keys()))
      for (const row of rows) {
        const fields = Object.keys(row).filter((field) => !hidden.includes(field))
        const record = records.get(keyOf(row))
        expect(record, `${place} ${keyOf(row)}`).toBeDefined()
        const [actual, expected] = [row, record].map((each) =>
          Object.fromEntries(fields.map((field) => [field, same(each?.[field])])),
        )
        expect(actual, `${place} ${keyOf(row)}`).toEqual(expected)
      }
    }
  })

  test('of another form than the document are left out, and the others are compared', async () => {
    const { differences } = await drifting('signage', 'GET /groups', ({ answer }) =>
      eachRecord(answer, (record) => {
        if (record['id'] === 'grp_demo0000000000000003') record['name'] = ''
      }),
    )
    const [left] = differences.filter(({ aspect }) => aspect === 'load:signage.groups')
    expect(left?.operation).toBe('GET /groups')
    expect(left?.message).toContain('signage.groups.0.name')
    expect(differences.filter(({ operation }) => !operation.startsWith('GET /groups'))).toEqual([])
  })
})

test.each(['crm', 'forms', 'recruiting', 'signage'] as const)(
  'a run through %s that ends early finds no difference',
  async (name) => {
    await target.stopClock()
    for (const budget of [12, 40, 75]) {
      const { differences } = await verifying.measure(target.url, name, budget)
      expect(differences, String(budget)).toEqual([])
    }
  },
)

/** Returns what a run finds if the answers of an operation, and of those below it, are others. */
async function drifting(name: InterfaceName, address: string, apply: Kind['apply']) {
  const [readable, ...also] = readables.filter(({ title }) => title.startsWith(`${name} ${address}`))
  if (!readable) throw new Error(`no operation ${name} ${address}`)
  const kind: Kind = { name: 'drift', drift: '', places: () => [''], apply }
  await target.stopClock()
  const proxy = await startMutatingProxy({ target: target.url, mutation: { kind, readable, at: '', also } })
  const found = await verifying.measure(proxy.url, name)
  expect(proxy.journal.changed).toBeGreaterThan(0)
  await proxy.close()
  return found
}

/** Changes every object with an id in an answer, or those with another field. */
function eachRecord(answer: Answer, change: (record: Json) => void, field = 'id'): Answer {
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (typeof value === 'object' && value !== null) {
      if (field in value && answer.status < 300) change(value as Json)
      Object.values(value).forEach(visit)
    }
  }
  visit(answer.json)
  return answer
}

/** Adds one to a figure wherever an answer has it. */
const plusOne =
  (field: string): Kind['apply'] =>
  ({ answer }) =>
    eachRecord(
      answer,
      (record) => {
        if (typeof record[field] === 'number') record[field] += 1
      },
      field,
    )

const DRIFTS: readonly (readonly [InterfaceName, string, string, Kind['apply']])[] = [
  [
    'catalog',
    'activities without a due date come last',
    'GET /activities',
    ({ call, answer }) => {
      const body = answer.json as { data?: Json[] }
      if (call.query.get('sort') === 'due_date' && body.data)
        body.data.sort((one, other) => Number(one['dueDate'] === null) - Number(other['dueDate'] === null))
      return answer
    },
  ],
  ['crm', 'another average of days', 'GET /reports/team', plusOne('average_days_to_close')],
  ['signage', 'another count of screens', 'GET /playlists', plusOne('screens_count')],
  ['recruiting', 'another average', 'GET /analytics/recruitment', plusOne('avg_time_to_hire_days')],
  [
    'forms',
    'another setting of one mode',
    'GET /api/v1/forms/{formId}',
    ({ answer }) =>
      eachRecord(answer, (record) => ((record['classic'] as Json)['showProgress'] = false), 'classic'),
  ],
  ['payments', 'another average', 'GET /reports/revenue', plusOne('average_amount')],
  [
    'integration-payments',
    'a filter by a hidden field without effect',
    'GET /v1/payment-links',
    async ({ call, answer, send }) => {
      if (answer.status >= 300) return answer
      const query = new URLSearchParams(call.query)
      query.delete('paymentProvider')
      return await send(call.path, query)
    },
  ],
  [
    'pos',
    'an address that the simulator would refuse',
    'GET /webhooks',
    ({ answer }) => eachRecord(answer, (record) => (record['url'] = 'ftp://receiver.example.com/pos')),
  ],
  ['tax-invoicing', 'another count of days', 'GET /reports/receivables', plusOne('days_overdue')],
  ['lite-invoicing', 'another check digit', 'GET /invoicing/ruc/info', plusOne('dv')],
  [
    'conversations',
    'another rule for answers',
    'GET /accounts/{account_id}/conversations',
    ({ answer }) =>
      eachRecord(answer, (record) => (record['can_reply'] = record['can_reply'] !== true), 'can_reply'),
  ],
  [
    'meetings',
    'a longer summary than the simulator has',
    'GET /public/meetings/{publicMeetingId}/summary',
    ({ answer }) => eachRecord(answer, (record) => (record['summary'] = 'a'.repeat(20_001)), 'summary'),
  ],
]

test('each interface has a drift', () => {
  expect(DRIFTS.map(([name]) => name).toSorted()).toEqual([...INTERFACE_NAMES].toSorted())
})

test.each(DRIFTS)('in %s, only the differential finds %s', async (name, _drift, address, apply) => {
  const { differences } = await drifting(name, address, apply)
  expect([...new Set(differences.map(({ oracle }) => oracle))]).toEqual(['differential'])
  for (const { operation } of differences) expect(operation).toContain(address)
})
