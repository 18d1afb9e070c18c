/** The timeline of a workspace, and what it must not contain. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { timelinesOf, timelineOf, recordStep } from '../../../src/state/timeline/timelines.ts'
import { freshApp } from '../../support/app.ts'

test('does not record writes that were rolled back', async () => {
  const { workspace } = await freshApp()
  expect(() =>
    workspace.write(() => {
      recordStep(workspace, { kind: 'trigger', title: 'undone', ref: 'undone' })
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(timelineOf(workspace).steps()).toEqual([])
  workspace.write(() => recordStep(workspace, { kind: 'trigger', title: 'done', ref: 'done' }))
  expect(timelineOf(workspace).steps()).toMatchObject([{ title: 'done' }])
})

test('removes timeline entries older than the calls that it keeps', async () => {
  const { app, at, workspace } = await freshApp()
  const call = at('catalog')
  const timelines = timelinesOf(app.workspaces.database)
  for (let n = 0; n < 2100; n++) {
    await call('GET', `/products/${String(n)}`)
    if (n % 300 === 299) timelines.storeAll()
  }
  // How many pieces there are depends on the speed of the machine, because one is written every second as well.
  const oldest = app.workspaces.database.sqlite
    .prepare('SELECT min(highest) FROM journal WHERE workspace = ?')
    .pluck()
    .get(workspace.rowScope)
  const first = timelineOf(workspace).calls()[0]?.number
  expect(first).toBeGreaterThan(1000)
  expect(oldest).toBeGreaterThanOrEqual(first ?? Infinity)
})

/** Waits until the stack holds no references, and then collects garbage. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await setImmediate()
  ;(runInNewContext('gc') as () => void)()
}

const alive = (refs: readonly WeakRef<object>[]): number =>
  refs.filter((ref) => ref.deref() !== undefined).length

test('releases the memory of a deleted workspace while calls to others continue', async () => {
  const { app, call } = await freshApp({ ownApp: true })
  const timelines: WeakRef<object>[] = []
  const workspaces: WeakRef<object>[] = []
  for (let n = 0; n < 40; n++) {
    const made = await app.fastify.inject({ method: 'POST', url: '/_sim/workspaces', payload: {} })
    const { workspace, key } = made.json<{ workspace: { id: string }; key: string }>()
    // The timeline of another workspace always has pending writes.
    await call('GET', '/workspace/public/v1/products')
    await call('GET', '/workspace/public/v1/products', { key })
    const remaining = app.workspaces.get(workspace.id)
    expect(timelineOf(remaining).calls()).toHaveLength(1)
    workspaces.push(new WeakRef(remaining))
    timelines.push(new WeakRef(timelineOf(remaining)))
    const url = `/_sim/workspaces/${workspace.id}`
    expect((await app.fastify.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  }
  await collect()
  // The engine may hold the last ones a little longer.
  expect(alive(timelines)).toBeLessThanOrEqual(2)
  expect(alive(workspaces)).toBeLessThanOrEqual(2)
})

test('keeps the memory limit while all timelines wait to be written, and keeps the newest entries', async () => {
  const { app, tenant } = await freshApp({ ownApp: true })
  timelinesOf(app.workspaces.database).storeAll()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const timelines = Array.from({ length: 24 }, () => timelineOf(tenant().workspace))
  const remaining = {
    interface: 'catalog',
    operation: 'listProducts',
    method: 'GET',
    url: '/products',
    status: 200,
  }
  for (const timeline of timelines) {
    for (let n = 0; n < 40; n++) {
      const number = timeline.next()
      timeline.add({
        ...remaining,
        number,
        size: 100_000,
        toRecord: () => ({ ...remaining, number }) as never,
      })
    }
  }
  const size = (): number => timelines.reduce((sum, timeline) => sum + timeline.size, 0)
  expect(size()).toBeGreaterThan(90_000_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(size()).toBeLessThanOrEqual(64_000_000)
  expect(size()).toBeGreaterThan(55_000_000)
  for (const timeline of timelines) expect(timeline.calls().at(-1)?.number).toBe(timeline.last)
})
