/** The limit of the bytes of a workspace, on both sides, in the words of each interface. */
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { freshApp, type FreshApp } from '../../support/app.ts'
import { formOf } from '../../support/forms.ts'

const MAX = 400_000
/** A workspace is full when less than this is left. */
const RESERVE = MAX / 64

interface Usage {
  readonly bytes: number
  readonly records: number
  readonly storedFileBytes: number
  readonly maxBytes: number
}

async function setup() {
  const fresh = await freshApp({ maxWorkspaceBytes: MAX })
  const { call, at, workspace } = fresh
  const of = `/_sim/workspaces/${workspace.id}`
  const usage = async (): Promise<Usage> => ((await call('GET', of)).body as { usage: Usage }).usage
  const left = async (): Promise<number> => MAX - (await usage()).bytes
  const addContact = (size: number) =>
    at<{ id: string }>('crm')('POST', '/contacts', {
      body: { name: 'Ana', custom_fields: { notes: 'x'.repeat(size) } },
    })
  /** Adds contacts until this many bytes are left, or some hundred more. Returns the id of one. */
  const fillTo = async (remaining: number): Promise<string> => {
    let id = ''
    for (let room = await left(); room > remaining + 1000; room = await left()) {
      const { status, body } = await addContact(Math.min(20_000, room - remaining - 500))
      expect(status).toBe(201)
      id = body.id
    }
    return id
  }
  return { ...fresh, of, usage, left, addContact, fillTo }
}

/** Fills a workspace up to its limit. */
async function fullWorkspace() {
  const fresh = await setup()
  const contact = await fresh.fillTo(RESERVE + 100)
  expect((await fresh.addContact(4000)).status).toBe(201)
  expect(await fresh.left()).toBeLessThan(RESERVE)
  return { ...fresh, contact }
}

const FULL = `Its limit is ${String(MAX)} bytes, and it is full from ${String(MAX - RESERVE + 1)} bytes on.`

const media = (size: number) =>
  formOf({
    file: {
      filename: 'a.svg',
      content: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--${'x'.repeat(size)}--></svg>`,
      type: 'image/svg+xml',
    },
  })

const contacts = (rows: number) =>
  formOf({
    file: {
      filename: 'contacts.csv',
      content: `name,email\n${Array.from({ length: rows }, (_, n) => `Ana ${String(n)},ana${String(n)}@example.com`).join('\n')}\n`,
    },
  })

test('the usage counts records and stored files', async () => {
  const { usage, addContact, at } = await setup()
  expect(await usage()).toEqual({ bytes: 0, records: 0, storedFileBytes: 0, maxBytes: MAX })

  await addContact(10_000)
  const one = await usage()
  expect(one.records).toBe(1)
  expect(one.bytes).toBeGreaterThan(10_000)
  expect(one.bytes).toBeLessThan(11_500)

  const form = media(5000)
  expect((await at('signage')('POST', '/media', form)).status).toBe(201)
  const two = await usage()
  expect(two.storedFileBytes).toBeGreaterThan(5000)
  expect(two.bytes - one.bytes - two.storedFileBytes).toBeLessThan(2000)
  expect((await at('signage')('POST', '/media', form)).status).toBe(201)
  expect((await usage()).storedFileBytes).toBe(two.storedFileBytes)
})

describe('a full workspace', () => {
  test('refuses creates and changes in the words of each interface', async () => {
    const { at, dump, contact } = await fullWorkspace()
    const before = dump()
    const message = expect.stringContaining(FULL) as string

    expect(
      await at('catalog')('POST', '/products', { body: { name: 'Desk', type: 'physical' } }),
    ).toMatchObject({ status: 507, body: { error: { code: 'workspace_full', message } } })
    expect(await at('crm')('PATCH', `/contacts/${contact}`, { body: { name: 'Eva' } })).toMatchObject({
      status: 507,
    })
    expect(await at('payments')('POST', '/payment-links', { body: {} })).toMatchObject({
      status: 507,
      body: { error: 'workspace_full', message, status: 507 },
    })
    expect(await at('integration-payments')('POST', '/v1/customers', { body: {} })).toMatchObject({
      status: 507,
      body: { success: false, error: { code: 'ERR_WORKSPACE_FULL', message } },
    })
    expect(await at('crm')('POST', '/contacts', { body: { name: 'Ana' } })).toMatchObject({
      status: 507,
      body: { error: { code: 'workspace_full', message } },
    })
    expect(dump()).toEqual(before)
  })

  test('answers reads and searches, and works again after a deletion', async () => {
    const { at, call, of, contact, addContact } = await fullWorkspace()
    expect((await at('crm')('GET', '/contacts')).status).toBe(200)
    expect(
      (await at('conversations')('POST', '/accounts/1/contacts/filter', { body: { payload: [] } })).status,
    ).not.toBe(507)
    expect((await call('GET', `${of}/requests`)).status).toBe(200)
    expect((await addContact(10)).status).toBe(507)
    expect((await at('crm')('DELETE', `/contacts/${contact}`)).status).toBe(204)
    expect((await addContact(10)).status).toBe(201)
    expect((await call('POST', `${of}/reset`)).status).toBe(204)
    expect((await addContact(10)).status).toBe(201)
  })

  test('refuses a trigger and a named snapshot, and changes nothing', async () => {
    const { call, of, dump } = await fullWorkspace()
    const before = dump()
    const error = { code: 'workspace_full', message: expect.stringContaining(FULL) as string }
    expect(
      await call('POST', `${of}/triggers/pos.event.emit`, { body: { event: 'sale.completed' } }),
    ).toMatchObject({ status: 507, body: { error } })
    expect(await call('POST', `${of}/snapshots`, { body: { name: 'one' } })).toMatchObject({ status: 507 })
    expect((await call('GET', `${of}/snapshots`)).body).toEqual({ data: [] })
    expect(dump()).toEqual(before)
  })
})

describe('a body', () => {
  test('is accepted if it has as many bytes as are left, and refused with one more', async () => {
    const { left, fillTo, addContact, dump } = await setup()
    await fillTo(15_000)
    const empty = JSON.stringify({ name: 'Ana', custom_fields: { notes: '' } }).length
    const room = await left()
    const before = dump()
    const refused = await addContact(room - empty + 1)
    expect(refused).toMatchObject({
      status: 413,
      body: {
        error: {
          code: 'payload_too_large',
          message: expect.stringContaining(`room for ${String(room)} more bytes`) as string,
        },
      },
    })
    expect(dump()).toEqual(before)
    expect((await addContact(room - empty)).status).toBe(201)
    expect((await addContact(10)).status).toBe(507)
  })

  test('with a file is refused if it does not fit, also without a length', async () => {
    const { left, fillTo, at, app, key, dump } = await setup()
    await fillTo(60_000)
    const room = await left()
    const before = dump()
    expect((await at('signage')('POST', '/media', media(room))).status).toBe(413)
    const form = media(room)
    const streamed = await app.fastify.inject({
      method: 'POST',
      url: '/grid/v1/media',
      headers: { authorization: `Bearer ${key}`, 'content-type': form.contentType ?? '' },
      payload: Readable.from([form.raw]),
    })
    expect(streamed.statusCode).toBe(413)
    expect(dump()).toEqual(before)
    expect((await at('signage')('POST', '/media', media(room - 20_000))).status).toBe(201)
  })

  test('of an import is refused if it does not fit', async () => {
    const { fillTo, at, usage } = await setup()
    await fillTo(60_000)
    const { records } = await usage()
    expect((await at('crm')('POST', '/contacts/import', contacts(3000))).status).toBe(413)
    expect((await usage()).records).toBe(records)
    expect((await at('crm')('POST', '/contacts/import', contacts(20))).status).toBe(200)
    expect((await usage()).records).toBeGreaterThanOrEqual(records + 20)
  })
})

describe('the control plane', () => {
  const workspaceCount = async ({ call }: Pick<FreshApp, 'call'>): Promise<number> =>
    ((await call('GET', '/_sim/workspaces')).body as { data: unknown[] }).data.length

  test('clones a workspace whose copy and its first state fit, and no larger one', async () => {
    const fresh = await setup()
    const { call, of, fillTo } = fresh
    await fillTo(MAX / 2 + 2000)
    expect((await call('POST', `${of}/clone`)).status).toBe(201)
    const count = await workspaceCount(fresh)
    await fillTo(MAX / 2 - 20_000)
    expect(await call('POST', `${of}/clone`)).toMatchObject({
      status: 507,
      body: { error: { code: 'workspace_full' } },
    })
    expect(await workspaceCount(fresh)).toBe(count)
  })

  test('saves and restores named snapshots that fit', async () => {
    const { call, of, fillTo, addContact, usage } = await setup()
    await fillTo(MAX - 110_000)
    expect((await call('POST', `${of}/snapshots`, { body: { name: 'one' } })).status).toBe(201)
    expect((await usage()).bytes).toBeGreaterThan(210_000)
    expect((await call('POST', `${of}/snapshots/one/restore`)).status).toBe(204)
    expect((await call('POST', `${of}/snapshots`, { body: { name: 'two' } })).status).toBe(201)
    expect(await call('POST', `${of}/snapshots`, { body: { name: 'three' } })).toMatchObject({ status: 507 })
    expect((await call('DELETE', `${of}/snapshots/two`)).status).toBe(204)
    expect((await addContact(40_000)).status).toBe(201)
  })

  test('replaces the records of a full workspace with fewer, and refuses more than fit', async () => {
    const { call, of, fillTo, addContact, dump } = await setup()
    await fillTo(MAX - 100_000)
    const small = (await call('GET', `${of}/snapshot`)).body
    await fillTo(RESERVE + 100)
    const large = (await call('GET', `${of}/snapshot`)).body as {
      crm: { contacts: Record<string, unknown>[] }
    }
    const before = dump()
    const { contacts: all } = large.crm
    const more = all.map((each) => ({ ...each, id: `${String(each['id'])}_copy` }))
    const larger = { ...large, crm: { ...large.crm, contacts: [...all, ...more] } }
    expect(await call('PUT', `${of}/snapshot`, { body: larger })).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    })
    expect(dump()).toEqual(before)
    expect(await call('POST', '/_sim/workspaces', { body: { fixtures: larger } })).toMatchObject({
      status: 413,
    })
    expect((await call('PUT', `${of}/snapshot`, { body: large })).status).toBe(204)
    expect((await call('PUT', `${of}/snapshot`, { body: small })).status).toBe(204)
    expect((await addContact(10_000)).status).toBe(201)
  })
})

test('a workspace that creates and deletes without end never becomes full', async () => {
  const { at, usage, addContact } = await setup()
  for (let n = 0; n < 60; n++) {
    const { status, body } = await addContact(20_000)
    expect(status).toBe(201)
    expect((await at('crm')('DELETE', `/contacts/${body.id}`)).status).toBe(204)
  }
  expect((await usage()).bytes).toBeLessThan(MAX / 2)
})
