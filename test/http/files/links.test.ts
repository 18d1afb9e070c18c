/** Every URL that an answer or an event shows and that points at this server can be fetched, whatever the name of its file is. */
import { expect, test } from 'vitest'
import { fileLink } from '../../../src/http/files/fileLinks.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { FreshApp } from '../../support/app.ts'
import { freshAccount } from '../../support/conversations.ts'
import { eventsOf } from '../../support/events.ts'
import { freshForms } from '../../support/formBuilding.ts'
import { formOf } from '../../support/forms.ts'
import { freshRecruiting } from '../../support/recruiting.ts'
import { drawing, freshSignage } from '../../support/signage.ts'

/** Names of files as they are sent, also those that clients and servers change in a path. */
const NAMES = [
  `${'a'.repeat(96)}.png`,
  `${'a'.repeat(97)}.png`,
  `${'b'.repeat(251)}.png`,
  `${'c'.repeat(400)}.png`,
  'ñandú 日本 résumé.png',
  // 255 cuts the last one into halves.
  '🙂'.repeat(140),
  `a${'🙂'.repeat(140)}`,
  '%',
  '100%.png',
  'a%22b.png',
  'a%2Fb%00c%zz.png',
  'a"b\'c.png',
  'a?b#c&d=e+f;g:h@i,j.png',
  'a\\b.png',
  '.',
  '..',
  '...',
  '.png',
  ' ',
  'a/b.png',
  '../../etc/passwd',
  '..%2f..',
  '%2e%2e',
]

/** Returns all URLs of this server in a value, without those that take only POST. */
const urlsIn = ({ workspace }: FreshApp, value: unknown): string[] => {
  const found: string[] = []
  JSON.stringify(value, (_name, each: unknown) => {
    const isLink = typeof each === 'string' && each.startsWith(`${workspace.publicUrl}/`)
    if (isLink && !each.includes('/submit?')) found.push(each)
    return each
  })
  return found
}

/** Fetches all URLs of a value and of the events as a client does, which removes dots from paths. */
async function mustLoad(fresh: FreshApp, of: InterfaceName, content: string, ...values: unknown[]) {
  const urls = new Set(urlsIn(fresh, [...values, eventsOf(fresh.workspace, of)]))
  for (const url of urls) {
    const { pathname, search } = new URL(url)
    const { status, text } = await fresh.call('GET', pathname + search)
    expect({ url, status }).toEqual({ url, status: 200 })
    if (pathname.startsWith('/files/')) expect(text).toBe(content)
  }
  return urls.size
}

test('attachments', async () => {
  const { begin, raw, fresh, messagesOf } = await freshAccount()
  const { id } = await begin()
  for (const filename of NAMES) {
    const form = formOf({ 'attachments[]': [{ filename, content: 'text' }] })
    expect((await raw('POST', `/conversations/${String(id)}/messages`, form)).status).toBe(200)
  }
  const count = await mustLoad(fresh, 'conversations', 'text', await messagesOf(id), await messagesOf(id))
  expect(count).toBeGreaterThan(15)
})

test('media', async () => {
  const { upload, fresh, ask } = await freshSignage()
  const { content } = drawing()
  for (const filename of NAMES) {
    expect((await upload({ file: { filename, content } })).status).toBe(201)
  }
  expect(await mustLoad(fresh, 'signage', String(content), await ask('GET', '/media?per_page=100'))).toBe(
    NAMES.length,
  )
})

test('answers of forms, whose names are also sent as JSON', async () => {
  const { publishNew, submit, send, response, responses, fresh } = await freshForms()
  const { id, slug } = await publishNew([{ id: 'plan', type: 'file', label: 'Plan' }])
  for (const name of NAMES) {
    const { status } = await submit(id, { plan: { name, content: 'dGV4dA==' } })
    expect([200, 201, 422]).toContain(status)
    expect((await send(`/f/${slug}`, { answer_plan: { filename: name, content: 'text' } })).status).toBe(303)
  }
  const all = await Promise.all((await responses(id)).map((each) => response(id, each.id)))
  expect(await mustLoad(fresh, 'forms', 'text', all)).toBeGreaterThan(15)
})

test('CVs of applicants', async () => {
  const { fresh, addVacancy, ask, getCandidate } = await freshRecruiting()
  await addVacancy({ title: 'Joiner' })
  for (const [index, filename] of NAMES.entries()) {
    const { raw, contentType } = formOf({
      name: `Rosa ${String(index)}`,
      email: `rosa${String(index)}@example.com`,
      cv: { filename, content: 'text' },
    })
    const { statusCode } = await fresh.app.fastify.inject({
      method: 'POST',
      url: `/recruiting/jobs/${fresh.workspace.id}/joiner`,
      headers: { 'content-type': contentType ?? '' },
      payload: raw,
    })
    expect(statusCode).toBe(303)
  }
  const { data } = await ask<{ data: { id: string }[] }>('GET', '/candidates/search?per_page=100')
  const profiles = await Promise.all(data.map(({ id }) => getCandidate(id)))
  const files = profiles.map(({ documents }) => documents.cv_url)
  expect(await mustLoad(fresh, 'recruiting', 'text', files)).toBe(2 * NAMES.length + 1)
})

test('the page of a vacancy, whose slug in a snapshot may have 200 characters', async () => {
  const { fresh, addVacancy, getVacancy } = await freshRecruiting()
  const { id } = await addVacancy({ title: 'Joiner' })
  const snapshot = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { text } = await fresh.call('GET', snapshot)
  const raw = text.replace('"joiner"', `"${'j'.repeat(200)}"`)
  expect((await fresh.call('PUT', snapshot, { raw })).status).toBe(204)
  const vacancy = await getVacancy(id)
  expect(vacancy.public_url).toContain('j'.repeat(200))
  expect(await mustLoad(fresh, 'recruiting', '', vacancy)).toBeGreaterThan(0)
})

test('a file of a snapshot that has any name', async () => {
  const { fresh } = await freshAccount()
  const names = ['', '.', '..', 'a/b', '\uD83D', '🙂'.repeat(2000)]
  for (const name of names) {
    const { url } = fileLink(fresh.workspace, { id: 'file_1', name })
    const { pathname, search } = new URL(url)
    const { statusCode, payload } = await fresh.app.fastify.inject(pathname + search)
    expect([statusCode, payload]).toEqual([404, expect.stringContaining('does not exist')])
  }
})
