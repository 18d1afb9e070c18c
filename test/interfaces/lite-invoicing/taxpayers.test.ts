/** The lookup of taxpayers, and the check digits of their numbers. Specification part 2, "Lite invoicing". */
import { expect, test } from 'vitest'
import type { FreshApp } from '../../support/app.ts'
import { freshLiteInvoicing, refusal } from '../../support/liteInvoicing.ts'

test.each([
  ['61302-14-123411', 22],
  ['1102-85-117211', 95],
  ['41369-85-283456', 73],
  ['2486589-1-816994', 62],
  ['1830234-1-710357', 82],
  ['64296-75-357434', 0],
  ['203141-1-17214', 60],
  ['1075137-1-553125', 18],
  ['11947-1027-0229562', 71],
  ['11947-1-0229562', 42],
  ['155596713-2-2015', 59],
  ['155664844-2-2018', 64],
  ['2588017-1-831938', 20],
  ['49-572-8631', 19],
  ['8-442-445', 20],
  ['8-NT-1-13178', 35],
  ['8-NT-2-4249', 8],
])('computes the check digit of the legal entity %s as %i', async (ruc, dv) => {
  const { register, lookUp } = await freshLiteInvoicing()
  expect(await register({ ruc, name: 'Somebody', type: 2 })).toMatchObject({ status: 200, body: { ruc, dv } })
  const found = await lookUp(`?ruc=${ruc}&type=2`)
  expect(found.body).toMatchObject({ result: { ruc, type: 2, dv } })
  expect((await lookUp(`?ruc=${ruc}&type=1`)).status).toBe(404)
})

test.each([
  ['8-442-445', 8],
  ['1-184-921', 49],
  ['PE-10-442', 50],
  ['N-45-832', 58],
  ['E-12-342', 10],
  ['1AV-432-658', 31],
  ['8-NT-1-13178', 2],
  ['8-NT-2-4249', 77],
])('computes the check digit of the natural person %s as %i', async (ruc, dv) => {
  const { register, lookUp } = await freshLiteInvoicing()
  expect(await register({ ruc, name: 'Somebody', type: 1 })).toMatchObject({ status: 200, body: { ruc, dv } })
  const found = await lookUp(`?ruc=${ruc}&type=1`)
  expect(found.body).toMatchObject({ result: { ruc, type: 1, dv } })
  expect((await lookUp(`?ruc=${ruc}&type=2`)).status).toBe(404)
})

/** The canonical form of a RUC, its type and other spellings. */
const SPELLINGS: readonly [ruc: string, type: number, others: readonly string[]][] = [
  ['8-442-445', 1, ['8-0442-00445', '08-442-445', ' 8 - 442 - 445 ']],
  ['13-1234-123456', 1, ['013-1234-123456']],
  ['PE-10-442', 1, ['pe-10-442', 'Pe-0010-000442']],
  ['E-12-342', 1, ['e-012-342']],
  ['8AV-432-658', 1, ['8-AV-432-658', '08av-0432-658']],
  ['4PI-234-123', 1, ['4-PI-234-123', '4pi-234-00123']],
  ['8-NT-1-13178', 1, ['8NT-1-13178', '8-nt-0001-013178']],
  ['8-NT-1-13178', 2, ['8NT-1-13178', '08-NT-1-13178']],
  ['49-572-8631', 2, ['049-572-8631', '0000000049-0572-0008631']],
  ['61302-14-123411', 2, ['061302-0014-123411', '61302-14-0123411']],
  ['11947-1027-0229562', 2, ['11947-1027-229562']],
  ['155712345-2-2022', 2, ['155712345-02-02022', '0155712345-2-2022']],
]

test.each(SPELLINGS)('knows the taxpayer %s of type %i in other spellings', async (ruc, type, others) => {
  const { register, lookUp, fresh } = await freshLiteInvoicing()
  const { body: registered } = await register({ ruc, name: 'First', type })
  for (const other of others) {
    const { body } = await lookUp(`?ruc=${encodeURIComponent(other)}&type=${String(type)}`)
    expect(body, other).toEqual({ success: true, result: registered })
  }
  for (const other of others) await register({ ruc: other, name: other, type })
  expect(await stored(fresh)).toMatchObject([{ ruc, name: others.at(-1) }])
})

test('stores a spelling in the canonical form', async () => {
  const { register } = await freshLiteInvoicing()
  const { body } = await register({ ruc: '08-0442-00445', name: 'Beatriz Mora', type: 1 })
  expect(body).toMatchObject({ ruc: '8-442-445', dv: 8 })
})

const stored = async ({ call, workspace }: FreshApp): Promise<readonly object[]> => {
  const { body } = await call('GET', `/_sim/workspaces/${workspace.id}/snapshot`)
  return (body as { 'lite-invoicing': { taxpayers: object[] } })['lite-invoicing'].taxpayers
}

test.each(SPELLINGS)(
  'finds %s of type %i in the spelling of an earlier version',
  async (ruc, type, others) => {
    const kept = others.map((text) => text.replaceAll(' ', '').toUpperCase())
    // They refused a zero before the province.
    for (const other of kept.filter((text) => !/^0\d?(?:-\d{3}|-?[A-Z])/.test(text))) {
      const { register, lookUp, fresh } = await freshLiteInvoicing()
      const { body: registered } = await register({ ruc, name: 'First', type })
      const { sqlite } = fresh.app.workspaces.database
      const set = 'UPDATE lite_taxpayers SET ruc = ?, dv = 99, revision = next_revision() WHERE ruc = ?'
      sqlite.prepare(set).run(other, ruc)
      const find = async () => (await lookUp(`?ruc=${ruc}&type=${String(type)}`)).body as { result: object }
      const { result } = await find()
      // The check digit of an entry of seven digits is its own.
      if (![ruc, other].some((text) => /-0\d{6}$/.test(text))) expect(result, other).toEqual(registered)
      await register({ ruc, name: 'Second', type })
      expect((await find()).result, other).toMatchObject({ name: 'Second' })
      expect(await stored(fresh)).toHaveLength(1)
    }
  },
)

test('restores old spellings from a snapshot in the canonical form', async () => {
  const { register, lookUp, fresh } = await freshLiteInvoicing()
  await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { text } = await fresh.call('GET', path)
  const body = JSON.parse(text.replace('"8-442-445"', '"8-0442-00445"')) as object
  expect((await fresh.call('PUT', path, { body })).status).toBe(204)
  expect(await stored(fresh)).toMatchObject([{ ruc: '8-442-445' }])
  expect((await lookUp('?ruc=8-0442-00445&type=1')).body).toMatchObject({
    result: { ruc: '8-442-445', dv: 8 },
  })
})

test('registers a natural person and a legal entity with the same number', async () => {
  const { register, lookUp, fresh } = await freshLiteInvoicing()
  for (const ruc of ['8-NT-1-13178', '8-442-445']) {
    await register({ ruc, name: 'Beatriz Mora', type: 1 })
    await register({ ruc, name: 'Mora y Compañía', type: 2 })
    const found = [await lookUp(`?ruc=${ruc}&type=1`), await lookUp(`?ruc=${ruc}&type=2`)]
    const names = found.map(({ body }) => (body as { result: { name: string } }).result.name)
    expect(names).toEqual(['Beatriz Mora', 'Mora y Compañía'])
  }
  const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
  const { body } = await fresh.call('GET', path)
  expect((await fresh.call('PUT', path, { body })).status).toBe(204)
  expect(await stored(fresh)).toHaveLength(4)
})

test.each([
  '0-1-1',
  '0-NT-1-1',
  '14-NT-1-1',
  '8-12345-1',
  'X-1-1',
  '12-3',
  '12345678901-1-1',
  '123-12345-1',
  '123-1-12345678',
  '8-1-12345678',
  'CIP-000-000-0000',
  'NT-1-1',
])('refuses "%s" as a RUC of either type', async (ruc) => {
  const { register } = await freshLiteInvoicing()
  for (const type of [1, 2])
    expect(await register({ ruc, name: 'Somebody', type })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'ruc' }] } },
    })
})

test('distinguishes old and new numbers by the fourth to sixth digits', async () => {
  const { register } = await freshLiteInvoicing()
  // 0000049999 is old, 0000050000 is not: the same digits have other weights.
  expect((await register({ ruc: '49999-1-1', name: 'Old', type: 2 })).body).toMatchObject({ dv: 80 })
  expect((await register({ ruc: '50000-1-1', name: 'New', type: 2 })).body).toMatchObject({ dv: 96 })
})

test('finds a registered taxpayer by RUC and type', async () => {
  const { register, lookUp } = await freshLiteInvoicing()
  const taxpayer = { ruc: '155712345-2-2022', dv: 12, name: 'Canal Logistics', type: 2 }
  const registered = await register({ ruc: '155712345-2-2022', name: 'Canal Logistics', type: 2 })
  expect(registered).toMatchObject({ status: 200, body: taxpayer })
  const found = await lookUp('?ruc=155712345-2-2022&type=2')
  expect(found).toMatchObject({ status: 200, body: { success: true, result: taxpayer } })
})

test('finds a RUC in any case and with spaces', async () => {
  const { register, lookUp } = await freshLiteInvoicing()
  await register({ ruc: ' pe-10-442 ', name: 'Diego Salas', type: 1 })
  const { body } = await lookUp('?ruc=%20Pe-10%20-442&type=1')
  expect(body).toMatchObject({ result: { ruc: 'PE-10-442', dv: 50 } })
})

test('accepts tipo as another name of type, but no other value', async () => {
  const { register, lookUp } = await freshLiteInvoicing()
  await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
  expect((await lookUp('?ruc=8-442-445&tipo=1')).body).toMatchObject({ result: { dv: 8 } })
  expect((await lookUp('?ruc=8-442-445&type=1&tipo=1')).status).toBe(200)
  for (const types of ['type=1&tipo=2', 'type=2&tipo=1', 'type=1&tipo=', 'type=&tipo=1']) {
    const answer = await lookUp(`?ruc=8-442-445&${types}`)
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('type and tipo must be equal'),
    ])
  }
  expect((await lookUp('?ruc=8-442-445&tipo=3')).status).toBe(400)
})

test.each(['', '?ruc=8-442-445&type=3'])('refuses a lookup with "%s"', async (query) => {
  const { lookUp } = await freshLiteInvoicing()
  expect(await lookUp(query)).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
})

test.each(['?ruc=8-442-446&type=1', '?ruc=8-442-445&type=2', '?ruc=nobody&type=1'])(
  'finds nobody in a lookup with %s',
  async (query) => {
    const { register, lookUp } = await freshLiteInvoicing()
    await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
    expect(await lookUp(query)).toMatchObject(refusal(404, 'TAXPAYER_NOT_FOUND'))
  },
)

test('updates the name of a taxpayer that is registered again', async () => {
  const { register, lookUp } = await freshLiteInvoicing()
  await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
  await register({ ruc: '8-442-445', name: 'Beatriz Mora de León', type: 1 })
  const { body } = await lookUp('?ruc=8-442-445&type=1')
  expect(body).toMatchObject({ result: { name: 'Beatriz Mora de León' } })
})

test.each([
  [{ ruc: 'nobody', type: 1 }, 'ruc'],
  [{ ruc: 'PE-10-442', type: 2 }, 'type'],
  [{ ruc: '14-442-445', type: 1 }, 'type'],
  [{ ruc: '155712345-2-2022', type: 1 }, 'type'],
  [{ ruc: '8-442-445', type: 3 }, 'type'],
  [{ ruc: '8-442-445', type: 1, name: ' ' }, 'name'],
])('refuses to register %j', async (body, field) => {
  const { register, fresh } = await freshLiteInvoicing()
  const before = fresh.dump()
  const answer = await register({ name: 'Somebody', ...body })
  expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } })
  expect(fresh.dump()).toEqual(before)
})

test('returns not found for a taxpayer of another company', async () => {
  const { register, lookUp, fresh } = await freshLiteInvoicing()
  await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
  const other = fresh.tenant()
  const query = '/invoicing/ruc/info?ruc=8-442-445&type=1'
  expect((await lookUp('?ruc=8-442-445&type=1')).status).toBe(200)
  expect((await fresh.at('lite-invoicing')('GET', query, { key: other.key })).status).toBe(404)
})
