/**
 * A run in write mode that is killed at any point: cleanup finishes it, and the service holds what it held before. The proxy
 * decides the moment: a call that does not reach the service, or an answer that does not reach the run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { cleanUp } from '../../src/index.ts'
import { SCENARIOS } from '../../src/write/scenarios/index.ts'
import { NO_RECEIVER } from '../../src/write/scenario.ts'
import { bundle } from '../../../../test/support/bundle.ts'
import { IS_FULL } from '../../../../test/support/extent.ts'
import { ROOT, scratchFolder } from '../../../../test/support/process.ts'
import { Baselines } from '../../../mutate/test/drift/baselines.ts'
import {
  startProxy,
  startService,
  type Row,
  type SeenCall,
  type Service,
  type Snapshot,
} from '../../../../test/support/writing.ts'

const baselines = new Baselines()
let service: Service
let reference: { readonly url: string }
let folder: string
/** The program, in a folder with the lists that it reads. */
let file: string

beforeAll(async () => {
  ;[service, reference] = await Promise.all([startService('small'), baselines.start({})])
  folder = mkdtempSync(join(tmpdir(), 'suite-sim-killed-'))
  const documented = 'http/openapi/fidelity/documented'
  cpSync(join(ROOT, 'src', documented), join(folder, documented), { recursive: true })
  file = await bundle(join(ROOT, 'packages/verify/test/write/killed.ts'), folder)
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await baselines.close()
  await service.close()
})

interface Killing {
  readonly ledgers: string
  readonly run: string
  readonly interfaces: readonly InterfaceName[]
  readonly allow?: readonly string[]
  /** The moment; null lets the run end. */
  readonly at: { readonly call: number; readonly isAnswered: boolean } | null
}

/** Runs the program until the moment, and returns the URL of the service and the calls so far. */
async function runUntil({ ledgers, run, interfaces, allow = [], at }: Killing) {
  const calls: SeenCall[] = []
  const kills = (call: SeenCall, isAnswered: boolean): boolean =>
    at?.isAnswered === isAnswered && call.number === at.call
  const keep = (): false => {
    child.kill('SIGKILL')
    return false
  }
  const proxy = await startProxy({
    target: service.url,
    before: (call) => {
      calls.push(call)
      return kills(call, false) ? keep() : true
    },
    after: (call) => (kills(call, true) ? keep() : true),
  })
  onTestFinished(() => proxy.close())
  const options = { run, baseUrl: proxy.url, reference: reference.url, ledgers, interfaces, allow }
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([code, signal, errors], errors).toEqual(at === null ? [0, null, ''] : [null, 'SIGKILL', ''])
  return { url: proxy.url, calls }
}

const has = (row: Row, text: string): boolean => JSON.stringify(row).includes(text)

/** What no call undoes, by section: rows of the run that may remain, and the state in which they must be. */
const LEFT: Readonly<Record<string, (row: Row, run: string) => boolean>> = {
  'catalog products': (row, run) => has(row, run) && row['deletedAt'] !== null,
  'catalog activities': (row, run) => has(row, run) && row['deletedAt'] !== null,
  'payments links': (row, run) => has(row, run) && row['status'] === 'disabled',
  'signage deletedNames': has,
  'conversations inboxes': (row, run) => has(row, run) && row['deletedAt'] !== null,
  'conversations agents': (row, run) => has(row, run) && row['deletedAt'] !== null,
  // Automations of the account ran for a contact of the run.
  'crm executions': has,
  'crm waitingSteps': has,
}

/** Fields that only grow: the numbers of records, and the last runs of automations. */
const COUNTERS: Readonly<Record<string, readonly string[]>> = {
  'conversations counters': ['last'],
  'crm automations': ['lastExecutedAt', 'executionsCount'],
}

/** Returns what is there now and was not before, or the other way around, without what no call undoes. */
function changesOf(before: Snapshot, after: Snapshot, run: string): string[] {
  const areas = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...areas].flatMap((area) => {
    if (typeof after[area] !== 'object' || Array.isArray(after[area])) return []
    return Object.keys(after[area]).flatMap((section) => {
      const name = `${area} ${section}`
      const rows = [before, after].map((snapshot) => {
        const found = snapshot[area]?.[section] ?? []
        if (!Array.isArray(found)) return [JSON.stringify(found)]
        return (found as readonly Row[])
          .filter((row) => !LEFT[name]?.(row, run))
          .map((row) =>
            JSON.stringify(row, (key, value: unknown) => (COUNTERS[name]?.includes(key) ? 0 : value)),
          )
      })
      const [old = [], now = []] = rows
      return [
        ...old.filter((row) => !now.includes(row)).map((row) => `- ${name} ${row}`),
        ...now.filter((row) => !old.includes(row)).map((row) => `+ ${name} ${row}`),
      ]
    })
  })
}

const MOMENTS = IS_FULL ? 50 : 4

/** Interfaces whose scenarios run by default, with the numbers of their steps. */
const WEIGHTS = INTERFACE_NAMES.map((name) => ({
  name,
  steps: SCENARIOS[name].scenarios.flatMap(({ needsAllow, steps }) => (needsAllow === undefined ? steps : []))
    .length,
})).filter(({ name, steps }) => steps > 0 && (IS_FULL || ['crm', 'conversations'].includes(name)))

/** The moments are spread over the interfaces as their steps are. */
const chosen = WEIGHTS.map(({ name }, index) => {
  const upTo = (end: number): number => {
    const [part = 0, all = 1] = [WEIGHTS.slice(0, end), WEIGHTS].map((each) =>
      each.reduce((sum, { steps }) => sum + steps, 0),
    )
    return Math.round((MOMENTS * part) / all)
  }
  return { name, count: upTo(index + 1) - upTo(index) }
})

test('the moments are in several interfaces', () => {
  expect(chosen.reduce((sum, { count }) => sum + count, 0)).toBe(MOMENTS)
  expect(chosen.filter(({ count }) => count === 0)).toEqual([])
})

test.each(chosen)('a run that is killed while it writes $name is cleaned up', async ({ name, count }) => {
  const ledgers = scratchFolder()
  const before = await service.snapshot()
  const whole = await runUntil({ ledgers, run: `whole-${name}`, interfaces: [name], at: null })
  expect(changesOf(before, await service.snapshot(), `whole-${name}`)).toEqual([])
  // Half of the moments are at calls that create something, where a record can be left behind.
  const writes = whole.calls.filter(({ method }) => method !== 'GET').map(({ number }) => number)
  const creates = whole.calls.filter(({ method }) => method === 'POST').map(({ number }) => number)
  for (let index = 0; index < count; index++) {
    const among = index % 2 === 0 ? creates : writes
    const call = among[Math.floor((index * among.length) / count)] ?? 1
    // The first moments are after the service did it.
    const isAnswered = index % 4 < 2
    const run = `kill-${name}-${String(index)}`
    const start = await service.snapshot()
    const { url } = await runUntil({ ledgers, run, interfaces: [name], at: { call, isAnswered } })
    const moment = `${run} at call ${String(call)} ${isAnswered ? 'after' : 'before'} the service`
    const options = { run, baseUrl: url, key: 'demo-key', ledgers, rate: null }
    const { remaining } = await cleanUp(options, baselines.start)
    expect(remaining, moment).toEqual([])
    expect(changesOf(start, await service.snapshot(), run), moment).toEqual([])
    // A second cleanup has nothing to do.
    expect(await cleanUp(options, baselines.start), moment).toEqual({ run, deleted: [], remaining: [] })
  }
})

test('cleanup lists what no call deletes, and deletes the rest', async () => {
  const ledgers = scratchFolder()
  const run = 'kill-deals'
  const start = await service.snapshot()
  // The answer to the creation of the deal is lost, so that only its list shows it.
  let call = 0
  const whole = await runUntil({
    ledgers,
    run: 'whole-deals',
    interfaces: ['crm'],
    allow: ['deals'],
    at: null,
  })
  call = whole.calls.find(({ method, url }) => method === 'POST' && url === '/crm/v1/deals')?.number ?? 0
  expect(call).toBeGreaterThan(0)
  const at = { call, isAnswered: true }
  const { url } = await runUntil({ ledgers, run, interfaces: ['crm'], allow: ['deals'], at })
  const { deleted, remaining } = await cleanUp(
    { run, baseUrl: url, key: 'demo-key', ledgers, rate: null },
    baselines.start,
  )
  expect(deleted).toEqual([])
  expect(remaining.map(({ record }) => record.replace(/_\w+$/, ''))).toEqual([
    'crm deals deal',
    'crm deals pipe',
  ])
  expect(remaining[0]?.why).toMatch(/^No call deletes a deal/)
  const after = await service.snapshot()
  expect(after['crm']?.['contacts']).toEqual(start['crm']?.['contacts'])
})

test('subscriptions of scenarios go to a reserved host', () => {
  expect(new URL(NO_RECEIVER).hostname).toMatch(/\.example\.com$/)
})
