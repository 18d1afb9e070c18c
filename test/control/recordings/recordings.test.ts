/** Recordings of a workspace over HTTP. OPERATING.md, "Control plane". */
import { describe, expect, test } from 'vitest'
import { controlApp, error, makeWorkspace, type ControlApp } from '../app.ts'
import { replayed } from '../../support/recordings.ts'

const PRODUCTS = '/workspace/public/v1/products'

async function recorded(options: Parameters<typeof controlApp>[0] = {}) {
  const app = await controlApp(options)
  const workspace = await makeWorkspace(app, { fixtures: 'small' })
  const path = `/workspaces/${workspace.id}`
  const started = await app.sim('POST', `${path}/recordings`, { body: { name: 'Checkout' } })
  expect(started.status).toBe(201)
  const { id } = started.body as { id: string }
  return { app, ...workspace, path, recording: id, stop: () => stop(app, path, id) }
}

async function stop({ sim }: ControlApp, path: string, id: string) {
  const answer = await sim('POST', `${path}/recordings/${id}/stop`)
  expect(answer.status).toBe(200)
  return answer.body as {
    endedBy: string | null
    start: { snapshot: unknown }
    steps: Record<string, unknown>[]
    end: { diff: { summary: object; data: { section: string }[] } } | null
  }
}

const product = (name: string) => ({ name, price: 1200 })

describe('a recording', () => {
  test.each([undefined, 'a seed'])('replays to the same bytes (seed: %s)', async (seed) => {
    const { app, key, path, stop: end } = await recorded(seed === undefined ? {} : { seed })
    const created = await app.call('POST', PRODUCTS, key, product('Tea'))
    console.log(created.text)
    await app.call('GET', PRODUCTS, key)
    await app.call('POST', PRODUCTS, key, { name: '' })
    await app.sim('POST', `${path}/clock/advance`, { body: { duration: 'P40D' } })
    await app.sim('POST', `${path}/triggers/crm.team.define`, { body: { name: 'North', member_ids: [] } })
    const file = await end()
    console.log(JSON.stringify(file.steps, null, 1).slice(0, 3000), JSON.stringify(file.end).slice(0,1500))
    const result = await replayed(file)
    console.log(result)
    expect(result.isEqual).toBe(true)
    expect(result.isSnapshotEqual).toBe(true)
  })
})
