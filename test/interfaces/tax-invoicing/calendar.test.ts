/** Lists, reports and files use the time zone of the `Fecha` of invoices, not that of the workspace. */
import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, test } from 'vitest'
import { openArchive } from '../../../src/http/files/zip.ts'
import { attributeOf } from '../../support/authority.ts'
import { freshPaying } from '../../support/paying.ts'
import { freshTaxRecords, invoiceRecord, type TaxRecords } from '../../support/taxRecords.ts'

/** December 31, 2026, 9:30 p.m. in Mexico City. */
const LAST_EVENING = '2027-01-01T03:30:00.000Z'
/** One second before midnight there. */
const LAST_SECOND = '2027-01-01T05:59:59.000Z'
const NEW_YEAR = '2027-01-01T06:00:00.000Z'

const PPD = { metodoPago: 'PPD', formaPago: '99' }

describe.each(['UTC', 'Asia/Tokyo'])(
  'in a workspace in %s, an invoice of December 31, 9:30 p.m.',
  (timezone) => {
    let records: TaxRecords

    beforeEach(async () => {
      records = await freshTaxRecords()
      const { workspace } = records.fresh
      workspace.change({ timezone })
      records.fresh.setClock(NEW_YEAR)
      await records.put({
        invoices: [
          invoiceRecord(1, { ...PPD, date: LAST_EVENING }),
          invoiceRecord(2, { ...PPD, date: LAST_SECOND }),
          invoiceRecord(3, { ...PPD, date: NEW_YEAR }),
        ],
      })
    })

    const foliosOf = async (query: string): Promise<number[]> => {
      const { data } = await records.ask<{ data: { folio: number }[] }>('GET', `/invoices?${query}`)
      return data.map(({ folio }) => folio)
    }

    test('is listed in December', async () => {
      expect(await foliosOf('from=2026-12-01&to=2026-12-31')).toEqual([2, 1])
      expect(await foliosOf('from=2027-01-01')).toEqual([3])
    })

    test.each(['income', 'taxes'])('counts in the %s of December and of 2026', async (report) => {
      const count = async (query: string): Promise<number> => {
        const path = `/reports/${report}?${query}`
        return (await records.ask<{ invoice_count: number }>('GET', path)).invoice_count
      }
      expect(await count('date=2026-12-31')).toBe(2)
      expect(await count('period=quarter&date=2026-12-01')).toBe(2)
      expect(await count('period=year&date=2026-01-01')).toBe(2)
      expect(await count('date=2027-01-01')).toBe(1)
      // At the issuer today is January 1.
      expect(await count('period=month')).toBe(1)
      records.fresh.setClock(LAST_SECOND)
      expect(await count('period=month')).toBe(2)
    })

    test('is due on that day, from which its age counts', async () => {
      const read = async () =>
        (
          await records.ask<{ data: { due_date: string; days_overdue: number }[] }>(
            'GET',
            '/reports/receivables',
          )
        ).data.map(({ due_date: day, days_overdue: days }) => [day, days])
      expect(await read()).toEqual([
        ['2026-12-31', 1],
        ['2026-12-31', 1],
        ['2027-01-01', 0],
      ])
      // Thirty days later is the end of the first bucket.
      records.fresh.setClock('2027-01-31T05:59:59.000Z')
      expect((await read())[0]).toEqual(['2026-12-31', 30])
      records.fresh.setClock('2027-01-31T06:00:00.000Z')
      expect((await read())[0]).toEqual(['2026-12-31', 31])
    })

    test('is in the archive of December', async () => {
      const namesIn = async (query: string): Promise<number> => {
        const { app, key } = records.fresh
        const answer = await app.fastify.inject({
          url: `/einvoicing/v1/reports/xml-download?${query}`,
          headers: { authorization: `Bearer ${key}` },
        })
        const archive = await openArchive(answer.rawPayload, { unpacked: 10_000_000, files: 100 })
        archive.close()
        return [...archive.paths].length
      }
      expect(await namesIn('from=2026-12-31&to=2026-12-31')).toBe(2)
      expect(await namesIn('to=2026-12-31')).toBe(2)
      expect(await namesIn('from=2027-01-01')).toBe(1)
    })

    test('that is cancelled then is among the cancellations of December', async () => {
      await records.put({
        invoices: [invoiceRecord(1, { status: 'cancelled', date: LAST_EVENING, cancelledAt: LAST_SECOND })],
        cancellations: [
          {
            id: 'can_1',
            invoiceId: invoiceRecord(1)['id'],
            motivo: '02',
            status: 'cancelled',
            requestedAt: LAST_EVENING,
            resolvedAt: LAST_SECOND,
            createdAt: LAST_EVENING,
          },
        ],
      })
      expect(await records.ask('GET', '/reports/cancellations?date=2026-12-01')).toMatchObject({ total: 1 })
      expect(await records.ask('GET', '/reports/cancellations?date=2027-01-01')).toMatchObject({ total: 0 })
      const { text } = await records.call('GET', '/reports/cancellations?date=2026-12-01&format=csv')
      expect(parse(text, { bom: true })[1]?.slice(-2)).toEqual(['2026-12-31 21:30:00', '2026-12-31 23:59:59'])
    })
  },
)

test.each([
  ['2026-11-01T00:30:00', '2026-11-01T00:30:00'],
  ['2026-11-01T00:30:00Z', '2026-10-31T18:30:00'],
  ['2026-11-01T00:30:00-06:00', '2026-11-01T00:30:00'],
  ['2026-11-01', '2026-11-01T12:00:00'],
])('writes a payment of %s as %s in the XML', async (fecha_pago, written) => {
  const { issueLater, pay, call } = await freshPaying()
  const { uuid } = await issueLater()
  const { id } = await pay(uuid, 100, { fecha_pago })
  const { text: xml } = await call('GET', `/payment-receipts/${id}/xml`)
  expect(attributeOf(xml, 'FechaPago')).toBe(written)
})

test('lists payment receipts by the days of the issuer', async () => {
  const { issueLater, pay, call, fresh } = await freshPaying()
  const { uuid } = await issueLater()
  fresh.setClock(LAST_EVENING)
  await pay(uuid, 100)
  const count = async (query: string): Promise<unknown> =>
    (await call('GET', `/payment-receipts?${query}`)).body
  expect(await count('to=2026-12-31')).toMatchObject({ meta: { total_count: 1 } })
  expect(await count('from=2027-01-01')).toMatchObject({ meta: { total_count: 0 } })
})
