/** The lookup of taxpayers, and the check digits of their numbers. Specification part 2, "Lite invoicing". */
import { expect, test } from 'vitest'
import { parseRuc } from '../../../src/state/lite-invoicing/ruc.ts'
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
])('computes the check digit of the legal entity %s as %i', (ruc, dv) => {
  expect(parseRuc(ruc)).toEqual({ ruc, type: 2, dv })
})

test.each([
  ['8-442-445', 8],
  ['1-184-921', 49],
  ['PE-10-442', 50],
  ['N-45-832', 58],
  ['E-12-342', 10],
  ['1AV-432-658', 31],
])('computes the check digit of the natural person %s as %i', (ruc, dv) => {
  expect(parseRuc(ruc)).toEqual({ ruc, type: 1, dv })
})

test.each(['13-1234-123456', '4PI-234-123', '4-PI-234-123', '8-NT-1-13422', '8NT-1-13422'])(
  'recognizes %s as the number of a natural person',
  (ruc) => {
    expect(parseRuc(ruc)).toMatchObject({ ruc, type: 1 })
  },
)

test.each([
  '0-1-1',
  '14-1-1',
  '8-12345-1',
  '8-1-1234567',
  'X-1-1',
  '12-3',
  '12345678901-1-1',
  '123-12345-1',
  '123-1-12345678',
  'CIP-000-000-0000',
  'NT-1-1',
])('refuses "%s" as a RUC', (text) => {
  expect(parseRuc(text)).toBeNull()
})

test('distinguishes old and new numbers by the fourth to sixth digits', () => {
  // 0000049999 is old, 0000050000 is not: the same digits have other weights.
  expect([parseRuc('49999-1-1')?.dv, parseRuc('50000-1-1')?.dv]).toEqual([80, 96])
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

test('accepts tipo as another name of type, with precedence', async () => {
  const { register, lookUp } = await freshLiteInvoicing()
  await register({ ruc: '8-442-445', name: 'Beatriz Mora', type: 1 })
  expect((await lookUp('?ruc=8-442-445&tipo=1')).body).toMatchObject({ result: { dv: 8 } })
  expect((await lookUp('?ruc=8-442-445&type=1&tipo=2')).status).toBe(200)
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
  [{ ruc: '8-442-445', type: 2 }, 'type'],
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
