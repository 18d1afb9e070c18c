/** The workspace of a submission. Specification part 1, "Forms": the public submit route needs no key. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { freshForms, NOON, refusal, type DetailBody, type Forms } from '../../support/formBuilding.ts'

interface Copy {
  readonly id: string
  readonly key: string
}

/** A form whose workspace can be copied, and the number of responses in each copy. */
async function withForm() {
  const forms: Forms = await freshForms()
  const { fresh, call } = forms
  const form = await forms.publishNew([])
  const own: Copy = { id: fresh.workspace.id, key: fresh.key }
  const snapshotOf = async ({ id }: Copy) =>
    (await fresh.call('GET', `/_sim/workspaces/${id}/snapshot`)).body as object
  return {
    ...forms,
    form,
    own,
    snapshotOf,
    /** Creates another workspace with the same records. */
    async copy(fixtures?: object): Promise<Copy> {
      const body = { fixtures: fixtures ?? (await snapshotOf(own)) }
      const made = (await fresh.call('POST', '/_sim/workspaces', { body })).body
      const { workspace, key } = made as { workspace: { id: string }; key: string }
      return { id: workspace.id, key }
    },
    send: (query = '', key: string | null = null): Promise<Answer> =>
      call('POST', `/api/forms/${form.id}/submit${query}`, { key, body: { answers: {} } }),
    /** Submits to the URL that the form shows. */
    sendTo: (url: string): Promise<Answer> => {
      const { pathname, search } = new URL(url)
      return fresh.call('POST', pathname + search, { key: null, body: { answers: {} } })
    },
    submitUrl: async ({ key }: Copy): Promise<string> => {
      const { body } = await call('GET', `/api/v1/forms/${form.id}`, { key })
      return (body as { data: DetailBody }).data.submitUrl
    },
    counts: (...places: readonly Copy[]): Promise<number[]> =>
      Promise.all(
        places.map(async ({ key }) => {
          const { body } = await call('GET', `/api/v1/forms/${form.id}/responses`, { key })
          return (body as { data: unknown[] }).data.length
        }),
      ),
  }
}

describe('a submission without a key', () => {
  test('goes to the only workspace with the form', async () => {
    const { send, counts, own, fresh } = await withForm()
    fresh.tenant()
    expect((await send()).status).toBe(201)
    expect(await counts(own)).toEqual([1])
  })

  test('is refused if several workspaces have the form, and the error shows how to select one', async () => {
    const { send, counts, own, copy, fresh } = await withForm()
    const other = await copy()
    const refused = await send()
    expect(refused).toMatchObject(refusal(409, 'conflict'))
    expect(refused.text).toContain('Name one: add ?workspace=ID')
    expect(refused.text).toContain('X-API-Key')
    expect(await counts(own, other)).toEqual([0, 0])
    const unmatched = await fresh.call('GET', '/_sim/requests?unmatched=true&limit=1')
    expect(unmatched.body).toMatchObject({ data: [{ status: 409, interface: 'forms' }] })

    expect((await fresh.call('DELETE', `/_sim/workspaces/${other.id}`)).status).toBe(204)
    expect((await send()).status).toBe(201)
    expect(await counts(own)).toEqual([1])
  })

  test('goes only to the workspace in the query', async () => {
    const { send, counts, own, copy, fresh } = await withForm()
    const other = await copy()
    expect((await send(`?workspace=${other.id}`)).status).toBe(201)
    expect(await counts(own, other)).toEqual([0, 1])
    const empty = fresh.tenant().workspace.id
    for (const id of ['none', '', empty]) {
      expect(await send(`?workspace=${id}`)).toMatchObject(refusal(404, 'not_found'))
    }
    expect(await counts(own, other)).toEqual([0, 1])
  })
})

describe('a submission with a key', () => {
  test('goes to the workspace of the key', async () => {
    const { send, counts, own, copy } = await withForm()
    const other = await copy()
    expect((await send('', other.key)).status).toBe(201)
    expect((await send(`?workspace=${own.id}`, own.key)).status).toBe(201)
    expect(await counts(own, other)).toEqual([1, 1])
  })

  test('that is unknown, expired or not for forms is refused', async () => {
    const { send, counts, own, fresh } = await withForm()
    const expired = fresh.makeKey({ expiresAt: Date.parse(NOON) })
    const later = fresh.makeKey({ expiresAt: Date.parse(NOON) + 1 })
    const otherKey = fresh.makeKey({ interfaces: ['crm'] })
    for (const query of ['', `?workspace=${own.id}`]) {
      expect((await send(query, 'nobody')).status).toBe(401)
      expect((await send(query, expired)).status).toBe(401)
      expect((await send(query, otherKey)).status).toBe(403)
    }
    expect(await counts(own)).toEqual([0])
    expect((await send('', later)).status).toBe(201)
  })

  test('of a workspace without the form returns 404', async () => {
    const { send, counts, own, fresh } = await withForm()
    expect(await send('', fresh.tenant().key)).toMatchObject(refusal(404, 'not_found'))
    expect(await counts(own)).toEqual([0])
  })

  test('of a workspace other than that in the query is refused', async () => {
    const { send, counts, own, copy } = await withForm()
    const other = await copy()
    expect(await send(`?workspace=${own.id}`, other.key)).toMatchObject(
      refusal(422, 'validation_error', 'workspace', 'not_allowed'),
    )
    expect(await counts(own, other)).toEqual([0, 0])
  })
})

describe('submitUrl of a form', () => {
  test('reaches the right workspace after a copy, a restored snapshot and a deletion', async () => {
    const { submitUrl, sendTo, counts, own, copy, snapshotOf, fresh } = await withForm()
    const first = await submitUrl(own)
    expect((await sendTo(first)).status).toBe(201)
    const restored = await snapshotOf(own)
    const other = await copy()
    expect((await sendTo(first)).status).toBe(201)
    expect((await sendTo(await submitUrl(other))).status).toBe(201)
    expect(await counts(own, other)).toEqual([2, 2])

    await fresh.call('PUT', `/_sim/workspaces/${own.id}/snapshot`, { body: restored })
    expect(await counts(own, other)).toEqual([1, 2])
    expect((await sendTo(first)).status).toBe(201)
    expect(await submitUrl(own)).toBe(first)
    expect(await counts(own, other)).toEqual([2, 2])

    await fresh.call('DELETE', `/_sim/workspaces/${own.id}`)
    expect((await sendTo(first)).status).toBe(404)
    expect((await sendTo(await submitUrl(other))).status).toBe(201)
    expect(await counts(other)).toEqual([3])
  })

  test('is the same in lists and for a form whose id must be escaped', async () => {
    const { snapshotOf, own, copy, call, fresh } = await withForm()
    const snapshot = (await snapshotOf(own)) as { forms: { forms: { id: string }[] } }
    for (const form of snapshot.forms.forms) form.id = 'a b/ñ'
    const other = await copy(snapshot)
    const { body } = await call('GET', '/api/v1/forms', { key: other.key })
    const [listed] = (body as { data: DetailBody[] }).data
    const { pathname, search } = new URL(listed?.submitUrl ?? '')
    expect([pathname, search]).toEqual(['/forms/api/forms/a%20b%2F%C3%B1/submit', `?workspace=${other.id}`])
    const sent = await fresh.call('POST', pathname + search, { key: null, body: { answers: {} } })
    expect(sent.status).toBe(201)
  })
})
