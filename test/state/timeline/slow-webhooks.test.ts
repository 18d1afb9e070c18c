/** Attempts of deliveries that took long, as hints of the call that caused them. */
import { expect, test } from 'vitest'
import { timelineOf } from '../../../src/state/timeline/timelines.ts'
import { controlApp, makeWorkspace } from '../../control/app.ts'

test('counts slow attempts of the deliveries that a call caused', async () => {
  const app = await controlApp()
  const { sim, call, workspaces } = app
  const { id, key } = await makeWorkspace(app)
  const path = `/workspaces/${id}/requests`
  const products = '/workspace/public/v1/products'
  await sim('POST', `/workspaces/${id}/subscriptions`, {
    body: { interface: 'catalog', url: 'http://127.0.0.1:9/hook' },
  })
  await call('POST', products, key, { name: 'Desk', type: 'physical' })
  await call('GET', products, key)
  const timeline = timelineOf(workspaces.get(id))
  const queued = timeline.steps().find(({ kind }) => kind === 'delivery')
  const attempt = { kind: 'delivery', ref: String(queued?.ref), causedBy: queued?.number ?? null } as const
  timeline.recordStep({ ...attempt, title: 'attempt 1', durationMs: 2001 })
  timeline.recordStep({ ...attempt, title: 'attempt 2', durationMs: 2000 })
  const { body: list } = await sim('GET', path)
  expect(list.data.map(({ hintCount }: { hintCount: number }) => hintCount)).toEqual([0, 1])
  const { body } = await sim('GET', `${path}/req_1`)
  const message = 'Receivers should respond quickly: attempt 1 after 2001 ms.'
  expect(body.hints).toEqual([{ code: 'slow_webhook', message }])
})
