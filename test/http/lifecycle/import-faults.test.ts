/** Server errors while an imported file is read: they are logged, and not reported as errors of the file. */
import pino from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshSales } from '../../support/deals.ts'
import { formOf, type SentFile } from '../../support/forms.ts'
import { sparseXlsx, xlsx } from '../../support/xlsx.ts'

/** The broken part of a parser, by its module; '' for none. */
const broken = vi.hoisted(() => ({ part: '' }))

/** A module with one part that throws while it is marked as broken, as if it could not be loaded. */
const fragile = vi.hoisted(() => <Module extends object>(module: Module, part: string): Module => {
  const fault = (): never => {
    throw new TypeError('A dynamic import callback was not specified.')
  }
  return new Proxy(
    { ...module },
    {
      get: (parts, name) => (name === part && broken.part === part ? fault : Reflect.get(parts, name)),
    },
  )
})

vi.mock(import('yauzl'), async (load) => fragile(await load(), 'fromBufferPromise'))
vi.mock(import('sax'), async (load) => {
  const module = await load()
  return { ...module, default: fragile(module.default, 'parser') }
})
vi.mock(import('csv-parse/sync'), async (load) => fragile(await load(), 'parse'))

beforeEach(() => {
  broken.part = ''
})

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
  ['fromBufferPromise', SPREADSHEET],
  ['parser', SPREADSHEET],
  ['parse', TABLE],
])(
  'returns a logged 500 if the %s of a parser fails, and accepts the same file when it works',
  async (part, file) => {
    const { send, ask, logged } = await importing()
    broken.part = part
    expect(await send(file)).toMatchObject({
      status: 500,
      body: { error: { code: 'internal_error', message: 'The simulator failed; see its log.' } },
    })
    expect(logged).toEqual([expect.stringContaining('A dynamic import callback was not specified.')])
    expect(await ask('GET', '/contacts')).toMatchObject({ data: [] })

    broken.part = ''
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
