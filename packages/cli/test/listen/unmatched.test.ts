/** The output of `suite-sim listen` for calls that belong to no workspace. */
import { expect, onTestFinished, test } from 'vitest'
import { Remote, type StreamEntry } from '@suite-sim/kit/terminal/remote'
import { followUnmatched } from '../../src/listen/unmatched.ts'
import { buildApp } from '../../../../test/support/subject.ts'

test('prints new calls and no earlier ones', async () => {
  const app = await buildApp({ adminToken: 'open-sesame' })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await fetch(`${url}/before`)

  const ending = new AbortController()
  const entries: StreamEntry[] = []
  const following = followUnmatched(
    new Remote(url, 'open-sesame'),
    (each) => {
      entries.push(each)
    },
    ending.signal,
  )
  // The first request, which prints nothing, may still be running.
  const isOver = (): boolean => entries.length > 0
  const headers = { 'x-api-key': 'secret-1', 'x-sim-caller': 'agent-7' }
  while (!isOver()) await fetch(`${url}/crm/v1/contacts`, { headers })
  ending.abort()
  await following

  expect(entries[0]).toMatchObject({
    kind: 'unmatched',
    caller: 'agent-7',
    title: expect.stringMatching(
      /^GET \/crm\/v1\/contacts 401: The request has no authorization header\. .* the request has X-API-Key\./,
    ),
  })
  expect(entries.some(({ title }) => title.includes('/before'))).toBe(false)
  expect(JSON.stringify(entries)).not.toContain('secret-1')
})

test('ends silently when the server refuses or has stopped', async () => {
  const app = await buildApp({ adminToken: 'open-sesame' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const entries: StreamEntry[] = []
  const follow = () =>
    followUnmatched(new Remote(url), (each) => entries.push(each), new AbortController().signal)
  await follow()
  await app.close()
  await follow()
  expect(entries).toEqual([])
})
