/** The page of a vacancy on which people apply, and the rooms of interviews. Neither is in the specification. */
import { expect, test } from 'vitest'
import { formOf, type SentFile } from '../../support/forms.ts'
import { freshRecruiting } from '../../support/recruiting.ts'
import { dumpOf } from '../../support/records.ts'

const PDF = '%PDF-1.4\n%\u00e2\u00e3\n1 0 obj\n<<>>\nendobj\n'
const cvOf = (content: string | Buffer, filename = 'cv.pdf'): SentFile => ({ filename, content })

async function page() {
  const hiring = await freshRecruiting()
  const { fresh, addVacancy } = hiring
  const address = (path: string) => `/recruiting/jobs/${fresh.workspace.id}/${path}`
  return {
    ...hiring,
    vacancy: (fields?: object) => addVacancy({ title: 'Joiner', ...fields }),
    open: (path: string, method: 'GET' | 'HEAD' = 'GET') =>
      fresh.app.fastify.inject({ method, url: address(path) }),
    send: (fields: Parameters<typeof formOf>[0], slug = 'joiner') => {
      const { raw, contentType } = formOf(fields)
      return fresh.app.fastify.inject({
        method: 'POST',
        url: address(slug),
        headers: { 'content-type': contentType ?? '' },
        payload: raw,
      })
    },
    applicants: async (id: string) =>
      (await hiring.ask<{ data: { id: string; name: string }[] }>('GET', `/vacancies/${id}/candidates`)).data,
    stored: () => (dumpOf(fresh.app.records, fresh.workspace)['files']?.['files'] ?? []).length,
  }
}

const rosa = { name: 'Rosa Medina', email: 'rosa@example.com' }

test('shows the vacancy with escaped texts, and counts each visit as a view', async () => {
  const { vacancy, open, getVacancy } = await page()
  const { id, public_url } = await vacancy({
    description: '<b>bold</b>',
    location: { country: 'PA', city: 'David' },
    salary_range: { min: 900, max: 1200.5, currency: 'USD' },
    requirements: { mandatory: ['Hands'] },
  })
  expect(public_url).toMatch(/\/joiner$/)
  const { statusCode, body, headers } = await open('joiner')
  expect(statusCode).toBe(200)
  for (const text of [
    'Joiner',
    '&lt;b&gt;bold',
    'David, Panama',
    '$900.00 to $1,200.50',
    'Hands',
    'multipart/form-data',
  ]) {
    expect(body).toContain(text)
  }
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  await open('joiner', 'HEAD')
  await open('joiner/applied')
  await open('joiner')
  expect((await getVacancy(id)).views_count).toBe(2)
})

test('sends one confirmation for an application on the page, and none for a repeated one', async () => {
  const { vacancy, send, emails } = await page()
  await vacancy()
  expect((await send({ ...rosa, email: 'no address' })).statusCode).toBe(422)
  expect(emails()).toEqual([])
  expect((await send(rosa)).statusCode).toBe(303)
  expect(emails()).toMatchObject([
    { to: 'rosa@example.com', subject: expect.stringContaining('Joiner') as string },
  ])
  expect((await send(rosa)).statusCode).toBe(303)
  expect(emails()).toHaveLength(1)
})

test('hides a salary that is not visible', async () => {
  const { vacancy, open } = await page()
  await vacancy({ salary_range: { min: 987, max: 1234, visible: false } })
  expect((await open('joiner')).body).not.toMatch(/987|1,234|Salary/)
})

test.each([
  ['draft', 'public', 404],
  ['published', 'internal', 404],
  ['published', 'public', 200],
])('for a vacancy that is %s and %s returns %s', async (status, visibility, expected) => {
  const { vacancy, open, send } = await page()
  await vacancy({ status, visibility })
  expect((await open('joiner')).statusCode).toBe(expected)
  expect((await send(rosa)).statusCode).toBe(expected === 200 ? 303 : 404)
})

test.each([
  ['paused', 200],
  ['in_process', 200],
  ['closed', 200],
  ['archived', 404],
])('refuses applications for a vacancy that is %s', async (status, expected) => {
  const { vacancy, open, send, ask, applicants, getVacancy, stored } = await page()
  const { id } = await vacancy()
  const way = status === 'archived' ? ['closed', 'archived'] : [status]
  for (const each of way) await ask('POST', `/vacancies/${id}/status`, { status: each })
  const vacancyPage = await open('joiner')
  expect(vacancyPage.statusCode).toBe(expected)
  expect(vacancyPage.body).not.toContain('<form')
  expect((await send({ ...rosa, cv: cvOf(PDF) })).statusCode).toBe(expected === 200 ? 409 : 404)
  expect(await applicants(id)).toEqual([])
  expect(stored()).toBe(0)
  expect((await getVacancy(id)).views_count).toBe(0)
})

test('creates a candidate with a résumé that can be downloaded', async () => {
  const { vacancy, send, applicants, getCandidate, fresh, events } = await page()
  const { id } = await vacancy({ skills: ['sewing'] })
  const { statusCode, headers } = await send({
    ...rosa,
    phone: '6000 0001',
    country: 'PA',
    city: 'David',
    experience_years: '2,5',
    skills: 'sewing, leather',
    cv: cvOf(PDF, '../résumé.pdf'),
  })
  expect([statusCode, headers.location]).toEqual([303, 'joiner/applied'])
  const [applicant] = await applicants(id)
  expect(applicant).toMatchObject({
    ...rosa,
    phone: '6000 0001',
    location: { country: 'Panama', city: 'David' },
    experience_years: 2.5,
    skills: ['sewing', 'leather'],
    stage: 'new',
    match_score: 100,
  })
  expect(events().at(-1)).toBe('candidate.applied')
  const { documents } = await getCandidate(String(applicant?.id))
  const url = new URL(documents.cv_url ?? '')
  const loaded = await fresh.app.fastify.inject({ method: 'GET', url: url.pathname + url.search })
  expect(loaded.headers['content-type']).toBe('application/pdf')
  expect(loaded.rawPayload).toEqual(Buffer.from(PDF))
})

test('merges a second application, and replaces the résumé of a candidate', async () => {
  const { vacancy, send, applicants, stored } = await page()
  const { id } = await vacancy()
  expect((await send({ ...rosa, phone: '6000 0001', skills: 'sewing', cv: cvOf(PDF) })).statusCode).toBe(303)
  expect((await send({ ...rosa, skills: 'leather', cv: cvOf(`${PDF} `) })).statusCode).toBe(303)
  expect(await applicants(id)).toMatchObject([{ phone: '6000 0001', skills: ['sewing', 'leather'] }])
  expect(stored()).toBe(1)
  await vacancy({ title: 'Painter' })
  expect((await send({ ...rosa, cv: cvOf(`${PDF}  `) }, 'painter')).statusCode).toBe(303)
  expect(stored()).toBe(1)
})

test.each([
  ['name', { email: 'rosa@example.com' }],
  ['name', { ...rosa, name: ' ' }],
  ['name', { ...rosa, name: 'x'.repeat(201) }],
  ['email', { name: 'Rosa' }],
  ['email', { ...rosa, email: 'rosa' }],
  ['phone', { ...rosa, phone: 'x'.repeat(41) }],
  ['country', { ...rosa, country: 'Atlantis' }],
  ['city', { ...rosa, city: 'x'.repeat(101) }],
  ['experience_years', { ...rosa, experience_years: 'many' }],
  ['experience_years', { ...rosa, experience_years: '81' }],
  ['skills', { ...rosa, skills: 'x'.repeat(51) }],
  ['skills', { ...rosa, skills: Array.from({ length: 51 }, (_, index) => `s${String(index)}`).join() }],
  ['cv', { ...rosa, cv: cvOf(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), 'cv.pdf') }],
])('shows the error of the field %s', async (field, fields) => {
  const { vacancy, send, applicants, stored } = await page()
  const { id } = await vacancy()
  const { statusCode, body } = await send(fields)
  expect(statusCode).toBe(422)
  expect(body).toContain(`id="field-${field}-problem"`)
  expect(body).toContain(`href="#field-${field}"`)
  expect(await applicants(id)).toEqual([])
  expect(stored()).toBe(0)
})

test('accepts every field at its limit, and treats an unselected file as missing', async () => {
  const { vacancy, send, stored } = await page()
  await vacancy()
  const { statusCode } = await send({
    name: 'x'.repeat(200),
    email: 'rosa@example.com',
    phone: 'x'.repeat(40),
    city: 'x'.repeat(100),
    experience_years: '80',
    skills: 'x'.repeat(50),
    cv: { filename: '', content: '', type: 'application/octet-stream' },
  })
  expect(statusCode).toBe(303)
  expect(stored()).toBe(0)
})

test('accepts a résumé of 5 MB, and refuses one more byte', async () => {
  const { vacancy, send, stored } = await page()
  await vacancy()
  const large = (bytes: number) =>
    cvOf(Buffer.concat([Buffer.from(PDF), Buffer.alloc(bytes - Buffer.byteLength(PDF))]))
  expect((await send({ ...rosa, cv: large(5 * 1024 * 1024 + 1) })).statusCode).toBe(413)
  expect(stored()).toBe(0)
  expect((await send({ ...rosa, cv: large(5 * 1024 * 1024) })).statusCode).toBe(303)
  expect(stored()).toBe(1)
})

test.each([1000, 100_000])('detects the type of a résumé of %s characters by its content', async (length) => {
  const { vacancy, send } = await page()
  await vacancy()
  const cv = { ...cvOf('x'.repeat(length), 'cv.txt'), type: 'text/html' }
  expect((await send({ ...rosa, cv })).statusCode).toBe(303)
})

test.each([
  ['video_platform', 200],
  ['phone', 404],
])('for an interview by %s returns a room with %s', async (type, expected) => {
  const { vacancy, apply, schedule, open, trigger } = await page()
  const { id } = await vacancy()
  const interview = await schedule(id, await apply(id, { name: '<Rosa>' }), { type })
  await trigger('interview.confirm', { interview_id: interview.id })
  const { statusCode, body } = await open(`rooms/${interview.id}`)
  expect(statusCode).toBe(expected)
  if (expected === 200) {
    for (const text of ['&lt;Rosa&gt;', 'Marco Vega', 'is confirmed', '1 December 2026'])
      expect(body).toContain(text)
  }
})
