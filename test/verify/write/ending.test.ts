/** The end of runs in write mode: whatever ends one, it deletes what it created, and its ledger says so. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measure, prepare, type Report, type Yardstick } from '../../../src/verify/index.ts'
import {
  runWriting,
  startProxy,
  startService,
  startSimulator,
  type Service,
  type WritingRun,
} from '../../support/writing.ts'

let service: Service
let yardstick: Yardstick
let ledgers: string

beforeAll(async () => {
  ledgers = mkdtempSync(join(tmpdir(), 'suite-sim-ledgers-'))
  ;[service, yardstick] = await Promise.all([startService(), prepare(startSimulator, {}, ['crm', 'pos'])])
})

afterAll(async () => {
  rmSync(ledgers, { recursive: true, force: true })
  await yardstick.reference.close()
  await service.close()
})

const run = (options: WritingRun): Promise<Report> => runWriting({ service, yardstick, ledgers }, options)

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
    expect(rest.map((line) => Object.keys(line).find((name) => name !== 'at'))).toEqual([
      ...['intent', 'created', 'intent', 'answered', 'intent', 'answered'],
      ...['intent', 'answered', 'undone', 'intent', 'answered'],
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
    await measure(
      {
        baseUrl: proxy.url,
        key: 'demo-key',
        interfaces: ['pos'],
        budget: 100,
        rate: null,
        write: { ledgers: folder },
      },
      yardstick,
    )
    await proxy.close()
    expect(new Set(seen)).toEqual(new Set(['at,intent']))
  })
})
