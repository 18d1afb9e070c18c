/** The import of contacts: files of every kind, duplicates, bad rows, broken files. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { freshSales, type PageBody, type Sales } from '../../support/deals.ts'
import { formOf, type SentFile } from '../../support/forms.ts'
import { sparseXlsx, unpackedSize, xlsx, xlsxWithHidden } from '../../support/xlsx.ts'

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

/** The counts of an import of which nothing failed. */
const counts = (more: Record<string, number>) => ({
  status: 200,
  body: { created: 0, updated: 0, skipped: 0, failed: 0, errors: [], errors_truncated: false, ...more },
})

const refused = (code: string) => ({
  status: 422,
  body: { error: { code: 'validation_error', details: [{ field: 'file', code }] } },
})

describe('a CSV file', () => {
  test('becomes contacts, its columns found by name and all others kept as free fields', async () => {
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
    ['no line end at its end', 'name,email\nAna,ana@example.com'],
    ['its separator said before', 'sep=;\r\nname;email\r\nAna;ana@example.com\r\n'],
    ['a separator that is a bar', 'sep=|\nname|email\nAna|ana@example.com\n'],
  ])('is read with %s', async (_what, text) => {
    expect(await send(csv(text))).toMatchObject(counts({ total_rows: 1, created: 1 }))
    expect(await contacts()).toMatchObject([{ name: 'Ana', email: 'ana@example.com' }])
  })

  test('is read as UTF-16 when a byte order mark says so', async () => {
    const text = Buffer.from('\uFEFFname,email\nJosé,jose@example.com\n', 'utf16le')
    await send(csv(text))
    await send(csv(Buffer.from(text).swap16()), { duplicate_strategy: 'create' })
    expect((await contacts()).map(({ name }) => name)).toEqual(['José', 'José'])
  })

  test('is read as UTF-16 without a mark', async () => {
    const text = Buffer.from('name,email\nJosé,jose@example.com\n', 'utf16le')
    await send(csv(text))
    await send(csv(Buffer.from(text).swap16()), { duplicate_strategy: 'create' })
    expect((await contacts()).map(({ name }) => name)).toEqual(['José', 'José'])
  })

  test.each([0, 1, 2, 3])('is read as Windows-1252, wherever a piece of it ends (%i)', async (more) => {
    // The accent stands among the last bytes of the first piece, or the first of the second.
    const filler = 'x'.repeat(16 * 1024 - 'name,notes\nBen,\nJos'.length - 2 + more)
    const latin = (text: string) => Buffer.from(text.replace('€', '\u0080').replace('’', '\u0092'), 'latin1')
    await send(
      csv(Buffer.concat([latin('name,notes\n'), Buffer.from(`Ben,${filler}\n`), latin('José’s €,ñá\n')])),
    )
    const [, second] = await contacts()
    expect([second?.name, second?.custom_fields]).toEqual(['José’s €', { notes: 'ñá' }])
  })

  test('is read as UTF-8, wherever a piece of it ends', async () => {
    const names = Array.from({ length: 3000 }, (_, row) => `José Ñandú ${'é'.repeat(row % 7)}`)
    await send(csv(`name\n${names.join('\n')}\n`))
    expect((await contacts()).map(({ name }) => name)).toEqual(names.slice(0, 100).map((name) => name.trim()))
  })

  test('tells of bad rows by their numbers in the file and takes the others', async () => {
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
        { row: 6, field: null, message: 'cell 3 stands under no column name' },
      ],
    })
    expect((await contacts()).map(({ name }) => name)).toEqual(['Ana', 'Di\nna'])
  })

  test('with a header alone has no rows', async () => {
    expect(await send(csv('name,email\n'))).toMatchObject(counts({ total_rows: 0 }))
  })

  test('tells of the first thousand problems and says that there are more', async () => {
    const rows = (count: number) => csv(`name,email\n${'Ana,nonsense\n'.repeat(count)}`)
    const all = (await send(rows(1000))).body as { errors: unknown[]; errors_truncated: boolean }
    expect([all.errors.length, all.errors_truncated]).toEqual([1000, false])
    const cut = (await send(rows(1001))).body as { errors: unknown[]; errors_truncated: boolean }
    expect([cut.errors.length, cut.errors_truncated]).toEqual([1000, true])
  })

  test('of thousands of rows is taken whole while other requests are answered', async () => {
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

describe('a spreadsheet', () => {
  test('is read with numbers and with the values its formulas had', async () => {
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

  test('is known by what it starts with, whatever it is called', async () => {
    const file = xlsx([['name'], ['Ana']])
    expect(await send({ filename: 'upload', content: file })).toMatchObject(
      counts({ total_rows: 1, created: 1 }),
    )
  })

  test('may unpack to 128 MiB, and to no more', async () => {
    const filler = 128 * 1024 * 1024 - unpackedSize(xlsx([['name'], ['Ana']], ''))
    const ofSize = (bytes: number): SentFile => ({
      filename: 'contacts.xlsx',
      content: xlsx([['name'], ['Ana']], ' '.repeat(bytes)),
    })
    expect(await send(ofSize(filler))).toMatchObject(counts({ total_rows: 1, created: 1 }))
    expect(await send(ofSize(filler + 1))).toMatchObject(refused('too_large'))
    expect(await contacts()).toHaveLength(1)
  })

  /** A name column with one contact, and a row with something else. */
  const withRow = (row: string): SentFile => ({
    filename: 'contacts.xlsx',
    content: sparseXlsx(
      `<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Ana</t></is></c></row>${row}`,
    ),
  })

  test.each([
    ['nothing in its last cell of all', '<row r="1048576"><c r="XFD1048576"/></row>', 0],
    ['something far down', '<row r="1048576"><c r="A1048576"><v>1</v></c></row>', 0],
    ['something in the last column', '<row r="3"><c r="ALL3"><v>1</v></c></row>', 1],
    ['an address with an entity', '<row r="3"><c r="&#65;3"><v>1</v></c></row>', 0],
  ])('may have %s', async (_what, row, failed) => {
    expect(await send(withRow(row))).toMatchObject({ status: 200, body: { failed } })
  })

  test.each([
    ['something beyond the last column', '<row r="3"><c r="ALM3"><v>1</v></c></row>', 'too_large'],
    ['a cell of another row', '<row r="3"><c r="A4"><v>1</v></c></row>', 'invalid_format'],
    ['a row before another', '<row r="1"><c r="A1"><v>1</v></c></row>', 'invalid_format'],
    [
      'a cell before another',
      '<row r="3"><c r="B3"><v>1</v></c><c r="A3"><v>1</v></c></row>',
      'invalid_format',
    ],
    ['a number that is none', '<row r="3"><c r="A3"><v>1e999</v></c></row>', 'invalid_format'],
    ['a text that is not there', '<row r="3"><c r="A3" t="s"><v>0</v></c></row>', 'invalid_format'],
    [
      'a character that cannot be kept',
      '<row r="3"><c r="A3" t="str"><v>_x0000_</v></c></row>',
      'invalid_format',
    ],
    ['an entity of its own', '<row r="3"><c r="A3"><v>&mine;</v></c></row>', 'invalid_format'],
    ['a name without an end', `<row r="3"><c ${'a'.repeat(200_000)}="1"/></row>`, 'invalid_format'],
  ])('that has %s is refused', async (_what, row, code) => {
    expect(await send(withRow(row))).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('is read with shared and rich texts, dates, truth values and errors', async () => {
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

  test.each([
    ['is cut off', xlsx([['name'], ['Ana']]).subarray(0, 300)],
    ['is a ZIP archive of nothing', Buffer.from(`PK\u0003\u0004${'\0'.repeat(60)}`, 'latin1')],
    ['is a text', Buffer.from('name\nAna\n')],
  ])('that %s is refused', async (_how, content) => {
    expect(await send({ filename: 'contacts.xlsx', content })).toMatchObject(refused('invalid_format'))
    expect(await contacts()).toEqual([])
  })
})

describe('a JSON file', () => {
  test('holds a list of objects, whose unknown fields are kept as free fields', async () => {
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
    ['no JSON', '[{"name":', 'invalid_format'],
    ['a NUL character', String.raw`[{"name":"a\u0000"}]`, 'invalid_format'],
  ])('that holds %s is refused', async (_what, content, code) => {
    expect(await send({ filename: 'contacts.json', content })).toMatchObject(refused(code))
  })
})

describe('a list of more than a file may hold is refused:', () => {
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
    ['a row of a mebibyte', row, 1_048_576],
    ['1,000 columns, be they empty', (count: number) => csv(`name\nAna${','.repeat(count - 1)}\n`), 1000],
    [
      'an object of a mebibyte',
      (size: number) => json([{ name: 'Ana', x: 'x'.repeat(size - 21) }]),
      1_048_576,
    ],
  ])('%s', async (_what, fileOf, most) => {
    expect((await send(fileOf(most))).status).toBe(200)
    expect(await send(fileOf(most + 1))).toMatchObject(refused('too_large'))
  })

  test('250,000 rows', async () => {
    const rows = (count: number) => csv(`name\n${'x,y\n'.repeat(count)}`)
    expect(await send(rows(250_000))).toMatchObject({ status: 200, body: { failed: 250_000 } })
    expect(await send(rows(250_001))).toMatchObject(refused('too_large'))
  })
})

describe('a JSON list is cut into its objects', () => {
  const sent = (content: string) => send({ filename: 'contacts.json', content })

  test('wherever a piece of the file ends', async () => {
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
    ['no item after a comma', '[{"name":"Ana"},]', 'invalid_format'],
    ['no item before a comma', '[,{"name":"Ana"}]', 'invalid_format'],
    ['something after its end', '[{"name":"Ana"}] x', 'invalid_format'],
    ['a backslash between items', '[{"name":"Ana"}\\,{"name":"Ben"}]', 'invalid_format'],
    ['brackets that do not fit', '[{"name":["Ana"}]]', 'invalid_format'],
    ['a field named __proto__', '[{"__proto__":1}]', 'invalid_format'],
  ])('and is refused with %s', async (_what, content, code) => {
    expect(await sent(content)).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('and may be empty', async () => {
    expect(await sent('[ ]')).toMatchObject(counts({ total_rows: 0 }))
  })
})

test('a file that cannot be read to its end leaves nothing, however much of it could be', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `Person ${String(row)}\n`).join('')
  expect(await send(csv(`name\n${rows}"Ana\n`))).toMatchObject({
    status: 422,
    body: { error: { message: 'The file cannot be read as CSV: a quote is never closed (row 20002).' } },
  })
  expect(await contacts()).toEqual([])
})

test('updates of one contact fill it with no more fields than a body may', async () => {
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

describe('a duplicate', () => {
  const file = csv('name,email,company,Source\nNew,ANA@example.com,,web\nNew,ana@example.com,Other,\n')

  beforeEach(async () => {
    await sales.addContact({
      name: 'Ana',
      email: 'ana@example.com',
      company: 'Harbor Motors',
      custom_fields: { Budget: 1 },
    })
  })

  test('is skipped unless told otherwise', async () => {
    expect(await send(file)).toMatchObject(counts({ total_rows: 2, skipped: 2 }))
    expect(await contacts()).toMatchObject([{ name: 'Ana' }])
  })

  test('is updated with what the file says when asked for', async () => {
    expect(await send(file, { duplicate_strategy: 'update' })).toMatchObject(
      counts({ total_rows: 2, updated: 2 }),
    )
    expect(await contacts()).toMatchObject([
      { name: 'New', company: 'Other', custom_fields: { Budget: 1, Source: 'web' } },
    ])
  })

  test('is made once more when asked for', async () => {
    expect(await send(file, { duplicate_strategy: 'create' })).toMatchObject(
      counts({ total_rows: 2, created: 2 }),
    )
    expect(await contacts()).toHaveLength(3)
  })

  test('is told of within the file too', async () => {
    expect(await send(csv('name,email\nBen,ben@example.com\nBen,Ben@Example.com\n'))).toMatchObject(
      counts({ total_rows: 2, created: 1, skipped: 1 }),
    )
  })
})

test('the vertical of the form is for rows that have none', async () => {
  await send(csv('name,vertical\nAna,education\nBen,\n'), { vertical: 'services' })
  expect(await contacts()).toMatchObject([{ vertical: 'education' }, { vertical: 'services' }])
})

test('each contact that is made or changed is told of once', async () => {
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

describe('an import that is under way stops, and says so, when', () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `Person ${String(row)}\n`).join('')

  /** Does `meddle` as soon as some of the rows are there; answers with what became of the import. */
  const importWhile = async (meddle: () => Promise<Answer>) => {
    // The control plane is put together when it is first called, which takes longer than the import.
    await sales.fresh.call('GET', '/_sim/health')
    const importing = send(csv(`name\n${rows}`))
    while ((await contacts()).length === 0) await nextTurn()
    expect((await meddle()).status).toBeLessThan(300)
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

  test('the workspace is removed', async () => {
    const { call, workspace } = sales.fresh
    expect(await importWhile(() => call('DELETE', `/_sim/workspaces/${workspace.id}`))).toMatchObject(stopped)
  })
})

describe('columns as other programs write them', () => {
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

  test('give way to our own names, and of two for one field the first is taken', async () => {
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

  test('such as the parts of a name stand behind the name itself', async () => {
    const { contacts: made, columns } = await imported(
      'First Name,Last Name,Name\nAna,Castillo,Ana C.\nEva,Ríos,\n',
    )
    expect(made.map(({ name }) => name)).toEqual(['Ana C.', 'Eva Ríos'])
    expect(columns).toEqual(['name', 'name', 'name'])
  })
})

describe('what GET /contacts answered', () => {
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
    const told = sales.events().length
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
    expect(sales.events()).toHaveLength(told)
  })

  test('changes the contacts whose ids it holds, also their addresses', async () => {
    await two()
    const [ana, other] = await contacts()
    const file = json([
      { id: ana?.id, email: 'eva@example.com' },
      { id: other?.id, position: 'Head' },
    ])
    expect(await send(file, { duplicate_strategy: 'update' })).toMatchObject(
      counts({ total_rows: 2, updated: 2 }),
    )
    expect(await contacts()).toMatchObject([
      { id: ana?.id, name: 'Ana', email: 'eva@example.com' },
      { id: other?.id, position: 'Head', vertical: 'education' },
    ])
  })

  test('fails where an address is that of another contact', async () => {
    await two()
    const [, other] = await contacts()
    const file = json([{ id: other?.id, email: 'ANA@example.com' }])
    expect((await send(file, { duplicate_strategy: 'update' })).body).toMatchObject({
      failed: 1,
      errors: [{ row: 1, field: 'email' }],
    })
  })
})

test('an update needs no column for the name, and no name for a contact that is there', async () => {
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

test('of a spreadsheet the first sheet that is not hidden is read', async () => {
  const content = xlsxWithHidden([['name'], ['Hidden']], [['name'], ['Ana']])
  await send({ filename: 'contacts.xlsx', content })
  expect((await contacts()).map(({ name }) => name)).toEqual(['Ana'])
})

describe('a file that is something else is called what it is:', () => {
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

  test('but for a text that begins as some programs do', async () => {
    expect(await send(csv('BMI,name\n20,Ana\n'))).toMatchObject(counts({ total_rows: 1, created: 1 }))
  })
})

describe('refused, with nothing imported, is', () => {
  test.each([
    ['a file of no bytes', csv(''), 'empty'],
    ['a file of blanks', csv(' \n \n'), 'empty'],
    ['a spreadsheet without a cell', { filename: 'a.xlsx', content: xlsx([]) }, 'empty'],
    ['a file without a column for the name', csv('email\na@example.com\n'), 'required'],
    ['a file with a column twice', csv('name,name\nAna,Ana\n'), 'duplicate'],
    ['a file with two columns for one field', csv('name,email,E-Mail\nAna,,\n'), 'duplicate'],
    ['a column named __proto__', csv('name,__proto__\nAna,x\n'), 'not_allowed'],
    ['a quote that is never closed', csv('name\n"Ana\n'), 'invalid_format'],
    [
      'a text that is in two encodings',
      csv(
        Buffer.concat([
          Buffer.from(`name\né${'x'.repeat(20_000)}\n`),
          Buffer.from('é', 'latin1'),
          Buffer.from('\n'),
        ]),
      ),
      'invalid_encoding',
    ],
    ['bytes that are no text', csv(Buffer.from('name\nAna\u0081\u009d\n', 'latin1')), 'invalid_encoding'],
    [
      'JSON that is not UTF-8',
      { filename: 'a.json', content: Buffer.from('[{"name":"José"}]', 'latin1') },
      'invalid_encoding',
    ],
    ['half a UTF-16 character', csv(Buffer.from([0xff, 0xfe, 0x41])), 'invalid_encoding'],
  ])('%s', async (_what, file, code) => {
    expect(await send(file)).toMatchObject(refused(code))
    expect(await contacts()).toEqual([])
  })

  test('a file whose columns name nobody, which are listed with those needed', async () => {
    const { text } = await send(csv('Shoe,E-mail\n39,a@example.com\n'))
    expect(text).toContain(
      'The file has no column name. Columns found: Shoe, E-mail. Columns needed: name (or First Name and Last Name).',
    )
    const updating = await send(csv('Shoe,Hat\n39,7\n'), { duplicate_strategy: 'update' })
    expect(updating.text).toContain('Columns found: Shoe, Hat.')
    expect(updating.text).toContain('Columns needed: name (or First Name and Last Name), email or id.')
  })

  test('a form without a file', async () => {
    const answer = await sales.call('POST', '/contacts/import', formOf({ vertical: 'services' }))
    expect(answer).toMatchObject(refused('required'))
  })

  test('a text in the place of the file, and several files', async () => {
    expect(await send('name\nAna\n')).toMatchObject(refused('invalid_type'))
    expect(await send([csv('name\nAna\n'), csv('name\nBen\n')])).toMatchObject(refused('invalid_type'))
  })

  test.each([
    ['duplicate_strategy', 'merge'],
    ['vertical', 'farming'],
  ])('an unknown %s', async (field, value) => {
    expect(await send(csv('name\nAna\n'), { [field]: value })).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code: 'not_allowed' }] } },
    })
    expect(await contacts()).toEqual([])
  })

  test('a form that is cut off, and one without a boundary', async () => {
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

  test('a file of more than 50 MiB, and not one of just that', async () => {
    const largest = Buffer.alloc(50 * 1024 * 1024, '\n')
    largest.write('name\nAna\n')
    expect(await send(csv(largest))).toMatchObject(counts({ created: 1 }))
    expect(await send(csv(Buffer.concat([largest, Buffer.from('\n')])))).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    })
    expect(await contacts()).toHaveLength(1)
  })
})
