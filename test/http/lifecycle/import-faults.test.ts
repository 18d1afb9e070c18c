/** Server errors while an imported file is read: they are logged, and not reported as errors of the file. */
import { createRequire } from 'node:module'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { freshSales } from '../../support/deals.ts'
import { formOf, type SentFile } from '../../support/forms.ts'
import { sparseXlsx, xlsx } from '../../support/xlsx.ts'

const load = createRequire(import.meta.url)

/** Makes a part of a parser throw, as if it could not be loaded. Returns a function that mends it. */
function damage(parser: string, part: string): () => void {
  const broken = vi.spyOn(load(parser) as Record<string, () => never>, part).mockImplementation(() => {
    throw new TypeError('A dynamic import callback was not specified.')
  })
  return () => {
    broken.mockRestore()
  }
}

const SPREADSHEET: SentFile = { filename: 'contacts.xlsx', content: xlsx([['name'], ['Ana']]) }
const TABLE: SentFile = { filename: 'contacts.csv', content: 'name\nAna\n' }

async function importing() {
  const logged: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const { call, ask } = await freshSales({ logger })
  const send = (file: SentFile) => call('POST', '/contacts/import', formOf({ file }))
  return { send, ask, logged }
}

test.each([
  ['yauzl', 'fromBufferPromise', SPREADSHEET],
  ['sax', 'parser', SPREADSHEET],
  ['csv-parse/sync', 'parse', TABLE],
])(
  'returns a logged 500 if %s fails in %s, and accepts the same file when it works',
  async (parser, part, file) => {
    const { send, ask, logged } = await importing()
    const mend = damage(parser, part)
    expect(await send(file)).toMatchObject({
      status: 500,
      body: { error: { code: 'internal_error', message: 'The simulator failed; see its log.' } },
    })
    expect(logged).toEqual([expect.stringContaining('A dynamic import callback was not specified.')])
    expect(await ask('GET', '/contacts')).toMatchObject({ data: [] })

    mend()
    expect(await send(file)).toMatchObject({ status: 200, body: { created: 1 } })
    expect(logged).toHaveLength(1)
  },
)

test.each([
  ['a cell without an address', '<row r="1"><c t="inlineStr"><is><t>name</t></is></c></row>'],
  ['a cell outside of a row', '<c r="A1"><v>1</v></c>'],
  ['a tag that is not closed', '<row r="1">'],
])('refuses a spreadsheet with %s and does not log it', async (_what, data) => {
  const { send, logged } = await importing()
  expect(await send({ filename: 'contacts.xlsx', content: sparseXlsx(data) })).toMatchObject({
    status: 422,
    body: { error: { details: [{ field: 'file', code: 'invalid_format' }] } },
  })
  expect(logged).toEqual([])
})
