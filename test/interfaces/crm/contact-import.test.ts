/** The import of contacts: all file formats, duplicates, bad rows, broken files. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { freshSales, type PageBody, type Sales } from '../../support/deals.ts'
import { formOf, type SentFile } from '../../support/forms.ts'
import { sparseXlsx, xlsx, xlsxWithHidden, type Parts } from '../../support/xlsx.ts'

interface Contact {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly custom_fields: Record<string, unknown>
  readonly [field: string]: unknown
}

let sales: Sales

beforeEach(async () => {
  sales = await freshSales()
})

const csv = (content: string | Buffer): SentFile => ({ filename: 'contacts.csv', content })
const json = (content: unknown): SentFile => ({
  filename: 'contacts.json',
  content: JSON.stringify(content),
  type: 'application/json',
})

const send = (file: SentFile | string | readonly SentFile[], fields: Record<string, string> = {}) =>
  sales.call('POST', '/contacts/import', formOf({ file, ...fields }))

const contacts = async (): Promise<Contact[]> =>
  (await sales.ask<PageBody<Contact>>('GET', '/contacts?per_page=100&sort_dir=asc')).data

/** The counts of an import without failures. */
const counts = (more: Record<string, number | readonly unknown[]>) => ({
  status: 200,
  body: { created: 0, updated: 0, skipped: 0, failed: 0, errors: [], errors_truncated: false, ...more },
})

const refused = (code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: [{ field: 'file', code }] } },
})

describe('CSV file', () => {
  test('creates contacts, maps columns by name and stores others as free fields', async () => {
    const answer = await send(
      csv(
        'Name,E-Mail,Phone,company,Position,Vertical,TAGS,custom_fields.Budget,Source\r\n' +
          '"Castillo, Ana",ana@example.com,+507 1,Harbor Motors,Buyer,Real Estate,"vip; fleet",900,fair\r\n',
      ),
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      import_id: expect.stringMatching(/^imp_[A-Za-z0-9]{20}$/) as unknown,
      status: 'completed',
      total_rows: 1,
      created: 1,
      updated: 0,
      skipped: 0,
      failed: 0,
      errors: [],
      errors_truncated: false,
      warnings: [],
      columns: [
        { column: 'Name', field: 'name' },
        { column: 'E-Mail', field: 'email' },
        { column: 'Phone', field: 'phone' },
        { column: 'company', field: 'company' },
        { column: 'Position', field: 'position' },
        { column: 'Vertical', field: 'vertical' },
        { column: 'TAGS', field: 'tags' },
        { column: 'custom_fields.Budget', field: 'custom_fields.Budget' },
        { column: 'Source', field: 'custom_fields.Source' },
      ],
    })
    expect(await contacts()).toMatchObject([
      {
        name: 'Castillo, Ana',
        email: 'ana@example.com',
        phone: '+507 1',
        company: 'Harbor Motors',
        position: 'Buyer',
        vertical: 'real_estate',
        tags: ['vip', 'fleet'],
        custom_fields: { Budget: '900', Source: 'fair' },
      },
    ])
  })

  test.each([
    ['semicolons', 'name;email\nAna;ana@example.com\n'],
    ['tabs', 'name\temail\nAna\tana@example.com\n'],
    ['a byte order mark', '\uFEFFname,email\nAna,ana@example.com\n'],
    ['no line break at its end', 'name,email\nAna,ana@example.com'],
    ['a sep line', 'sep=;\r\nname;email\r\nAna;ana@example.com\r\n'],
    ['bars', 'name|email\nAna|ana@example.com\n'],
    ['a bar as the named separator', 'sep=|\nname|email\nAna|ana@example.com\n'],
  ])('is parsed with %s', async (_what, text) => {
    expect(await send(csv(text))).toMatchObject(counts({ total_rows: 1, created: 1 }))
    expect(await contacts()).toMatchObject([{ name: 'Ana', email: 'ana@example.com' }])
  })

  test('is parsed as UTF-16 with a byte order mark', async () => {
    const text = Buffer.from('\uFEFFname,email\nJosé,jose@example.com\n', 'utf16le')
    await send(csv(text))
    await send(csv(Buffer.from(text).swap16()), { duplicate_strategy: 'create' })
    expect((await contacts()).map(({ name }) => name)).toEqual(['José', 'José'])
  })

  test('is parsed as UTF-16 without a mark', async () => {
    const text = Buffer.from('name,email\nJosé,jose@example.com\n', 'utf16le')
    await send(csv(text))
    await send(csv(Buffer.from(text).swap16()), { duplicate_strategy: 'create' })
    expect((await contacts()).map(({ name }) => name)).toEqual(['José', 'José'])
  })

  test.each([0, 1, 2, 3])('is parsed as Windows-1252 with any chunk boundary (%i)', async (more) => {
    // The accent is in the last bytes of the first chunk, or the first of the second.
    const filler = 'x'.repeat(16 * 1024 - 'name,notes\nBen,\nJos'.length - 2 + more)
    const latin = (text: string) => Buffer.from(text.replace('€', '\u0080').replace('’', '\u0092'), 'latin1')
    await send(
      csv(Buffer.concat([latin('name,notes\n'), Buffer.from(`Ben,${filler}\n`), latin('José’s €,ñá\n')])),
    )
    const [, second] = await contacts()
    expect([second?.name, second?.custom_fields]).toEqual(['José’s €', { notes: 'ñá' }])
  })

  test('is Windows-1252 with É before a quotation mark, which alone would be UTF-8', async () => {
    await send(csv(Buffer.from('name\nJos\u00e9\nJOS\u00c9\u0092S CAF\u00c9\u0094\n', 'latin1')))
    expect((await contacts()).map(({ name }) => name)).toEqual(['José', 'JOSÉ’S CAFÉ”'])
  })

  const utf8 = (text: string) => Buffer.from(text)
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const many = 'Ana,x\n'.repeat(60_000)
  const MIXED = 'is not UTF-8, but other parts of the file are. Save the whole file as UTF-8.'

  test.each<[string, Buffer[], string]>([
    ['one byte after a row of UTF-8', [utf8('name\nJosé\n'), latin('Jos\u00e9\n')], `Row 3 ${MIXED}`],
    ['both in one row', [utf8('name,x\nJosé,'), latin('Jos\u00e9\n')], `Row 2 ${MIXED}`],
    ['UTF-8 after the other rows', [latin('name\nAna\nJos\u00e9\n'), utf8('Ben\nJosé\n')], `Row 3 ${MIXED}`],
    ['a quoted line break before', [utf8('name\n"Jo\nsé"\n\n'), latin('\u00e9\n')], `Row 4 ${MIXED}`],
    [
      'the byte after 64 KiB',
      [utf8(`name,x\nJosé,x\n${many.slice(0, 72_000)}`), latin('\u00e9,\n')],
      `Row 12003 ${MIXED}`,
    ],
    [
      'the byte in a file that another thread reads',
      [utf8(`name,x\nJosé,\n${many}`), latin('\u00e9,\n')],
      `Row 60003 ${MIXED}`,
    ],
    [
      'UTF-8 only at the end of a large file',
      [latin(`name,x\nJos\u00e9,\n${many}`), utf8('José,\n')],
      `Row 2 ${MIXED}`,
    ],
    [
      'a character that the file ends in',
      [utf8('name\nJosé\nJos'), utf8('é').subarray(0, 1)],
      `Row 3 ${MIXED}`,
    ],
    [
      'a byte order mark and another byte',
      [utf8('\uFEFFname\n'), latin('Jos\u00e9\n')],
      'Row 2 is not UTF-8. Save the whole file as UTF-8.',
    ],
    [
      'a byte that Windows-1252 does not have',
      [latin('name\nJos\u00e9\nAna\u0081\n')],
      'Row 3 is neither UTF-8 nor Windows-1252, which has no character 0x81. Save the file as UTF-8.',
    ],
    [
      'a NUL character',
      [utf8('name\nAna\0\n')],
      'Row 2 contains a NUL character, so the file is binary, UTF-32, or UTF-16 without a byte order mark. Save it as UTF-8.',
    ],
    [
      'half of a UTF-16 character',
      [Buffer.from('\uFEFFname\nAna\n\ud83d\n', 'utf16le')],
      'Row 3 is not valid UTF-16LE. Save the file as UTF-8.',
    ],
  ])('is refused with the row: %s', async (_what, parts, message) => {
    expect(await send(csv(Buffer.concat(parts)))).toMatchObject({
      status: 422,
      body: { error: { message, details: [{ field: 'file', code: 'invalid_encoding' }] } },
    })
    expect(await contacts()).toEqual([])
  })

  test('is parsed as UTF-8 with any chunk boundary', async () => {
    const names = Array.from({ length: 3000 }, (_, row) => `José Ñandú ${'é'.repeat(row % 7)}`)
    await send(csv(`name\n${names.join('\n')}\n`))
    expect((await contacts()).map(({ name }) => name)).toEqual(names.slice(0, 100).map((name) => name.trim()))
  })

  test('reports bad rows by their numbers in the file and imports the others', async () => {
    const answer = await send(
      csv(
        'name,email\nAna,ana@example.com\n\n,nobody@example.com\nBen,not an address\nCleo,,surplus\n"Di\nna",\n',
      ),
    )
    expect(answer.body).toMatchObject({
      total_rows: 5,
      created: 2,
      failed: 3,
      errors: [
        { row: 4, field: 'name', message: 'name is required' },
        { row: 5, field: 'email', message: 'email must be an e-mail address' },
        { row: 6, field: null, message: 'cell 3 has no column name' },
      ],
    })
    expect((await contacts()).map(({ name }) => name)).toEqual(['Ana', 'Di\nna'])
  })

  test('with only a header has no rows', async () => {
    expect(await send(csv('name,email\n'))).toMatchObject(counts({ total_rows: 0 }))
  })

  test('reports the first thousand errors and that there are more', async () => {
    const rows = (count: number) => csv(`name,email\n${'Ana,nonsense\n'.repeat(count)}`)
    const all = (await send(rows(1000))).body as { errors: unknown[]; errors_truncated: boolean }
    expect([all.errors.length, all.errors_truncated]).toEqual([1000, false])
    const cut = (await send(rows(1001))).body as { errors: unknown[]; errors_truncated: boolean }
    expect([cut.errors.length, cut.errors_truncated]).toEqual([1000, true])
  })

  test('with thousands of rows is imported completely while other requests are served', async () => {
    const rows = Array.from(
      { length: 3000 },
      (_, row) => `Person ${String(row)},p${String(row)}@example.com\n`,
    )
    const over = new AbortController()
    const importing = send(csv(`name,email\n${rows.join('')}`)).then((answer) => {
      over.abort()
      return answer
    })
    let served = 0
    while (!over.signal.aborted) {
      const answer = await sales.call('GET', '/pipelines')
      expect(answer.status).toBe(200)
      served++
      await nextTurn()
    }
    expect(await importing).toMatchObject(counts({ total_rows: 3000, created: 3000 }))
    expect(served).toBeGreaterThan(1)
    const { meta } = await sales.ask<PageBody<Contact>>('GET', '/contacts')
    expect(meta.total_count).toBe(3000)
  })
})

describe('spreadsheet', () => {
  test('is read with numbers and cached formula values', async () => {
    const file = xlsx([
      ['name', 'phone', 'Budget'],
      ['Ana', 5071, { formula: '40+2', value: 42 }],
      ['Ben', null, null],
    ])
    expect(await send({ filename: 'contacts.xlsx', content: file })).toMatchObject(
      counts({ total_rows: 2, created: 2 }),
    )
    expect(await contacts()).toMatchObject([
      { name: 'Ana', phone: '5071', custom_fields: { Budget: 42 } },
      { name: 'Ben', phone: null, custom_fields: {} },
    ])
  })

  test('is detected by its first bytes, with any file name', async () => {
    const file = xlsx([['name'], ['Ana']])
    expect(await send({ filename: 'upload', content: file })).toMatchObject(
      counts({ total_rows: 1, created: 1 }),
    )
  })

  /** A name column with one contact, and this row. */
  const withRow = (row: string): SentFile => ({
    filename: 'contacts.xlsx',
    content: sparseXlsx(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Ana</t></is></c></row>${row}`,
    ),
  })

  test.each([
    ['an empty last possible cell', '<row r="1048576"><c r="XFD1048576"/></row>', 0],
    ['a value far down', '<row r="1048576"><c r="A1048576"><v>1</v></c></row>', 0],
    ['a value in the last column', '<row r="3"><c r="ALL3"><v>1</v></c></row>', 1],
    ['an address with an entity', '<row r="3"><c r="&#65;3"><v>1</v></c></row>', 0],
  ])('may have %s', async (_what, row, failed) => {
    expect(await send(withRow(row))).toMatchObject({ status: 200, body: { failed } })
  })

  test.each([
    ['a value beyond the last column', '<row r="3"><c r="ALM3"><v>1</v></c></row>', 'too_large'],
    ['a cell of another row', '<row r="3"><c r="A4"><v>1</v></c></row>', 'invalid_format'],
    ['rows in the wrong order', '<row r="1"><c r="A1"><v>1</v></c></row>', 'invalid_format'],
    [
      'cells in the wrong order',
      '<row r="3"><c r="B3"><v>1</v></c><c r="A3"><v>1</v></c></row>',
      'invalid_format',
    ],
    ['an invalid number', '<row r="3"><c r="A3"><v>1e999</v></c></row>', 'invalid_format'],
    ['an unknown shared text', '<row r="3"><c r="A3" t="s"><v>0</v></c></row>', 'invalid_format'],
    [
      'a character that cannot be stored',
      '<row r="3"><c r="A3" t="str"><v>_x0000_</v></c></row>',
      'invalid_format',
    ],
    ['an entity of its own', '<row r="3"><c r="A3"><v>&mine;</v></c></row>', 'invalid_format'],
    ['a name without an end', `<row r="3"><c ${'a'.repeat(200_000)}="1"/></row>`, 'invalid_format'],
  ])('with %s is refused', async (_what, row, code) => {
    expect(await send(withRow(row))).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('is read with shared and rich texts, dates, booleans and errors', async () => {
    const cells = [
      '<c r="A2" t="s"><v>1</v></c>',
      '<c r="B2" s="1"><v>45992.5</v></c>',
      '<c r="C2" s="2"><v>45992</v></c>',
      '<c r="D2" s="3"><v>45992</v></c>',
      '<c r="E2" t="b"><v>1</v></c>',
      '<c r="F2" t="e"><v>#N/A</v></c>',
      '<c r="G2" t="d"><v>2026-01-31</v></c>',
      '<c r="H2" t="str"><f>A2</f><v>line_x000A_break</v></c>',
    ]
    const names = ['Day', 'Own', 'Number', 'Yes', 'Error', 'Written', 'Text']
    const header = names.map(
      (name, place) => `<c r="${'BCDEFGH'.charAt(place)}1" t="inlineStr"><is><t>${name}</t></is></c>`,
    )
    const content = sparseXlsx(
      `<row r="1"><c r="A1" t="s"><v>0</v></c>${header.join('')}</row><row r="2">${cells.join('')}</row>`,
      {
        sharedStrings:
          '<sst><si><t>name</t></si><si><r><t>Ana </t></r><r><t>Castillo</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si></sst>',
        styles:
          '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-409]d\\ mmm yyyy;@"/><numFmt numFmtId="171" formatCode="0.00&quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>',
      },
    )
    expect(await send({ filename: 'contacts.xlsx', content })).toMatchObject(
      counts({ total_rows: 1, created: 1 }),
    )
    expect(await contacts()).toMatchObject([
      {
        name: 'Ana Castillo',
        custom_fields: {
          Day: '2025-12-01T12:00:00.000Z',
          Own: '2025-12-01',
          Number: 45_992,
          Yes: true,
          Written: '2026-01-31',
          Text: 'line\nbreak',
        },
      },
    ])
  })

  /** Imports one row with these cells, by the name of their column. */
  const customFieldsOf = async (
    cells: readonly (readonly [name: string, cell: string])[],
    parts: Parts = {},
  ) => {
    const place = (index: number, row: number) => `${String.fromCharCode(66 + index)}${String(row)}`
    const heads = cells.map(
      ([name], index) => `<c r="${place(index, 1)}" t="inlineStr"><is><t>${name}</t></is></c>`,
    )
    const values = cells.map(([, cell], index) => cell.replace('<c', `<c r="${place(index, 2)}"`))
    const content = sparseXlsx(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c>${heads.join('')}</row><row r="2"><c r="A2" t="inlineStr"><is><t>Ana</t></is></c>${values.join('')}</row>`,
      parts,
    )
    const answer = await send({ filename: 'contacts.xlsx', content })
    expect(answer).toMatchObject(counts({ total_rows: 1, created: 1 }))
    return (await contacts()).at(-1)?.custom_fields
  }

  /** Styles 1 to 4: date and time, day, time of day, hours. */
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="170"/></cellXfs></styleSheet>'

  test('has times in the time zone of the workspace, and days and times of day in none', async () => {
    sales.fresh.workspace.change({ timezone: 'America/Panama' })
    const cells = [
      ['Moment', '<c s="1"><v>45992.5</v></c>', '2025-12-01T17:00:00.000Z'],
      ['Late', '<c s="1"><v>45992.999988425923</v></c>', '2025-12-02T04:59:59.000Z'],
      ['Day', '<c s="2"><v>45992</v></c>', '2025-12-01'],
      ['Midnight', '<c s="1"><v>45992</v></c>', '2025-12-01'],
      ['Time', '<c s="3"><v>0.395833333333333</v></c>', '09:30'],
      ['Seconds', '<c s="3"><v>0.99998842592592593</v></c>', '23:59:59'],
      ['Time as a moment', '<c s="1"><v>0.25</v></c>', '06:00'],
      ['Hours', '<c s="4"><v>1.5</v></c>', '36:00'],
      ['First day', '<c s="2"><v>1</v></c>', '1900-01-01'],
      ['Before the day that never was', '<c s="2"><v>59</v></c>', '1900-02-28'],
      ['After it', '<c s="2"><v>61</v></c>', '1900-03-01'],
      ['No date', '<c s="2"><v>-1</v></c>', -1],
      ['Written', '<c t="d"><v>2026-01-31T09:30:00</v></c>', '2026-01-31T14:30:00.000Z'],
      ['Written with an offset', '<c t="d"><v>2026-01-31T09:30:00Z</v></c>', '2026-01-31T09:30:00.000Z'],
      ['Written day', '<c t="d"><v>2026-01-31T00:00:00</v></c>', '2026-01-31'],
      ['Written time', '<c t="d"><v>09:30:00</v></c>', '09:30'],
    ] as const
    const read = await customFieldsOf(
      cells.map(([name, cell]) => [name, cell] as const),
      { styles },
    )
    expect(read).toEqual(Object.fromEntries(cells.map(([name, , value]) => [name, value])))
  })

  test('with a formula that no program has computed gets a hint, and one with an empty text does not', async () => {
    const hints = async () => {
      const { call, workspace } = sales.fresh
      const { body } = await call('GET', `/_sim/workspaces/${workspace.id}/hints`)
      return (body as { data: { code: string; message: string }[] }).data
        .filter(({ code }) => code === 'formula_without_value')
        .map(({ message }) => message)
    }
    const computed = await customFieldsOf([
      ['Sum', '<c><f>1+1</f><v>2</v></c>'],
      ['Text', '<c t="str"><f>""</f><v></v></c>'],
      ['Error', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'],
      ['None', '<c/>'],
    ])
    expect(computed).toEqual({ Sum: 2 })
    expect(await hints()).toEqual([])
    const uncomputed = await customFieldsOf([
      ['Sum', '<c><f>1+1</f></c>'],
      ['Other', '<c><f>1+1</f><v></v></c>'],
    ])
    expect(uncomputed).toEqual({})
    expect(await hints()).toEqual([
      'Cells with a formula but without its value were read as empty: 2. The first is B2.',
    ])
  })

  test.each([
    ['is truncated', xlsx([['name'], ['Ana']]).subarray(0, 300)],
    ['is an empty ZIP archive', Buffer.from(`PK\u0003\u0004${'\0'.repeat(60)}`, 'latin1')],
    ['is a text', Buffer.from('name\nAna\n')],
  ])('that %s is refused', async (_how, content) => {
    expect(await send({ filename: 'contacts.xlsx', content })).toMatchObject(refused('invalid_format'))
    expect(await contacts()).toEqual([])
  })
})

describe('JSON file', () => {
  test('is a list of objects, whose unknown fields become free fields', async () => {
    const answer = await send(
      json([
        {
          name: 'Ana',
          email: 'ana@example.com',
          tags: ['vip'],
          custom_fields: { a: { b: 1 } },
          Source: 'fair',
        },
        { name: 'Ben', tags: 'x, y' },
        'Cleo',
        { name: '' },
      ]),
    )
    expect(answer.body).toMatchObject({
      total_rows: 4,
      created: 2,
      failed: 2,
      errors: [
        { row: 3, field: null, message: 'the row must be an object' },
        { row: 4, field: 'name', message: 'name is required' },
      ],
    })
    expect(await contacts()).toMatchObject([
      { name: 'Ana', tags: ['vip'], custom_fields: { a: { b: 1 }, Source: 'fair' } },
      { name: 'Ben', tags: ['x', 'y'] },
    ])
  })

  test.each([
    ['an object', '{"name":"Ana"}', 'invalid_type'],
    ['invalid JSON', '[{"name":', 'invalid_format'],
    ['a NUL character', String.raw`[{"name":"a\u0000"}]`, 'invalid_format'],
    [
      'a byte that is not UTF-8',
      Buffer.from('[{"name":"Ana"},{"name":"Jos\u00e9"}]', 'latin1'),
      'invalid_encoding',
    ],
  ])('with %s is refused', async (_what, content, code) => {
    expect(await send({ filename: 'contacts.json', content })).toMatchObject(refused(code))
  })
})

describe('the limits of a file', () => {
  const columns = (count: number): SentFile => {
    const names = Array.from({ length: count - 1 }, (_, place) => `c${String(place)}`)
    return csv(`name,${names.join(',')}\nAna,${names.join(',')}\n`)
  }
  const fields = (count: number): SentFile =>
    json(Array.from({ length: count - 1 }, (_, place) => ({ name: 'Ana', [`c${String(place)}`]: 1 })))
  const row = (size: number): SentFile => csv(`name,x\nAna,${'x'.repeat(size - 4)}\n`)

  test.each([
    ['1,000 columns', columns, 1000],
    ['1,000 fields of all objects', fields, 1000],
    ['a row of 1 MiB', row, 1_048_576],
    ['1,000 empty columns', (count: number) => csv(`name\nAna${','.repeat(count - 1)}\n`), 1000],
    ['an object of 1 MiB', (size: number) => json([{ name: 'Ana', x: 'x'.repeat(size - 21) }]), 1_048_576],
  ])('%s', async (_what, fileOf, maxItems) => {
    expect((await send(fileOf(maxItems))).status).toBe(200)
    expect(await send(fileOf(maxItems + 1))).toMatchObject(refused('too_large'))
  })
})

describe('splitting a JSON list', () => {
  const sent = (content: string) => send({ filename: 'contacts.json', content })

  test('works with any chunk boundary', async () => {
    const name = String.raw`\"]},{[\\`
    const objects = Array.from(
      { length: 3000 },
      () => `{"name":"${name}", "custom_fields": {"a":[1,{"b":"],"}]}}`,
    )
    expect(await sent(` [ ${objects.join(' , ')} ] \n`)).toMatchObject(
      counts({ total_rows: 3000, created: 3000 }),
    )
    expect(new Set((await contacts()).map((contact) => contact.name))).toEqual(new Set(['"]},{[\\']))
  })

  test.each([
    ['a missing item after a comma', '[{"name":"Ana"},]', 'invalid_format'],
    ['a missing item before a comma', '[,{"name":"Ana"}]', 'invalid_format'],
    ['text after its end', '[{"name":"Ana"}] x', 'invalid_format'],
    ['a backslash between items', '[{"name":"Ana"}\\,{"name":"Ben"}]', 'invalid_format'],
    ['mismatched brackets', '[{"name":["Ana"}]]', 'invalid_format'],
    ['a field named __proto__', '[{"__proto__":1}]', 'invalid_format'],
  ])('refuses %s', async (_what, content, code) => {
    expect(await sent(content)).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('accepts an empty list', async () => {
    expect(await sent('[ ]')).toMatchObject(counts({ total_rows: 0 }))
  })
})

test('imports nothing from a file that breaks off, however much was valid', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `Person ${String(row)}\n`).join('')
  expect(await send(csv(`name\n${rows}"Ana\n`))).toMatchObject({
    status: 422,
    body: { error: { message: 'The file cannot be read as CSV: a quote is never closed (row 20002).' } },
  })
  expect(await contacts()).toEqual([])
})

test('limits the fields of a contact across several updates of one file', async () => {
  const rows = (first: number, count: number) =>
    Array.from({ length: count }, (_, row) => ({
      name: 'Ana',
      email: 'ana@example.com',
      custom_fields: Object.fromEntries(
        Array.from({ length: 100 }, (_none, place) => [`f${String((first + row) * 100 + place)}`, 1]),
      ),
    }))
  await send(json(rows(0, 10)), { duplicate_strategy: 'update' })
  const answer = await send(json(rows(10, 1)), { duplicate_strategy: 'update' })
  expect(answer.body).toMatchObject({ failed: 1, errors: [{ row: 1, field: 'custom_fields' }] })
  const [contact] = await contacts()
  expect(Object.keys(contact?.custom_fields ?? {})).toHaveLength(1000)
})

describe('duplicate', () => {
  const file = csv('name,email,company,Source\nNew,ANA@example.com,,web\nNew,ana@example.com,Other,\n')

  beforeEach(async () => {
    await sales.addContact({
      name: 'Ana',
      email: 'ana@example.com',
      company: 'Harbor Motors',
      custom_fields: { Budget: 1 },
    })
  })

  test('is skipped by default', async () => {
    expect(await send(file)).toMatchObject(counts({ total_rows: 2, skipped: 2 }))
    expect(await contacts()).toMatchObject([{ name: 'Ana' }])
  })

  test('is updated from the file on request', async () => {
    expect(await send(file, { duplicate_strategy: 'update' })).toMatchObject(
      counts({ total_rows: 2, updated: 2 }),
    )
    expect(await contacts()).toMatchObject([
      { name: 'New', company: 'Other', custom_fields: { Budget: 1, Source: 'web' } },
    ])
  })

  test('is created again on request', async () => {
    expect(await send(file, { duplicate_strategy: 'create' })).toMatchObject(
      counts({ total_rows: 2, created: 2 }),
    )
    expect(await contacts()).toHaveLength(3)
  })

  test('is also detected within the file', async () => {
    expect(await send(csv('name,email\nBen,ben@example.com\nBen,Ben@Example.com\n'))).toMatchObject(
      counts({ total_rows: 2, created: 1, skipped: 1 }),
    )
  })
})

describe('an e-mail address', () => {
  test.each([
    ['ana@example.com;ben@example.com', 2],
    ['ana@example.com, ben@example.com,cleo@example.com', 3],
    ['ana@example.com ::: ben@example.com', 2],
    ['ana@example.com\nben@example.com', 2],
    ['; ana@example.com', 1],
    ['ana@example.com;', 1],
  ])('is the first one of %j', async (cell, count) => {
    const { body } = await send(csv(`name,email\nAna,"${cell}"\n`))
    expect(body).toMatchObject({
      created: 1,
      warnings:
        count === 1
          ? []
          : [
              {
                row: 2,
                field: 'email',
                message: `email has ${String(count)} addresses. The first one was used: ana@example.com`,
              },
            ],
    })
    expect(await contacts()).toMatchObject([{ email: 'ana@example.com' }])
  })

  const INVISIBLE = [
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u200e',
    '\u202e',
    '\u2066',
    '\u00a0',
    '\u2060',
    '\u200d',
    '\u180e',
    '\ufe0f',
    '\u3000',
  ]

  test('loses invisible characters in an import, and is refused with them in a body', async () => {
    const rows = INVISIBLE.map(
      (character, row) => `Ana,${character}a${character}na${String(row)}@exa${character}mple.com${character}`,
    )
    await send(csv(`name,email\n${rows.join('\n')}\n`))
    expect((await contacts()).map(({ email }) => email)).toEqual(
      rows.map((_text, row) => `ana${String(row)}@example.com`),
    )
    for (const character of INVISIBLE) {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      const message = `email must be an e-mail address without invisible characters, such as U+${code}`
      for (const email of [
        `eva${character}@example.com`,
        `eva@exa${character}mple.com`,
        `eva@example.com${character}`,
      ]) {
        expect(await sales.call('POST', '/contacts', { body: { name: 'Eva', email } })).toMatchObject({
          status: 422,
          body: { error: { details: [{ field: 'email', message }] } },
        })
      }
    }
    expect(
      await sales.call('POST', '/contacts', { body: { name: 'Eva', email: '"e va"@example.com' } }),
    ).toMatchObject({
      status: 201,
    })
  })

  test('is the same composed and decomposed', async () => {
    const [composed, decomposed] = ['josé@example.com', 'JOSE\u0301@example.com']
    const body = { name: 'José', email: decomposed }
    expect((await sales.call('POST', '/contacts', { body })).status).toBe(201)
    expect((await sales.call('POST', '/contacts', { body: { ...body, email: composed } })).status).toBe(409)
    expect(await send(csv(`name,email\nA,${composed}\nB,${decomposed}\n`))).toMatchObject(
      counts({ total_rows: 2, skipped: 2 }),
    )
    await send(csv('name,email\nC,jose\u0301.c@example.com\n'))
    expect((await contacts()).at(-1)?.email).toBe('josé.c@example.com')
  })
})

test('undoes the apostrophe before a formula', async () => {
  await send(csv("name,\"'=Sum\"\n'=Ana,'-1\n'Ben,''@x\n"))
  expect((await contacts()).map(({ name, custom_fields }) => [name, custom_fields])).toEqual([
    ['=Ana', { '=Sum': '-1' }],
    ["'Ben", { '=Sum': "'@x" }],
  ])
})

test('uses the vertical of the form for rows without one', async () => {
  await send(csv('name,vertical\nAna,education\nBen,\n'), { vertical: 'services' })
  expect(await contacts()).toMatchObject([{ vertical: 'education' }, { vertical: 'services' }])
})

test('keeps the vertical that a contact has already', async () => {
  await sales.addContact({ name: 'Ana', email: 'ana@example.com', vertical: 'education' })
  await sales.addContact({ name: 'Ben', email: 'ben@example.com' })
  const rows = csv('name,email\nAna C.,ana@example.com\nBen C.,ben@example.com\n')
  await send(rows, { duplicate_strategy: 'update', vertical: 'services' })
  expect(await contacts()).toMatchObject([
    { name: 'Ana C.', vertical: 'education' },
    { name: 'Ben C.', vertical: 'services' },
  ])
})

test('emits one event for each created or changed contact', async () => {
  await send(csv('name,email\nAna,ana@example.com\nAna B,ana@example.com\nBad,x\n'), {
    duplicate_strategy: 'update',
  })
  expect(
    sales
      .events()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('contact.')),
  ).toEqual(['contact.created', 'contact.updated'])
})

describe('a running import stops and reports it when', () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `Person ${String(row)}\n`).join('')

  /** Calls `interrupt` as soon as some rows are imported, and returns the result of the import. */
  const importWhile = async (interrupt: () => Promise<Answer>) => {
    // Loads the control plane first, which takes longer than the import.
    await sales.fresh.call('GET', '/_sim/health')
    const importing = send(csv(`name\n${rows}`))
    while ((await contacts()).length === 0) await nextTurn()
    expect((await interrupt()).status).toBeLessThan(300)
    return importing
  }

  const stopped = {
    status: 409,
    body: {
      error: {
        code: 'conflict',
        message:
          'The import stopped because the workspace was reset, replaced or deleted. None of its rows were kept.',
      },
    },
  }

  test('the workspace is reset', async () => {
    const { call, workspace } = sales.fresh
    expect(await importWhile(() => call('POST', `/_sim/workspaces/${workspace.id}/reset`))).toMatchObject(
      stopped,
    )
    expect(await contacts()).toEqual([])
  })

  test('the workspace is deleted', async () => {
    const { call, workspace } = sales.fresh
    expect(await importWhile(() => call('DELETE', `/_sim/workspaces/${workspace.id}`))).toMatchObject(stopped)
  })
})

describe('columns of other programs', () => {
  const imported = async (text: string) => {
    const { body } = await send(csv(text))
    const { columns } = body as { columns: { column: string; field: string | null }[] }
    return { contacts: await contacts(), columns: columns.map(({ field }) => field) }
  }

  test.each<[program: string, text: string, fields: object]>([
    [
      'HubSpot',
      'Record ID,First Name,Last Name,Email,Phone Number,Company Name,Job Title\n7,Ana,Castillo,ana@example.com,+507 1,Harbor,Buyer\n',
      { custom_fields: { 'Record ID': '7' } },
    ],
    [
      'Pipedrive',
      'Person - Name,Person - Email - Work,Person - Phone - Work,Person - Organization,Person - Job title,Person - Labels\nAna Castillo,ana@example.com,+507 1,Harbor,Buyer,vip\n',
      { tags: ['vip'] },
    ],
    [
      'Google',
      'First Name,Middle Name,Last Name,Organization Name,Organization Title,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value\nAna,,Castillo,Harbor,Buyer,* vip ::: * myContacts,Work,ana@example.com,+507 1\n',
      { tags: ['vip', 'myContacts'], custom_fields: { 'E-mail 1 - Label': 'Work' } },
    ],
    [
      'Outlook',
      'First Name,Last Name,Company,Job Title,Business Phone,Mobile Phone,E-mail Address,Categories\nAna,Castillo,Harbor,Buyer,+507 1,+507 2,ana@example.com,vip;fleet\n',
      { tags: ['vip', 'fleet'], custom_fields: { 'Mobile Phone': '+507 2' } },
    ],
  ])('such as %s are known', async (_program, text, fields) => {
    expect((await imported(text)).contacts).toMatchObject([
      {
        name: 'Ana Castillo',
        email: 'ana@example.com',
        phone: '+507 1',
        company: 'Harbor',
        position: 'Buyer',
        ...fields,
      },
    ])
  })

  test('have lower precedence than the standard names, and the first of two is used', async () => {
    const text = 'Full Name,Work Email,Email Address,name\nA,work@example.com,home@example.com,Ana\n'
    const { contacts: made, columns } = await imported(text)
    expect(made).toMatchObject([
      {
        name: 'Ana',
        email: 'work@example.com',
        custom_fields: { 'Full Name': 'A', 'Email Address': 'home@example.com' },
      },
    ])
    expect(columns).toEqual(['custom_fields.Full Name', 'email', 'custom_fields.Email Address', 'name'])
  })

  test.each([
    ['Title,Name\nBuyer,Ana\n', { position: 'Buyer' }],
    ['Title,Name,Job Title\nMs.,Ana,Buyer\n', { position: 'Buyer', custom_fields: { Title: 'Ms.' } }],
    ['Name,Tags\nAna,"[""vip, gold"",""fleet""]"\n', { tags: ['vip, gold', 'fleet'] }],
    ['Name,Tags\nAna,vip | fleet\n', { tags: ['vip', 'fleet'] }],
    ['Name,Tags\nAna,"[vip], fleet"\n', { tags: ['[vip]', 'fleet'] }],
  ])('and cells in %j are known', async (text, fields) => {
    expect((await imported(text)).contacts).toMatchObject([fields])
  })

  test('such as the parts of a name have lower precedence than the name', async () => {
    const { contacts: made, columns } = await imported(
      'First Name,Last Name,Name\nAna,Castillo,Ana C.\nEva,Ríos,\n',
    )
    expect(made.map(({ name }) => name)).toEqual(['Ana C.', 'Eva Ríos'])
    expect(columns).toEqual(['name', 'name', 'name'])
  })
})

describe('the response of GET /contacts', () => {
  const two = async () => {
    await sales.addContact({ name: 'Ana', email: 'ana@example.com', tags: ['vip'], custom_fields: { a: 1 } })
    await sales.addContact({ name: 'Without an address', vertical: 'education' })
  }

  test.each([
    ['skip', 'whole'],
    ['update', 'whole'],
    ['update', 'list'],
  ])('changes nothing with %s as a %s', async (strategy, kind) => {
    await two()
    sales.setClock('2026-11-22T12:00:00Z')
    const before = await contacts()
    const eventCount = sales.events().length
    const content = (await sales.call('GET', '/contacts')).text
    const file = kind === 'whole' ? content : JSON.stringify((JSON.parse(content) as { data: object[] }).data)

    const answer = await send({ filename: 'contacts.json', content: file }, { duplicate_strategy: strategy })

    expect(answer).toMatchObject(counts({ total_rows: 2, skipped: 2 }))
    expect(answer.body).toMatchObject({
      columns: expect.arrayContaining([
        { column: 'id', field: 'id' },
        { column: 'created_at', field: null },
      ]) as object,
    })
    expect(await contacts()).toEqual(before)
    expect(sales.events()).toHaveLength(eventCount)
  })

  test('updates the contacts with its ids, and adds addresses to those without', async () => {
    await two()
    const [ana, other] = await contacts()
    const file = json([
      { id: ana?.id, email: 'ANA@example.com', phone: '+507 1' },
      { id: other?.id, position: 'Head', email: 'other@example.com' },
    ])
    expect(await send(file, { duplicate_strategy: 'update' })).toMatchObject(
      counts({ total_rows: 2, updated: 2, warnings: [] }),
    )
    expect(await contacts()).toMatchObject([
      { id: ana?.id, name: 'Ana', email: 'ANA@example.com', phone: '+507 1' },
      { id: other?.id, position: 'Head', email: 'other@example.com', vertical: 'education' },
    ])
  })

  test.each([
    ['email', { email: 'eva@example.com' }],
    ['phone', { phone: '+507 2' }],
  ])('leaves a contact alone if a row with its id has another %s', async (field, contradiction) => {
    const { id } = await sales.addContact({ name: 'Ana', email: 'ana@example.com', phone: '+507 (1)' })
    const same = { id, name: 'Ana', phone: '507-1', company: 'Harbor' }
    const file = json([same, { id, name: 'Eva', ...contradiction }])
    const answer = await send(file, { duplicate_strategy: 'update' })
    expect(answer).toMatchObject(counts({ total_rows: 2, updated: 1, created: 1 }))
    expect(answer.body).toMatchObject({
      warnings: [
        { row: 2, field: 'id', message: `id was ignored, because the contact ${id} has another ${field}` },
      ],
    })
    expect(await contacts()).toMatchObject([
      { id, name: 'Ana', email: 'ana@example.com', company: 'Harbor' },
      { name: 'Eva', ...contradiction },
    ])
  })

  test('updates the contact with the address of a row instead of another one with its id', async () => {
    await two()
    const [ana, other] = await contacts()
    await sales.ask('PATCH', `/contacts/${String(other?.id)}`, { email: 'other@example.com' })
    const file = json([{ id: ana?.id, name: 'Other', email: 'other@example.com' }])
    expect((await send(file, { duplicate_strategy: 'update' })).body).toMatchObject({ updated: 1 })
    expect(await contacts()).toMatchObject([
      { id: ana?.id, name: 'Ana' },
      { id: other?.id, name: 'Other' },
    ])
  })

  test('fails for an address of another contact', async () => {
    await two()
    const [, other] = await contacts()
    const file = json([{ id: other?.id, email: 'ANA@example.com' }])
    expect((await send(file, { duplicate_strategy: 'update' })).body).toMatchObject({
      failed: 1,
      errors: [{ row: 1, field: 'email' }],
    })
  })
})

test('needs no name column and no name to update an existing contact', async () => {
  await sales.addContact({ name: 'Ana', email: 'ana@example.com' })
  const file = csv('email,company\nana@example.com,Harbor\neva@example.com,Harbor\n')
  expect((await send(file, { duplicate_strategy: 'update' })).body).toMatchObject({
    updated: 1,
    failed: 1,
    errors: [{ row: 3, field: 'name', message: 'name is required' }],
  })
  expect(await contacts()).toMatchObject([{ name: 'Ana', company: 'Harbor' }])
  expect(await send(csv('company\nHarbor\n'), { duplicate_strategy: 'update' })).toMatchObject(
    refused('required'),
  )
})

test('reads the first visible sheet of a spreadsheet', async () => {
  const content = xlsxWithHidden([['name'], ['Hidden']], [['name'], ['Ana']])
  await send({ filename: 'contacts.xlsx', content })
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ana'])
})

describe('the error for another file type names it', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const xls = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  const ods = Buffer.from(
    `504b030414000000000000000000000000002e0000002e00000008000000${Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet').toString('hex')}`,
    'hex',
  )

  test.each([
    ['contacts.csv', png, 'The file is a file of type PNG (image/png).'],
    ['contacts.xlsx', png, 'The file is a file of type PNG (image/png).'],
    ['contacts.xls', xls, 'The file is an old Excel workbook (.xls).'],
    ['contacts.csv', xls, 'The file is an old Excel workbook (.xls).'],
    ['contacts.ods', ods, 'The file is an OpenDocument spreadsheet (.ods).'],
    ['contacts.csv', Buffer.from('%PDF-1.4\nname'), 'The file is a PDF document.'],
  ])('%s', async (filename, content, words) => {
    expect(await send({ filename, content })).toMatchObject({
      status: 422,
      body: {
        error: { message: `${words} Save it as CSV, XLSX or JSON.`, details: [{ code: 'invalid_format' }] },
      },
    })
  })

  test('except for a text that begins like a program file', async () => {
    expect(await send(csv('BMI,name\n20,Ana\n'))).toMatchObject(counts({ total_rows: 1, created: 1 }))
  })
})

describe('an import without any effect', () => {
  test.each([
    ['an empty file', csv(''), 'empty'],
    ['a blank file', csv(' \n \n'), 'empty'],
    ['a spreadsheet without cells', { filename: 'a.xlsx', content: xlsx([]) }, 'empty'],
    ['a file without a name column', csv('email\na@example.com\n'), 'required'],
    ['a file with a duplicate column', csv('name,name\nAna,Ana\n'), 'duplicate'],
    ['a file with two columns for one field', csv('name,email,E-Mail\nAna,,\n'), 'duplicate'],
    ['a column named __proto__', csv('name,__proto__\nAna,x\n'), 'not_allowed'],
    ['an unclosed quote', csv('name\n"Ana\n'), 'invalid_format'],
    [
      'a text with mixed encodings',
      csv(
        Buffer.concat([
          Buffer.from(`name\né${'x'.repeat(20_000)}\n`),
          Buffer.from('é', 'latin1'),
          Buffer.from('\n'),
        ]),
      ),
      'invalid_encoding',
    ],
    ['binary data', csv(Buffer.from('name\nAna\u0081\u009d\n', 'latin1')), 'invalid_encoding'],
    [
      'JSON that is not UTF-8',
      { filename: 'a.json', content: Buffer.from('[{"name":"José"}]', 'latin1') },
      'invalid_encoding',
    ],
    ['an incomplete UTF-16 character', csv(Buffer.from([0xff, 0xfe, 0x41])), 'invalid_encoding'],
  ])('refuses %s', async (_what, file, code) => {
    expect(await send(file)).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('refuses a file without required columns, and lists its columns and those needed', async () => {
    const { text } = await send(csv('Shoe,E-mail\n39,a@example.com\n'))
    expect(text).toContain(
      'The file has no column name. Columns found: Shoe, E-mail. Columns needed: name (or First Name and Last Name).',
    )
    const updating = await send(csv('Shoe,Hat\n39,7\n'), { duplicate_strategy: 'update' })
    expect(updating.text).toContain('Columns found: Shoe, Hat.')
    expect(updating.text).toContain('Columns needed: name (or First Name and Last Name), email or id.')
  })

  test('refuses a form without a file', async () => {
    const answer = await sales.call('POST', '/contacts/import', formOf({ vertical: 'services' }))
    expect(answer).toMatchObject(refused('required'))
  })

  test('refuses a text instead of the file, and several files', async () => {
    expect(await send('name\nAna\n')).toMatchObject(refused('invalid_type'))
    expect(await send([csv('name\nAna\n'), csv('name\nBen\n')])).toMatchObject(refused('invalid_type'))
  })

  test.each([
    ['duplicate_strategy', 'merge'],
    ['vertical', 'farming'],
  ])('refuses an unknown %s', async (field, value) => {
    expect(await send(csv('name\nAna\n'), { [field]: value })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code: 'not_allowed' }] } },
    })
    expect(await contacts()).toEqual([])
  })

  test('refuses an incomplete form and one without a boundary', async () => {
    const form = formOf({ file: csv('name\nAna\n') })
    for (const broken of [
      { ...form, raw: (form.raw as Buffer).subarray(0, -20) },
      { ...form, contentType: 'multipart/form-data' },
    ]) {
      const answer = await sales.call('POST', '/contacts/import', broken)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'malformed_request' } } })
    }
    expect(await contacts()).toEqual([])
  })
})
