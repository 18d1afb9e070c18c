/** Runs of `verify` against a second simulator: the calls that it makes, how a run ends, and its report. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare } from '../../../src/http/openapi/fidelity/facts.ts'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import {
  measure,
  prepare,
  SelfCheckError,
  verify,
  type Report,
  type VerifyOptions,
  type Baseline,
} from '../src/index.ts'
import { DOCUMENTED_LISTS } from '../../../test/support/documentedLists.ts'
import { startDrift, type Drift } from '../../mutate/test/drift/drift.ts'
import { OPERATION_ROWS } from '../../../test/support/operationTable.ts'
import { startReference, Baselines } from '../../mutate/test/drift/baselines.ts'
import { DEMO_KEY, startTarget, type Target } from '../../mutate/test/drift/target.ts'

const PAYMENTS: readonly InterfaceName[] = ['payments']

const baselines = new Baselines()
let target: Target
/** That of payments. */
let baseline: Baseline

beforeAll(async () => {
  target = await startTarget()
  baseline = await baselines.one('payments')
})

afterAll(async () => {
  await baselines.close()
  await target.close()
})

const optionsOf = (changes: Partial<VerifyOptions> = {}): VerifyOptions => ({
  baseUrl: target.url,
  key: DEMO_KEY,
  account: 1,
  budget: 3000,
  rate: null,
  interfaces: PAYMENTS,
  ...changes,
})

async function drifting<Result>(drift: Drift, work: (url: string) => Promise<Result>): Promise<Result> {
  await target.stopClock()
  const proxy = await startDrift(target.url, drift)
  try {
    return await work(proxy.url)
  } finally {
    await proxy.close()
  }
}

/** Moves the demo to a time zone where the day is another one than in UTC, which a run without `timezone` assumes. */
async function moveToAnotherDay(): Promise<void> {
  const timezone = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify({ timezone }) }
  const response = await fetch(`${target.url}/_sim/workspaces/demo`, init)
  if (!response.ok) throw new Error(await response.text())
}

const snapshot = async (): Promise<Snapshot> => (await simulated('/snapshot')) as unknown as Snapshot

const simulated = async (path: string): Promise<{ data: { method: string; path: string }[] }> =>
  (await (await fetch(`${target.url}/_sim/workspaces/demo${path}`)).json()) as never

/** What the workspace of the service holds, by area and section. */
type Snapshot = Readonly<Record<string, Readonly<Record<string, unknown>>>>

describe('a run that only reads', () => {
  interface Whole {
    readonly report: Report
    readonly calls: readonly string[]
    /** What the service held before. */
    readonly before: Snapshot
  }
  let whole: Promise<Whole> | undefined

  /** Returns the run through all interfaces, as users start it. Two tests use it. */
  const wholeRun = (): Promise<Whole> => {
    const calls: string[] = []
    whole ??= drifting(
      { each: (call) => void calls.push(`${call.method} ${call.path}`) },
      async (baseUrl) => {
        await moveToAnotherDay()
        const before = await snapshot()
        const options = optionsOf({ baseUrl, interfaces: INTERFACE_NAMES, probeAuth: true })
        return { ...(await verify(options, baselines.start)), calls, before }
      },
    )
    return whole
  }

  test('sends nothing but GET, and nothing to the control plane', async () => {
    const { report, calls, before } = await wholeRun()
    expect(report.differences).toEqual([])
    expect(report.run.mode).toBe('read')
    expect(calls.length).toBe(report.run.requests)
    expect(calls.filter((call) => !call.startsWith('GET ') || call.includes('/_sim'))).toEqual([])
    // The journal of the other side says the same.
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await simulated(`/requests?method=${method}`)).data).toEqual([])
    // Signed documents are made when they are first read.
    const { data } = (await simulated('/diff')) as unknown as { data: { section: string; change: string }[] }
    const added = data.filter(({ change }) => change !== 'changed')
    expect(new Set(added.map(({ section }) => section))).toEqual(new Set(['tax-invoicing.stampedXml']))
    const changed = Object.entries(await snapshot()).flatMap(([area, sections]) =>
      Object.entries(sections).flatMap(([section, rows]) =>
        isDeepStrictEqual(rows, before[area]?.[section]) ? [] : [`${area} ${section}`],
      ),
    )
    expect(changed).toEqual(['tax-invoicing stampedXml'])
    expect(report.notes).toEqual([
      'tax-invoicing: The first read of the XML or the PDF of a document can store its stamped XML.',
    ])
    expect(report.written).toBeUndefined()
  })

  test('calls without a key and with a wrong key only if it may', async () => {
    const keys = new Set<string | undefined>()
    const drift: Drift = { each: ({ headers }) => void keys.add(headers.authorization) }
    await drifting(drift, (baseUrl) => measure(optionsOf({ baseUrl }), baseline))
    expect([...keys]).toEqual([`Bearer ${DEMO_KEY}`])
    await drifting(drift, (baseUrl) => measure(optionsOf({ baseUrl, probeAuth: true }), baseline))
    expect(keys.size).toBe(3)
  })

  test('checks claims of every interface, and says why others were not checked', async () => {
    const { report } = await wholeRun()
    expect(report.summary.checked).toBeGreaterThan(3500)
    expect(report.summary.claims).toBe(report.claims.length)
    const { agrees, differs, checked, checkable, coverage } = report.summary
    expect(agrees + differs).toBe(checked)
    expect(coverage).toBeCloseTo(checked / checkable)
    for (const claim of report.claims)
      expect(claim.verdict === 'not_checked', claim.claim).toBe(claim.why !== undefined)
    // Parameters that no list shows.
    expect(report.notChecked).toContainEqual(
      expect.objectContaining({
        interface: 'meetings',
        what: 'GET /public/meetings/{publicMeetingId}/summary',
        why: expect.stringContaining('--with meetings.publicMeetingId=VALUE') as string,
      }),
    )
  })

  test('has the claims of docs/FIDELITY.md, and those of moves', async () => {
    for (const name of INTERFACE_NAMES) {
      const { claims, operations } = await baseline.reference.published(name)
      const list = DOCUMENTED_LISTS.get(name)
      const [first] = operations
      if (!list || !first) throw new Error(`no list of ${name}`)
      const rows = OPERATION_ROWS.filter((row) => row.interface === name)
      const { facts } = compare(first.document, list, rows)
      const keys = facts.map(({ kind, place, detail }) =>
        [kind, place, detail].filter((part) => part !== undefined).join(' '),
      )
      const own = claims.all.filter(({ kind }) => kind !== 'move').map(({ key }) => key)
      // Operations that the specification gives no scope have a derived one.
      expect(own.filter((key) => !key.startsWith('scope ')).toSorted(), name).toEqual(
        keys.filter((key) => !key.startsWith('scope ')).toSorted(),
      )
    }
  })
})

describe('a run ends', () => {
  test('at its budget, and reports what it did not call', async () => {
    const { report } = await measure(optionsOf({ budget: 4 }), baseline)
    expect(report.run).toMatchObject({ requests: 4, budget: 4, endedEarly: 'the budget was spent' })
    expect(report.notChecked.some(({ why }) => why === 'the budget was spent')).toBe(true)
  })

  test('when it is stopped', async () => {
    const stopping = new AbortController()
    const { report } = await measure(optionsOf(), baseline, {
      signal: stopping.signal,
      onProgress: ({ requests }) => {
        if (requests === 3) stopping.abort()
      },
    })
    expect(report.run.endedEarly).toBe('the run was stopped')
    expect(report.run.requests).toBeLessThanOrEqual(3)
  })

  test('when the service refuses the key', async () => {
    const { report } = await measure(optionsOf({ key: 'another-key' }), baseline)
    expect(report.run.endedEarly).toContain('refuses every call with 401')
    expect(report.summary).toMatchObject({ checked: 0, differs: 0 })
    expect(report.differences).toEqual([])
  })

  test('when the service does not respond', async () => {
    const proxy = await startDrift(target.url, {})
    await proxy.close()
    const { report } = await measure(optionsOf({ baseUrl: proxy.url }), baseline)
    expect(report.run.endedEarly).toContain('does not respond')
    expect(report.differences).toEqual([])
  })

  test('before it begins if the simulator differs from itself', async () => {
    const proxies: { close(): Promise<void> }[] = []
    const start: typeof startReference = async (options) => {
      const { url, close } = await startReference(options)
      const proxy = await startDrift(url, {
        at: /^\/pay\/v1\/payment-links$/,
        apply: ({ status, json }) => ({ status: status === 200 ? 203 : status, json }),
      })
      proxies.push(proxy)
      return {
        url: proxy.url,
        close: async () => {
          await proxy.close()
          await close()
        },
      }
    }
    await expect(prepare(start, {}, PAYMENTS)).rejects.toThrow(SelfCheckError)
    expect(proxies).toHaveLength(1)
  })
})

describe('a difference', () => {
  test('that does not come back is a flake', async () => {
    let count = 0
    const { report } = await drifting(
      {
        at: /^\/pay\/v1\/reports\/settlements$/,
        apply: (answer) => {
          count++
          return count === 1 ? { ...answer, json: { ...(answer.json as object), extra: true } } : answer
        },
      },
      (baseUrl) => measure(optionsOf({ baseUrl }), baseline),
    )
    expect(report.differences.length).toBeGreaterThan(0)
    expect(new Set(report.differences.map(({ status }) => status))).toEqual(new Set(['flaky']))
    expect(report.summary).toMatchObject({ differs: 0, flaky: report.differences.length })
  })

  test('has both values, its samples, its times and a call that shows it', async () => {
    const { report } = await drifting(
      {
        at: /^\/pay\/v1\/transactions$/,
        apply: ({ status, json }) => ({
          status,
          json: JSON.parse(JSON.stringify(json).replaceAll('"completed"', '"COMPLETED"')) as unknown,
        }),
      },
      (baseUrl) => measure(optionsOf({ baseUrl }), baseline),
    )
    const found = report.differences.find(
      ({ aspect, place }) => aspect === 'enum' && place.endsWith('.status'),
    )
    expect(found).toMatchObject({
      interface: 'payments',
      claim: 'field Transaction.status',
      fidelity: 'documented',
      status: 'differs',
      oracle: 'contract',
      operation: 'GET /transactions',
      actual: 'COMPLETED',
      followedBy: null,
    })
    expect(found?.samples.deviating).toBeGreaterThan(1)
    expect(Date.parse(found?.lastSeen ?? '')).toBeGreaterThanOrEqual(Date.parse(found?.firstSeen ?? ''))
    expect(found?.evidence[0]?.curl).toContain('/pay/v1/transactions')
    expect(JSON.stringify(found?.evidence)).not.toContain(DEMO_KEY)
    expect(report.claims.find(({ claim }) => claim === 'field Transaction.status')).toMatchObject({
      verdict: 'differs',
    })
  })

  test('that a reading covers names its other value', async () => {
    const patch = async (value: string): Promise<void> => {
      const response = await fetch(`${target.url}/_sim/workspaces/demo`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ readings: { 'conversations.message_type': value } }),
      })
      expect(response.status).toBe(200)
    }
    const { data } = (await (await fetch(`${target.url}/_sim/readings`)).json()) as {
      data: { name: string; default: string; alternatives: { value: string }[] }[]
    }
    const reading = data.find(({ name }) => name === 'conversations.message_type')
    const other = reading?.alternatives.find(({ value }) => value !== reading.default)?.value ?? ''
    await patch(other)
    const { report, interfaces } = await measure(
      optionsOf({ interfaces: ['conversations'] }),
      await baselines.one('conversations'),
    )
    await patch(reading?.default ?? '')
    expect(report.differences.length).toBeGreaterThan(0)
    for (const { place, reading: named } of report.differences)
      expect(named, place).toEqual({ name: 'conversations.message_type', value: other })
    expect(interfaces[0]?.inferred.map(({ entry }) => entry)).toMatchObject([
      { kind: 'reading', name: 'conversations.message_type', value: other },
    ])
  })
})

test('waits when the service limits the rate', async () => {
  let refused = 0
  const { report } = await drifting(
    {
      at: /^\/pay\/v1\/payment-links$/,
      apply: (answer) =>
        refused++ === 0 ? { status: 429, json: {}, headers: { 'retry-after': '0' } } : answer,
    },
    (baseUrl) => measure(optionsOf({ baseUrl }), baseline),
  )
  expect(refused).toBeGreaterThan(1)
  expect(report.differences).toEqual([])
})
