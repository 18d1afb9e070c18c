/** The story of a workspace, and what does not belong to it. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { timelinesOf, timelineOf, recordStep } from '../../src/state/timeline.ts'
import { freshApp } from '../support/app.ts'

test('the story tells nothing of what was refused in the middle', async () => {
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

test('what is kept of the journal leaves nothing behind of what went before the calls that it keeps', async () => {
  const { app, at, workspace } = await freshApp()
  const call = at('catalog')
  const stories = timelinesOf(app.workspaces.database)
  for (let n = 0; n < 2100; n++) {
    await call('GET', `/products/${String(n)}`)
    if (n % 300 === 299) stories.keepAll()
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

/** Waits until nothing on the stack refers to an object any more, and collects what nothing else does. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await setImmediate()
  ;(runInNewContext('gc') as () => void)()
}

const alive = (refs: readonly WeakRef<object>[]): number =>
  refs.filter((ref) => ref.deref() !== undefined).length

test('releases what a deleted workspace holds while calls to others go on', async () => {
  const { app, call } = await freshApp({ ownApp: true })
  const stories: WeakRef<object>[] = []
  const workspaces: WeakRef<object>[] = []
  for (let n = 0; n < 40; n++) {
    const made = await app.fastify.inject({ method: 'POST', url: '/_sim/workspaces', payload: {} })
    const { workspace, key } = made.json<{ workspace: { id: string }; key: string }>()
    // The story of another workspace always waits to be written.
    await call('GET', '/workspace/public/v1/products')
    await call('GET', '/workspace/public/v1/products', { key })
    const kept = app.workspaces.get(workspace.id)
    expect(timelineOf(kept).calls()).toHaveLength(1)
    workspaces.push(new WeakRef(kept))
    stories.push(new WeakRef(timelineOf(kept)))
    const url = `/_sim/workspaces/${workspace.id}`
    expect((await app.fastify.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  }
  await collect()
  // The engine may hold the last ones a little longer.
  expect(alive(stories)).toBeLessThanOrEqual(2)
  expect(alive(workspaces)).toBeLessThanOrEqual(2)
})

test('holds the bound of memory while all stories wait to be written, and keeps what is newest', async () => {
  const { app, tenant } = await freshApp({ ownApp: true })
  timelinesOf(app.workspaces.database).keepAll()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const stories = Array.from({ length: 24 }, () => timelineOf(tenant().workspace))
  const kept = {
    interface: 'catalog',
    operation: 'listProducts',
    method: 'GET',
    url: '/products',
    status: 200,
  }
  for (const story of stories) {
    for (let n = 0; n < 40; n++) {
      const number = story.next()
      story.add({ ...kept, number, size: 100_000, kept: () => ({ ...kept, number }) as never })
    }
  }
  const size = (): number => stories.reduce((sum, story) => sum + story.size, 0)
  expect(size()).toBeGreaterThan(90_000_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(size()).toBeLessThanOrEqual(64_000_000)
  expect(size()).toBeGreaterThan(55_000_000)
  for (const story of stories) expect(story.calls().at(-1)?.number).toBe(story.last)
})
