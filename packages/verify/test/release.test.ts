/**
 * The answers of the last release, kept by scripts/keepAnswers.mjs, compared with this version by the machinery of
 * `verify`. What changed on purpose is listed here with its reason; everything else is a mistake.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../../test/support/process.ts'
import { startVerifying, type Verifying } from '../../mutate/test/drift/verifying.ts'

const FOLDER = join(ROOT, 'test/fixtures/answers')

/** By version: "interface place: aspect" of each intended difference, and why. */
const INTENDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '0.2': {
    'recruiting GET /candidates/import/{import_id} 200.warnings: missing': 'Imports have warnings.',
    'tax-invoicing GET /payment-receipts 200.data[].cfdi_relacionados: missing': 'Receipts have relations.',
    'tax-invoicing GET /payment-receipts 200.data[].cfdi_relacionados: presence': 'Receipts have relations.',
    'tax-invoicing GET /payment-receipts/{payment_receipt_id} 200.cfdi_relacionados: missing':
      'Receipts have relations.',
    ...Object.fromEntries(
      [
        'cancellations 200.invoices[].tipo_cambio',
        'cancellations 200.invoices[].total_mxn',
        'receivables 200.data[].tipo_cambio',
        'receivables 200.data[].balance_mxn',
      ].flatMap((place) =>
        ['missing', 'presence'].map((aspect) => [
          `tax-invoicing GET /reports/${place}: ${aspect}`,
          'Rows have their rate and pesos.',
        ]),
      ),
    ),
  },
}

let verifying: Verifying

beforeAll(() => {
  verifying = startVerifying()
})

afterAll(() => verifying.close())

test('are kept of this minor version or the one before', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const recent = [minor - 1, minor].map((each) => `${String(major)}.${String(each)}.har.gz`)
  expect(readdirSync(FOLDER).filter((name) => recent.includes(name))).not.toEqual([])
})

test.each(readdirSync(FOLDER).map((name) => name.replace('.har.gz', '')))(
  'of version %s are those of this version, except for what changed on purpose',
  async (version) => {
    const har = JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${version}.har.gz`))).toString()) as object
    const { report } = await verifying.replay(har)
    const found = report.differences.map((each) => `${each.interface} ${each.place}: ${each.aspect}`)
    expect(found.filter((key) => !(key in (INTENDED[version] ?? {})))).toEqual([])
    // Most of what can be read was read.
    expect(report.summary.checked).toBeGreaterThan(3000)
  },
)

test('of a version that differs are found', async () => {
  const name = readdirSync(FOLDER)[0] ?? ''
  const text = gunzipSync(readFileSync(join(FOLDER, name))).toString()
  const har = JSON.parse(text.replaceAll('\\"net_amount\\":', '\\"netAmount\\":')) as object
  const { report } = await verifying.replay(har, ['payments'])
  const places = new Set(report.differences.map(({ place }) => place))
  expect(places).toContain('GET /reports/settlements 200.data[].net_amount')
  expect(places).toContain('GET /reports/settlements 200.data[].netAmount')
})
