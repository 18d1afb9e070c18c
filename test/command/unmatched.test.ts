/** What `suite-sim listen` prints of calls that belong to no workspace. */
import { expect, onTestFinished, test } from 'vitest'
import { Remote, type Told } from '../../src/command/remote.ts'
import { followUnmatched } from '../../src/command/unmatched.ts'
import { buildApp } from '../support/subject.ts'

test('such calls are told as they come, and not those of before', async () => {
  const app = await buildApp({ adminToken: 'open-sesame' })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  await fetch(`${url}/before`)

  const ending = new AbortController()
  const told: Told[] = []
  const following = followUnmatched(
    new Remote(url, 'open-sesame'),
    (each) => {
      told.push(each)
    },
    ending.signal,
  )
  // The first look, which tells nothing, may not have been yet.
  const isOver = (): boolean => told.length > 0
  while (!isOver()) await fetch(`${url}/crm/v1/contacts`, { headers: { 'x-api-key': 'secret-1' } })
  ending.abort()
  await following

  expect(told[0]).toMatchObject({
    kind: 'unmatched',
    title: expect.stringMatching(
      /^GET \/crm\/v1\/contacts 401: The request has no authorization header\. .* the request has X-API-Key\./,
    ),
  })
  expect(told.some(({ title }) => title.includes('/before'))).toBe(false)
  expect(JSON.stringify(told)).not.toContain('secret-1')
})

test('a server that refuses or is gone ends it without a word', async () => {
  const app = await buildApp({ adminToken: 'open-sesame' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const told: Told[] = []
  const follow = () =>
    followUnmatched(new Remote(url), (each) => told.push(each), new AbortController().signal)
  await follow()
  await app.close()
  await follow()
  expect(told).toEqual([])
})
