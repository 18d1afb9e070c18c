/** The import of candidates. Specification part 1, "Recruiting". */
import { expect, test } from 'vitest'
import { formOf } from '../../support/forms.ts'
import { freshRecruiting, NOON, type ItemBody } from '../../support/recruiting.ts'
import { xlsx } from '../../support/xlsx.ts'

interface Run {
  readonly import_id: string
  readonly status: string
  readonly total_rows: number
  readonly processed: number
  readonly created: number
  readonly duplicates: number
  readonly columns: readonly { column: string; field: string | null }[]
  readonly errors: number
  readonly error_rows: readonly { row: number; field: string | null; message: string }[]
}

async function importing() {
  const hiring = await freshRecruiting()
  const { call, ask } = hiring
  const send = (
    content: string | Buffer,
    fields: Record<string, string | string[]> = {},
    filename = 'people.csv',
  ) => call('POST', '/candidates/import', formOf({ file: { filename, content }, ...fields }))
  return {
    ...hiring,
    send,
    async begin(...args: Parameters<typeof send>): Promise<Run> {
      const { status, body, text } = await send(...args)
      if (status !== 200) throw new Error(text)
      return body as Run
    },
    progress: (id: string) => ask<Run>('GET', `/candidates/import/${id}`),
    all: async () => (await ask<{ data: ItemBody[] }>('GET', '/candidates/search?per_page=100')).data,
  }
}

const at = (seconds: number): string => new Date(Date.parse(NOON) + seconds * 1000).toISOString()

test('processes an import by the clock, a hundred rows per second', async () => {
  const { begin, progress, setClock, all, events } = await importing()
  const rows = Array.from({ length: 250 }, (_, index) => `P${String(index)},p${String(index)}@example.com`)
  const run = await begin(`name,email\n${rows.join('\n')}\n`)
  expect(run).toMatchObject({
    status: 'processing',
    total_rows: 250,
    processed: 0,
    started_at: NOON,
    completed_at: null,
  })
  expect(await all()).toEqual([])
  const seen: [string, number][] = []
  for (const seconds of [0.999, 1, 2, 2.999, 3]) {
    setClock(at(seconds))
    const { status, processed, created } = await progress(run.import_id)
    expect(created).toBe(processed)
    seen.push([status, processed])
  }
  expect(seen).toEqual([
    ['processing', 0],
    ['processing', 100],
    ['processing', 200],
    ['processing', 200],
    ['completed', 250],
  ])
  expect(await progress(run.import_id)).toMatchObject({ completed_at: at(3) })
  expect(events()).toEqual(['import.completed'])
})

test('reports each row by number as a candidate, a duplicate or an error', async () => {
  const { begin, progress, setClock, all, addVacancy, apply } = await importing()
  const known = await apply((await addVacancy()).id, { email: 'known@example.com' })
  const content = [
    'Name;E-mail;Experience Years;Skills;Country;Tags;Other',
    'Rosa;rosa@example.com;2.5;wood, glue;Panama;craft;x',
    'Known;KNOWN@example.com;;;;;',
    'Rosa again;Rosa@Example.com;;;;;',
    'No mail;;;;;;',
    'Bad;bad;many;;XX;;',
  ]
    .join('\n')
    .replaceAll(', glue', '| glue')
    .replaceAll(';', ',')
    .replaceAll('|', ';')
    .replace('E-mail', 'email')
  const run = await begin(content, { source: 'fair', 'tags[]': ['pool', 'autumn'] })
  setClock(at(1))
  expect(await progress(run.import_id)).toMatchObject({
    status: 'completed',
    processed: 5,
    created: 1,
    duplicates: 2,
    errors: 2,
    duplicate_rows: [
      { row: 3, candidate_id: known },
      { row: 4, candidate_id: expect.any(String) },
    ],
    error_rows: [
      { row: 5, field: 'email', message: 'email is required' },
      { row: 6, field: 'email' },
      { row: 6, field: 'country' },
      { row: 6, field: 'experience_years' },
    ],
  })
  const rosa = (await all()).find(({ name }) => name === 'Rosa')
  expect(rosa).toMatchObject({
    experience_years: 2.5,
    skills: ['wood', 'glue'],
    location: { country: 'Panama' },
    stage: null,
  })
})

test('adds the tags and the source of the form to all candidates', async () => {
  const { begin, setClock, ask, all } = await importing()
  await begin('name,email,tags\nRosa,rosa@example.com,own\n', { tags: 'pool, autumn' })
  setClock(at(1))
  const [rosa] = await all()
  expect(await ask('GET', `/candidates/${String(rosa?.id)}`)).toMatchObject({
    tags: ['pool', 'autumn', 'own'],
  })
  for (const query of ['tags=OWN,pool', 'tags=OWN&tags=pool']) {
    expect((await ask<{ data: object[] }>('GET', `/candidates/search?${query}`)).data).toHaveLength(1)
  }
})

const people = [
  [
    'Greenhouse',
    'Candidate Name,Candidate ID,Email Addresses,Phone Numbers,Current Company,Source,Tags,Applied On\nRosa Medina,7,"rosa@example.com, rm@example.com","+507 6000 0001, +507 6000 0002",Harbor,Referral,"craft, night shift",2026-01-02\n',
    ['name', null, 'email', 'phone', null, 'source', 'tags', null],
    { phone: '+507 6000 0001', tags: ['craft', 'night shift'] },
  ],
  [
    'Greenhouse with parts of the name',
    'First Name,Last Name,Company,Email,Phone,Website\nRosa,Medina,Harbor,rosa@example.com,+507 6000 0001,rosa.example.com/work\n',
    ['name', 'name', null, 'email', 'phone', 'portfolio_url'],
    { documents: { portfolio_url: 'https://rosa.example.com/work' } },
  ],
  [
    'Lever',
    'Candidate Name,Candidate Email,Phone,Location,Headline,Origin,Stage\nRosa Medina,rosa@example.com,,"Colón, Panama",Joiner,sourced,New\n',
    ['name', 'email', 'phone', 'location', 'summary', 'source', null],
    { location: { country: 'Panama', city: 'Colón' }, summary: 'Joiner' },
  ],
  [
    'LinkedIn',
    'First Name,Last Name,Headline,Location,Current Title,Email Address,Phone Number,Profile URL\nRosa,Medina,Joiner,San Francisco Bay Area,Head,rosa@example.com,+507 6000 0001,https://www.linkedin.com/in/rosa\n',
    ['name', 'name', 'summary', 'location', null, 'email', 'phone', 'linkedin_url'],
    {
      location: { country: null, city: 'San Francisco Bay Area' },
      documents: { linkedin_url: 'https://www.linkedin.com/in/rosa' },
    },
  ],
  [
    'Teamtailor',
    'Full Name,E-mail,Phone,Pitch,LinkedIn URL,Referring site\nRosa Medina,rosa@example.com,+507 6000 0001,I join.,linkedin.com/in/rosa,Board\n',
    ['name', 'email', 'phone', 'summary', 'linkedin_url', 'source'],
    { summary: 'I join.', documents: { linkedin_url: 'https://linkedin.com/in/rosa' } },
  ],
  [
    'Workable',
    'Candidate,Email,Phone,Job,Stage,Summary,Headline,Tags,Skills\nRosa Medina,rosa@example.com,+507 6000 0001,Joiner,Sourced,Ten years,Joiner,craft;night,"wood, glue"\n',
    ['name', 'email', 'phone', null, null, 'summary', null, 'tags', 'skills'],
    { summary: 'Ten years', tags: ['craft', 'night'], skills: { technical: ['wood', 'glue'] } },
  ],
  [
    'a list with an experience in words',
    'Name,Email,Experience,Skills,Country\nRosa Medina,rosa@example.com,4+ years,"[""wood"",""paint""]",México\n',
    ['name', 'email', 'experience_years', 'skills', 'country'],
    { experience_years: 4, skills: { technical: ['wood', 'paint'] }, location: { country: 'Mexico' } },
  ],
  [
    'a list with two kinds of experience',
    'Experience,Name,Email,Years of experience\nCarpenter,Rosa Medina,rosa@example.com,4\n',
    [null, 'name', 'email', 'experience_years'],
    { experience_years: 4 },
  ],
  [
    'a form with marks and accents',
    'Nombre*,Apellidos*,Correo electrónico*,Teléfono,País,Años de experiencia\nRosa,Medina,rosa@example.com,+507 6000 0001,Panama,4\n',
    ['name', 'name', 'email', 'phone', 'country', 'experience_years'],
    { location: { country: 'Panama' }, experience_years: 4 },
  ],
] as const

test.each(people)('recognizes the headers of %s', async (_program, content, fields, profile) => {
  const { begin, progress, setClock, ask, all } = await importing()
  const run = await begin(content)
  expect(run.columns.map(({ field }) => field)).toEqual(fields)
  expect(run.columns.map(({ column }) => column)).toEqual(content.split('\n', 1)[0]?.split(','))
  setClock(at(1))
  expect(await progress(run.import_id)).toMatchObject({
    created: 1,
    errors: 0,
    error_rows: [],
    columns: run.columns,
  })
  const [rosa] = await all()
  expect(await ask('GET', `/candidates/${String(rosa?.id)}`)).toMatchObject({
    name: 'Rosa Medina',
    email: 'rosa@example.com',
    ...profile,
  })
})

test('uses the first of several addresses of a cell, and warns about the others', async () => {
  const { begin, progress, setClock, all } = await importing()
  const run = await begin(
    'name|email\nRosa|rosa@example.com ::: r@example.com\nEva|\u200beva\u00ad@example.com\u00a0, e@example.com; x@example.com\nEve|bad;eve@example.com\nRosa|rosa@example.com;r@example.com\n',
  )
  expect(run).toMatchObject({ warnings: [], error_rows: [] })
  setClock(at(1))
  const message = (count: number, address: string) =>
    `email has ${String(count)} addresses. The first one was used: ${address}`
  expect(await progress(run.import_id)).toMatchObject({
    created: 2,
    duplicates: 1,
    errors: 1,
    error_rows: [{ row: 4, field: 'email', message: 'email must be an e-mail address' }],
    warnings: [
      { row: 2, field: 'email', message: message(2, 'rosa@example.com') },
      { row: 3, field: 'email', message: message(3, 'eva@example.com') },
      { row: 5, field: 'email', message: message(2, 'rosa@example.com') },
    ],
  })
  expect((await all()).map(({ email }) => email).sort()).toEqual(['eva@example.com', 'rosa@example.com'])
})

test('finds a duplicate with a decomposed address', async () => {
  const { begin, progress, setClock } = await importing()
  const run = await begin('name,email\nJosé,josé@example.com\nJosé,JOSE\u0301@example.com\n')
  setClock(at(1))
  expect(await progress(run.import_id)).toMatchObject({ created: 1, duplicates: 1 })
})

test('refuses a file with mixed encodings with the row', async () => {
  const { send } = await importing()
  const content = Buffer.concat([
    Buffer.from('name,email\nJosé,jose@example.com\n'),
    Buffer.from('Jos\u00e9,j@example.com\n', 'latin1'),
  ])
  const { status, text } = await send(content)
  expect([status, text]).toEqual([
    422,
    expect.stringContaining('Row 3 is not UTF-8, but other parts of the file are.'),
  ])
})

test('prefers standard headers over those of other programs, and ignores the rest', async () => {
  const { begin, setClock, all } = await importing()
  const run = await begin('Full Name,Work Email,email,name\nA,work@example.com,rosa@example.com,Rosa\n')
  expect(run.columns).toEqual([
    { column: 'Full Name', field: null },
    { column: 'Work Email', field: null },
    { column: 'email', field: 'email' },
    { column: 'name', field: 'name' },
  ])
  setClock(at(1))
  expect(await all()).toMatchObject([{ name: 'Rosa', email: 'rosa@example.com' }])
})

test('imports the response of the search, with columns from all objects', async () => {
  const { begin, setClock, all } = await importing()
  const list = [
    {
      name: 'Rosa',
      email: 'rosa@example.com',
      location: { country: 'Panama', city: null },
      profile_url: 'http://127.0.0.1/x',
    },
    { name: 'Eva', email: 'eva@example.com', Shoe: 39 },
  ]
  const run = await begin(JSON.stringify(list), {}, 'people.json')
  expect(run.columns).toEqual([
    { column: 'name', field: 'name' },
    { column: 'email', field: 'email' },
    { column: 'location', field: 'location' },
    { column: 'profile_url', field: null },
    { column: 'Shoe', field: null },
  ])
  setClock(at(1))
  expect((await all()).find(({ name }) => name === 'Rosa')).toMatchObject({
    location: { country: 'Panama', city: null },
  })
})

test.each([
  ['Full Name,Shoe\nRosa,39\n', 'email', 'Full Name, Shoe'],
  ['Shoe,E-mail\n39,rosa@example.com\n', 'name', 'Shoe, E-mail'],
  [`email,${'x'.repeat(60)}\na@example.com,1\n`, 'name', `email, ${'x'.repeat(40)}…`],
  [
    `email,${Array.from({ length: 20 }, (_, index) => `c${String(index)}`).join(',')}\na@example.com\n`,
    'name',
    'c18 and 1 more.',
  ],
])('lists the found and the required columns in an error', async (content, missing, found) => {
  const { send } = await importing()
  const { status, text } = await send(content)
  expect(status).toBe(422)
  expect(text).toContain(`The file has no column ${missing}. Columns found: `)
  expect(text).toContain(found)
  expect(text).toContain('Columns needed: name (or First Name and Last Name) and email.')
})

test('reads a spreadsheet', async () => {
  const { begin, progress, setClock } = await importing()
  const content = xlsx([
    ['name', 'email', 'experience_years'],
    ['Rosa', 'rosa@example.com', 4],
  ])
  const run = await begin(content, {}, 'people.xlsx')
  setClock(at(1))
  expect(await progress(run.import_id)).toMatchObject({
    status: 'completed',
    created: 1,
    errors: 0,
    error_rows: [],
  })
})

test('completes an import without rows at once', async () => {
  const { begin, progress, setClock } = await importing()
  const run = await begin('name,email\n')
  setClock(at(1))
  expect(await progress(run.import_id)).toMatchObject({ status: 'completed', total_rows: 0 })
})

test.each([
  ['no name', 'email\na@example.com\n', {}],
  ['no address', 'name\nAna\n', {}],
  ['two columns for one field', 'name,email,E_mail\nAna,a@example.com,b@example.com\n', {}],
  ['nothing', '', {}],
  ['too many rows', `name,email\n${'Ana,a@example.com\n'.repeat(10_001)}`, {}],
  ['a tag that is too long', 'name,email\nAna,a@example.com\n', { tags: 'x'.repeat(51) }],
  ['a source that is too long', 'name,email\nAna,a@example.com\n', { source: 'x'.repeat(51) }],
])('refuses a file with %s and stores nothing', async (_title, content, fields) => {
  const { send, fresh } = await importing()
  const before = fresh.dump()
  expect((await send(content, fields)).status).toBe(422)
  expect(fresh.dump()).toEqual(before)
})

test('accepts ten thousand rows', async () => {
  const { begin } = await importing()
  const rows = Array.from({ length: 10_000 }, (_, index) => `P,p${String(index)}@example.com\n`).join('')
  expect(await begin(`name,email\n${rows}`)).toMatchObject({ total_rows: 10_000 })
})

test('continues a running import from a snapshot in another workspace', async () => {
  const { begin, fresh } = await importing()
  await begin('name,email\nRosa,rosa@example.com\n')
  const { body: fixtures } = await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/snapshot`)
  const made = await fresh.call('POST', '/_sim/workspaces', { body: { fixtures } })
  const { workspace, key } = made.body as { workspace: { id: string }; key: string }
  await fresh.call('PUT', `/_sim/workspaces/${workspace.id}/clock`, { body: { now: at(5), frozen: true } })
  const { body } = await fresh.at('recruiting')('GET', '/candidates/search', { key })
  expect((body as { data: ItemBody[] }).data.map(({ name }) => name)).toEqual(['Rosa'])
})
