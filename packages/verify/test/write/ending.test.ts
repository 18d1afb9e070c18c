/** The end of runs in write mode: however one ends, it deletes what it created, and records that in its ledger. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp, type Report, type Baseline } from '../../src/index.ts'
import { readLedger } from '../../src/write/ledger.ts'
import { withoutEntries, Baselines } from '../../../mutate/test/drift/baselines.ts'
import {
  runWriting,
  startProxy,
  startService,
  type Service,
  type WritingRun,
} from '../../../../test/support/writing.ts'

const baselines = new Baselines()
let service: Service
let baseline: Baseline
let ledgers: string

beforeAll(async () => {
  ledgers = mkdtempSync(join(tmpdir(), 'suite-sim-ledgers-'))
  service = await startService()
  baseline = withoutEntries(await baselines.of(['crm', 'pos']))
})

afterAll(async () => {
  rmSync(ledgers, { recursive: true, force: true })
  await baselines.close()
  await service.close()
})

const run = (options: WritingRun): Promise<Report> =>
  runWriting({ service, baseline, ledgers }, { reads: false, ...options })

describe('a run that ends early', () => {
  const sameContacts = async (before: Awaited<ReturnType<Service['snapshot']>>) => {
    const after = await service.snapshot()
    for (const section of ['contacts', 'pipelines'])
      expect(after['crm']?.[section]).toEqual(before['crm']?.[section])
  }

  test.each([2, 4, 14, 30])('with a budget of %i calls leaves nothing behind', async (budget) => {
    const before = await service.snapshot()
    const report = await run({ interfaces: ['crm'], budget })
    expect(report.run.requests).toBeLessThanOrEqual(budget)
    expect(report.written?.remaining).toEqual([])
    await sameContacts(before)
  })

  test.each([1, 5, 15])('after %i calls, because it was stopped, leaves nothing behind', async (count) => {
    const before = await service.snapshot()
    const stopping = new AbortController()
    const proxy = await startProxy({
      target: service.url,
      after: ({ number }) => {
        if (number === count) stopping.abort()
        return true
      },
    })
    const report = await run({ url: proxy.url, interfaces: ['crm'], hooks: { signal: stopping.signal } })
    await proxy.close()
    expect(report.run.endedEarly).toBe('the run was stopped')
    expect(report.written?.remaining).toEqual([])
    await sameContacts(before)
  })

  test('after an answer without a body deletes the record that it does not name', async () => {
    const before = await service.snapshot()
    const proxy = await startProxy({
      target: service.url,
      change: ({ method, url }, answer) =>
        method === 'POST' && url === '/crm/v1/contacts' && answer.status === 201
          ? { ...answer, status: 500, json: { error: { code: 'internal' } } }
          : answer,
    })
    const report = await run({ url: proxy.url, interfaces: ['crm'] })
    await proxy.close()
    expect(report.written?.remaining).toEqual([])
    await sameContacts(before)
  })

  test('deletes a record that the service should have refused', async () => {
    const before = await service.snapshot()
    const proxy = await startProxy({
      target: service.url,
      // The service accepts the second contact, under an address of its own.
      rewrite: ({ method, url }, body) =>
        method === 'POST' && url === '/crm/v1/contacts' && !body.includes('phone')
          ? body.replace('suite-sim-', 'other-suite-sim-').replace('{"email"', '{"name":"No name","email"')
          : body,
    })
    const report = await run({ url: proxy.url, interfaces: ['crm'] })
    await proxy.close()
    const refusals = report.differences.filter(({ aspect }) => aspect === 'refusal')
    expect(refusals.map(({ operation }) => operation)).toEqual(['POST /contacts', 'POST /contacts'])
    expect(report.written?.remaining).toEqual([])
    await sameContacts(before)
  })

  test('with a key that may not write says so', async () => {
    const proxy = await startProxy({
      target: service.url,
      change: ({ method }, answer) =>
        method === 'GET' ? answer : { ...answer, status: 403, json: { error: { code: 'forbidden' } } },
    })
    const report = await run({ url: proxy.url, interfaces: ['pos'] })
    await proxy.close()
    expect(report.notChecked).toContainEqual(
      expect.objectContaining({ what: 'POST /webhooks', why: 'the service answers 403 to POST /webhooks' }),
    )
  })
})

describe('a record that the service does not show', () => {
  const cleaned = (id: string, url: string) =>
    cleanUp({ run: id, baseUrl: url, key: 'demo-key', ledgers, rate: null }, baselines.start)
  const contactsIn = ({ written }: Report): string[] =>
    (written?.remaining ?? []).filter(({ record }) => record.startsWith('crm contacts')).map(({ why }) => why)

  test('remains if the call got no answer, and cleanup deletes it when it was created later', async () => {
    const before = await service.snapshot()
    const late: string[] = []
    const proxy = await startProxy({
      target: service.url,
      rewrite: ({ method, url }, body) => {
        if (method !== 'POST' || url !== '/crm/v1/contacts') return body
        late.push(body)
        throw new Error('the service takes longer than the caller waits')
      },
    })
    const report = await run({ url: proxy.url, interfaces: ['crm'] })
    expect(contactsIn(report)[0]).toContain(`run "suite-sim verify cleanup --run ${report.run.id}" later`)
    expect(readLedger(ledgers, report.run.id).unanswered.length).toBeGreaterThan(0)
    const created = await fetch(`${service.url}/crm/v1/contacts`, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: late[0] ?? '',
    })
    expect(created.status).toBe(201)
    const { deleted, remaining } = await cleaned(report.run.id, proxy.url)
    await proxy.close()
    expect(deleted.filter((record) => record.startsWith('crm contacts'))).toHaveLength(1)
    expect(remaining).toEqual([])
    const after = await service.snapshot()
    expect(after['crm']?.['contacts']).toEqual(before['crm']?.['contacts'])
  })

  const LIST = '/crm/v1/contacts?'

  test.each([
    [
      'its list has no readable rows',
      ({ data, ...rest }: Record<string, unknown>) => ({ ...rest, items: data }),
    ],
    [
      'its list could not be read to the end',
      (_: object, url: string) => {
        const { searchParams } = new URL(url, 'http://localhost')
        const from = 1000 * Number(searchParams.get('page') ?? 1)
        return { data: Array.from({ length: 100 }, (__, index) => ({ id: `other_${String(from + index)}` })) }
      },
    ],
    [
      'the row with the id of the run has no id of its own',
      ({ data, ...rest }: Record<string, unknown>) => ({
        ...rest,
        data: (data as { id: string }[]).map(({ id, ...row }) => ({ ...row, key: id })),
      }),
    ],
  ] as const)('remains because %s, also for cleanup', async (why, change) => {
    const proxy = await startProxy({
      target: service.url,
      change: ({ method, url }, answer) =>
        method === 'POST' && url === '/crm/v1/contacts' && answer.status === 201
          ? { ...answer, json: { result: answer.json } }
          : method === 'GET' && url.startsWith(LIST) && answer.status === 200
            ? { ...answer, json: change(answer.json as Record<string, unknown>, url) }
            : answer,
    })
    const report = await run({ url: proxy.url, interfaces: ['crm'] })
    expect(contactsIn(report)).toContain(why)
    const again = await cleaned(report.run.id, proxy.url)
    expect(again.remaining.map((each) => each.why)).toContain(why)
    await proxy.close()
    // Without the changes, the list shows it.
    const plain = await startProxy({ target: service.url })
    const ledger = report.written?.ledger ?? ''
    const text = readFileSync(ledger, 'utf8').replaceAll(proxy.url, plain.url)
    writeFileSync(ledger, text)
    expect((await cleaned(report.run.id, plain.url)).remaining).toEqual([])
    await plain.close()
    expect(JSON.stringify((await service.snapshot())['crm']?.['contacts'])).not.toContain(report.run.id)
  })
})

describe('the ledger', () => {
  test('has each intent before its call, each id after it, and no key', async () => {
    const lines = (file: string) =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, Record<string, unknown>>)
    const proxy = await startProxy({ target: service.url })
    const report = await run({ url: proxy.url, interfaces: ['pos'] })
    await proxy.close()
    const file = report.written?.ledger ?? ''
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [header, ...rest] = lines(file)
    expect(header).toMatchObject({ run: { id: report.run.id, baseUrl: `${proxy.url}/` } })
    // The second intent is the creation with its event in another case.
    expect(rest.map((line) => Object.keys(line).find((name) => name !== 'at'))).toEqual([
      ...['intent', 'created', 'intent', 'answered', 'intent', 'answered'],
      ...['intent', 'answered', 'intent', 'answered', 'undone', 'intent', 'answered'],
    ])
    expect(rest[1]?.['created']).toMatchObject({
      interface: 'pos',
      resource: 'webhooks',
      undo: { operation: 'deleteWebhook' },
    })
    expect(readFileSync(file, 'utf8')).not.toContain('demo-key')
  })

  test('announces a call before the service gets it', async () => {
    const seen: string[] = []
    const folder = mkdtempSync(join(ledgers, 'order-'))
    const proxy = await startProxy({
      target: service.url,
      before: ({ method }) => {
        if (method === 'GET') return true
        const [name = ''] = readdirSync(folder)
        const last = readFileSync(join(folder, name), 'utf8').trim().split('\n').at(-1) ?? ''
        seen.push(Object.keys(JSON.parse(last) as object).join())
        return true
      },
    })
    await runWriting(
      { service, baseline, ledgers: folder },
      { url: proxy.url, interfaces: ['pos'], reads: false },
    )
    await proxy.close()
    expect(new Set(seen)).toEqual(new Set(['at,intent']))
  })
})
