/**
 * Recordings of seeded workspaces that 20 clients call at the same time: each replays to the same answers, the same
 * changes and the same bytes.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { everyDocument } from '../../../../test/support/documents.ts'
import { replayed } from '../../../../test/support/recordings.ts'
import { buildApp } from '../../../../test/support/subject.ts'
import { exampleRequest } from '../../../../test/support/verbatim.ts'

const CLIENTS = 20
const CALLS_OF_EACH = 8

const app = await buildApp({ fixtures: 'none', seed: 'parallel', rateLimits: true })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

const KEY = 'the-key-of-the-examples'

/** The published examples of all interfaces: calls with a key, and with ids of demo records. */
const examples = everyDocument(address).flatMap(({ name, document, operations }) =>
  name === 'control'
    ? []
    : operations.flatMap((each) => {
        const request = exampleRequest(document, each, KEY)
        return request
          ? [{ url: `${document.servers[0]?.url ?? ''}${request.path}`, init: request.init }]
          : []
      }),
)

const control = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${address}/_sim${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as never }
}

/** Calls of the control plane below the workspace that change it. */
const CONTROL: readonly (readonly [string, string, unknown])[] = [
  ['POST', '/clock/advance', { duration: 'PT3H' }],
  ['POST', '/clock/advance', { duration: 'P2D' }],
  ['PUT', '/clock', { frozen: true }],
  ['PUT', '/clock', { frozen: false }],
  ['PATCH', '', { progression: 'immediate' }],
  ['PATCH', '', { progression: 'clock' }],
  ['PATCH', '', { currency: 'MXN' }],
  ['POST', '/users', { name: 'Eva Luna', email: 'eva@example.com' }],
  ['POST', '/faults', { interface: 'crm', status: 503, times: 3 }],
  ['POST', '/faults', { interface: 'catalog', status: 500, probability: 0.4 }],
  ['POST', '/faults', { interface: 'payments', delayMs: 20, times: 2 }],
  ['DELETE', '/faults', undefined],
  ['POST', '/triggers/pos.day.run', { sales: 3 }],
  ['POST', '/triggers/payments.settlement.create', {}],
  ['POST', '/triggers/crm.team.define', { name: 'North', member_ids: [] }],
  ['POST', '/triggers/signage.pairing_code.issue', {}],
  ['POST', '/snapshots/before/restore', undefined],
  ['POST', '/reset', undefined],
]

/** Returns numbers that are always the same for a start (mulberry32). */
function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function client(path: string, key: string, number: number): Promise<void> {
  const next = numbersFrom(number)
  for (let call = 0; call < CALLS_OF_EACH; call++) {
    if (next() < 0.1) {
      const [method, below, body] = CONTROL[Math.floor(next() * CONTROL.length)] ?? ['GET', '', undefined]
      await control(method, path + below, body)
      continue
    }
    const example = examples[Math.floor(next() * examples.length)]
    if (!example) throw new Error('no examples')
    const headers = Object.fromEntries(
      Object.entries(example.init.headers ?? {}).map(([name, value]) => [
        name,
        String(value).replace(KEY, key),
      ]),
    )
    await fetch(example.url, { ...example.init, headers }).then((response) => response.text())
  }
}

async function recordingOf(number: number): Promise<object> {
  const created = await control('POST', '/workspaces', {
    fixtures: 'demo',
    key: `key-of-run-${String(number)}`,
  })
  const { workspace, key } = created.body as { workspace: { id: string }; key: string }
  const path = `/workspaces/${workspace.id}`
  await control('POST', `${path}/snapshots`, { name: 'before' })
  const started = await control('POST', `${path}/recordings`)
  expect(started.status).toBe(201)
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(path, key, number * 1000 + index)))
  const { id } = started.body as { id: string }
  const stopped = await control('POST', `${path}/recordings/${id}/stop`)
  expect(stopped.status).toBe(200)
  await control('DELETE', path)
  return stopped.body
}

describe('a recording of 20 parallel clients', () => {
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
  test.each(numbers)('number %d replays to a byte-equal snapshot', async (number) => {
    const file = await recordingOf(number)
    const { steps } = file as { steps: readonly unknown[] }
    expect(steps.length).toBeGreaterThan(CLIENTS * CALLS_OF_EACH * 0.8)
    const { differences, skipped, isSnapshotEqual, isDiffEqual } = await replayed(file)
    expect(differences).toEqual([])
    expect({ isSnapshotEqual, isDiffEqual, skipped }).toEqual({
      isSnapshotEqual: true,
      isDiffEqual: true,
      skipped: [],
    })
  })
})
