/** Automatic progression, and test values on pages. */
import { describe, expect, test } from 'vitest'
import { freshMeetings } from '../../support/meeting.ts'
import { controlApp, makeWorkspace } from '../app.ts'

/** A meeting that has ended, in a workspace with this progression. */
async function ended(progression: 'clock' | 'immediate' | 'manual') {
  const meetings = await freshMeetings()
  const { app, workspace } = meetings.fresh
  workspace.change({ progression })
  const id = await meetings.create()
  const session = await meetings.end(id)
  return {
    ...meetings,
    app,
    workspace,
    id,
    session,
    status: async () => (await meetings.fetchTranscript(id, session)).status,
  }
}

describe('automatic progression', () => {
  test('follows the clock by default', async () => {
    const { status, advance } = await ended('clock')
    expect(await status()).toBe(404)
    await advance('PT1M')
    expect(await status()).toBe(200)
  })

  test('runs at once with immediate, at the time of the clock', async () => {
    const { status, summary, id, fresh } = await ended('immediate')
    const before = fresh.now()
    expect(await status()).toBe(200)
    expect((await summary(id)).summary).not.toBe(null)
    expect(fresh.now()).toBe(before)
  })

  test('waits for triggers with manual, and continues when that is changed', async () => {
    const { status, advance, trigger, id, session, workspace, summary } = await ended('manual')
    await advance('P1D')
    expect(await status()).toBe(404)
    const body = { publicMeetingId: id, cfSessionId: session }
    expect((await trigger('transcript.complete', body)).status).toBe(200)
    expect(await status()).toBe(200)
    await advance('P1D')
    expect((await summary(id)).summary).toBe(null)
    workspace.change({ progression: 'clock' })
    expect((await summary(id)).summary).not.toBe(null)
  })
})

describe('settings', () => {
  test('of test cards and progression are changed, stored and reset', async () => {
    const app = await controlApp()
    const { id } = await makeWorkspace(app)
    const path = `/workspaces/${id}`
    expect((await app.sim('GET', path)).body).toMatchObject({ testCards: true, progression: 'clock' })
    const body = { testCards: false, progression: 'manual' }
    expect(await app.sim('PATCH', path, { body })).toMatchObject({ status: 200, body })
    expect((await app.sim('GET', path)).body).toMatchObject(body)
    await app.sim('POST', `${path}/reset`)
    expect((await app.sim('GET', path)).body).toMatchObject({ testCards: true, progression: 'clock' })
  })

  test.each([{ progression: 'later' }, { testCards: 'no' }, { testcards: true }])(
    'refuse %j',
    async (body) => {
      const app = await controlApp()
      const { id } = await makeWorkspace(app)
      expect((await app.sim('PATCH', `/workspaces/${id}`, { body })).status).toBe(400)
    },
  )

  test('hide the test cards on hosted payment pages', async () => {
    const app = await controlApp()
    const { id, key } = await makeWorkspace(app)
    const { body } = await app.call('POST', '/pay/v1/payment-links', key, {
      title: 'Desk',
      amount: 12_000,
      currency: 'USD',
    })
    const page = async () => {
      const { pathname } = new URL(body.data?.url ?? body.url)
      return (await app.fastify.inject({ url: pathname })).payload
    }
    expect(await page()).toContain('4242 4242 4242 4242')
    await app.sim('PATCH', `/workspaces/${id}`, { body: { testCards: false } })
    const hidden = await page()
    expect(hidden).not.toContain('4242')
    expect(hidden).not.toContain('test-values')
    expect(hidden).toContain('</form>')
  })
})
