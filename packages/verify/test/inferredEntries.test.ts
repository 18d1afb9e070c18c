/**
 * Entries that verify infers: a server follows them, they explain a difference, hold no secret, and stay the same in
 * the next run.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Entry, Overlay } from '../../../src/observed/format.ts'
import type { Report } from '../src/index.ts'
import { startDrift, type Drift } from '../../mutate/test/drift/drift.ts'
import { startVerifying } from '../../mutate/test/drift/verifying.ts'
import { Baselines } from '../../mutate/test/drift/baselines.ts'
import { startTarget, type Target } from '../../mutate/test/drift/target.ts'

const baselines = new Baselines()
let target: Target

beforeAll(async () => {
  target = await startTarget()
})

afterAll(async () => {
  await baselines.close()
  await target.close()
})

interface Run {
  readonly differences: Report['differences']
  readonly overlay: Overlay
}

/** Returns a run against a changed service, which follows an overlay and brings it up to date. */
async function runOf(drift: Drift, observed?: Overlay): Promise<Run> {
  await target.stopClock()
  const proxy = await startDrift(target.url, drift)
  try {
    const run = await startVerifying(observed, baselines).measure(proxy.url, 'payments')
    // Every overlay that is written can be followed.
    await baselines.start({ observed: run.overlay })
    return run
  } finally {
    await proxy.close()
  }
}

type Json = Record<string, unknown>

const LINKS = /^\/pay\/v1\/payment-links/

const eachLink = (change: (link: Json) => void, at = LINKS): Drift => ({
  at,
  apply: ({ status, json }) => {
    const { data } = json as { data?: Json | Json[] }
    for (const link of status < 300 ? [data ?? []].flat() : []) change(link)
    return { status, json }
  },
})

const withoutDates = ({ entries }: Overlay): object[] =>
  entries.map(({ observedAt: _, evidence: __, samples: ___, ...rest }) => rest)

const placesOf = ({ differences }: Run): string[] =>
  differences.map(({ aspect, place, followedBy }) => `${aspect} ${place} ${String(followedBy)}`)

describe('an overlay settles', () => {
  test('for a field that is made up and one that is left out: the second run finds nothing', async () => {
    const drift = eachLink((link) => {
      link['legacy_id'] = `pl-${String(link['id'])}`
      if (link['description'] === null) delete link['description']
    })
    const first = await runOf(drift)
    expect(first.overlay.entries).toContainEqual(
      expect.objectContaining({ path: '/data/*/legacy_id', source: { shape: 'string' } }),
    )
    expect(placesOf(first).filter((each) => each.endsWith(' null'))).toEqual([])
    const second = await runOf(drift, first.overlay)
    expect(placesOf(second)).toEqual([])
    expect(withoutDates(second.overlay)).toEqual(withoutDates(first.overlay))
  })

  test('for a field that no entry can remove: it stays a difference, and the file stays as it is', async () => {
    const drift = eachLink((link) => {
      delete link['status']
      link['legacy_id'] = `pl-${String(link['id'])}`
    }, /^\/pay\/v1\/payment-links$/)
    const first = await runOf(drift)
    const removed = first.differences.filter(({ place }) => place.endsWith('[].status'))
    expect(removed.length).toBeGreaterThan(0)
    expect(removed.map(({ aspect, followedBy }) => [aspect, followedBy])).toEqual(
      removed.map(({ aspect }) => [aspect, null]),
    )
    const second = await runOf(drift, first.overlay)
    expect(withoutDates(second.overlay)).toEqual(withoutDates(first.overlay))
    expect(placesOf(second).toSorted()).toEqual(
      placesOf(first)
        .filter((each) => each.endsWith(' null'))
        .toSorted(),
    )
  })

  test('when the service is as the specification again: the entries go, and no reading is blamed', async () => {
    const both: Drift = {
      at: LINKS,
      apply: ({ status, json }) => {
        if (status === 404) return { status: 400, json }
        return (
          eachLink((link) => (link['legacy_id'] = link['id'])).apply?.({ status, json }) ?? { status, json }
        )
      },
    }
    const first = await runOf(both)
    expect(first.overlay.entries.map(({ kind }) => kind)).toContain('refusal')
    expect(first.overlay.entries.map(({ kind }) => kind)).toContain('field')
    const second = await runOf({}, first.overlay)
    expect(second.differences.length).toBeGreaterThan(0)
    expect(second.differences.flatMap(({ reading }) => reading ?? [])).toEqual([])
    expect(withoutDates(second.overlay)).toEqual([])
    expect((await runOf({}, second.overlay)).differences).toEqual([])
  })

  test('when the service changes again: the new value replaces the old one', async () => {
    const field = (value: string) => eachLink((link) => (link['livemode'] = value), /payment-links$/)
    const first = await runOf(field('old'))
    const second = await runOf(field('new'), first.overlay)
    expect(second.overlay.entries).toMatchObject([{ kind: 'field', source: { constant: 'new' } }])
    expect((await runOf(field('new'), second.overlay)).differences).toEqual([])
  })

  test('after a run that could check nothing, it is as before', async () => {
    const { overlay } = await runOf(eachLink((link) => (link['livemode'] = true)))
    const second = await runOf({ at: /^/, apply: () => ({ status: 401, json: {} }) }, overlay)
    expect(second.overlay).toEqual(overlay)
  })
})

describe('an overlay has only what a server follows', () => {
  test('although a list answers more rows by default than a page can have', async () => {
    const { differences } = await runOf({
      at: /^\/pay\/v1\/payment-links$/,
      apply: ({ status, json }) => {
        const { data, ...rest } = json as { data?: Json[] }
        const [row] = data ?? []
        if (status !== 200 || !row) return { status, json }
        const rows = Array.from({ length: 10_001 }, (_, index) => ({ ...row, id: `pl_${String(index)}` }))
        return { status, json: { ...rest, data: rows } }
      },
    })
    expect(differences.find(({ aspect }) => aspect === 'default_size')?.followedBy ?? null).toBeNull()
  })

  test('although every answer is an error of the service', async () => {
    const { differences } = await runOf({ apply: () => ({ status: 500, json: { error: 'x' } }) })
    expect(differences.length).toBeGreaterThan(0)
  })
})

test('an overlay has no key, no secret and no address of the service', async () => {
  const key = 'demo-key'
  const secrets = { api: key, session_secret: 'S3CRETS3CRET', owner_email: 'jane@acme.io', 'jane@acme.io': 1 }
  const { overlay, differences } = await runOf({
    at: LINKS,
    apply: ({ status, json }) => {
      const { data } = json as { data?: Json[] | Json }
      for (const link of [data ?? []].flat()) Object.assign(link, secrets, { nested: secrets })
      const changed = status < 300 ? json : { ...(json as object), ...secrets, hint: 'see the docs' }
      return { status, json: changed, headers: { 'x-api-version': key } }
    },
  })
  const text = JSON.stringify(overlay)
  expect(text).not.toMatch(/demo-key|S3CRET|jane/)
  const fields = overlay.entries.filter(
    (entry): entry is Extract<Entry, { kind: 'field' }> => entry.kind === 'field',
  )
  const shapes = new Map(fields.map(({ path, source }) => [path, source]))
  expect(shapes.get('/data/*/api')).toEqual({ shape: 'string' })
  expect(shapes.get('/data/*/session_secret')).toEqual({ shape: 'string' })
  expect(shapes.get('/data/*/owner_email')).toEqual({ shape: 'email' })
  expect(overlay.entries.map(({ kind }) => kind)).not.toContain('header')
  expect(differences.find(({ aspect }) => aspect === 'header_extra:x-api-version')?.followedBy).toBeNull()
})
