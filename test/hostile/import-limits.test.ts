/** The limits of an imported file that take megabytes to reach, on both sides. */
import { beforeEach, expect, test } from 'vitest'
import { freshSales, type Sales } from '../support/deals.ts'
import { formOf, type SentFile } from '../support/forms.ts'
import { unpackedSize, xlsx } from '../support/xlsx.ts'

let sales: Sales

beforeEach(async () => {
  sales = await freshSales()
})

const csv = (content: string | Buffer): SentFile => ({ filename: 'contacts.csv', content })

const send = (file: SentFile) => sales.call('POST', '/contacts/import', formOf({ file }))

const contacts = async (): Promise<unknown[]> =>
  (await sales.ask<{ data: unknown[] }>('GET', '/contacts')).data

/** The counts of an import without failures. */
const counts = (more: Record<string, number>) => ({
  status: 200,
  body: { updated: 0, skipped: 0, failed: 0, errors: [], ...more },
})

const refused = (code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: [{ field: 'file', code }] } },
})

test('may unpack to at most 128 MiB', async () => {
  const filler = 128 * 1024 * 1024 - unpackedSize(xlsx([['name'], ['Ana']], ''))
  const ofSize = (bytes: number): SentFile => ({
    filename: 'contacts.xlsx',
    content: xlsx([['name'], ['Ana']], ' '.repeat(bytes)),
  })
  expect(await send(ofSize(filler))).toMatchObject(counts({ total_rows: 1, created: 1 }))
  expect(await send(ofSize(filler + 1))).toMatchObject(refused('too_large'))
  expect(await contacts()).toHaveLength(1)
})

test('250,000 rows', async () => {
  const rows = (count: number) => csv(`name\n${'x,y\n'.repeat(count)}`)
  expect(await send(rows(250_000))).toMatchObject({ status: 200, body: { failed: 250_000 } })
  expect(await send(rows(250_001))).toMatchObject(refused('too_large'))
})

test('refuses a file of more than 50 MiB, and accepts exactly 50 MiB', async () => {
  const largest = Buffer.alloc(50 * 1024 * 1024, '\n')
  largest.write('name\nAna\n')
  expect(await send(csv(largest))).toMatchObject(counts({ created: 1 }))
  expect(await send(csv(Buffer.concat([largest, Buffer.from('\n')])))).toMatchObject({
    status: 413,
    body: { error: { code: 'payload_too_large' } },
  })
  expect(await contacts()).toHaveLength(1)
})
