/** Contacts. Specification part 3, "Contact". */
import { describe, expect, test } from 'vitest'
import { freshAccount, hintsOf, NOON_SECONDS } from '../../support/conversations.ts'
import { formOf } from '../../support/forms.ts'

interface Page {
  readonly meta: { readonly count: number; readonly current_page: number }
  readonly payload: readonly { readonly id: number; readonly name: string }[]
}

const ids = ({ payload }: Page): number[] => payload.map(({ id }) => id)
const names = ({ payload }: Page): string[] => payload.map(({ name }) => name)

const ANA = {
  name: 'Ana Ríos',
  email: 'Ana.Rios@example.com',
  phone_number: '+50760001234',
  identifier: 'crm-7',
  custom_attributes: { plan: 'office' },
}

test('returns the given fields and the computed fields of a contact', async () => {
  const { ask } = await freshAccount()
  const created = await ask('POST', '/contacts', ANA)
  const contact = {
    id: 1,
    ...ANA,
    availability_status: 'offline',
    last_activity_at: null,
    created_at: NOON_SECONDS,
    additional_attributes: {},
    thumbnail: '',
    contact_inboxes: [],
  }
  expect(created).toEqual({ payload: { contact, contact_inbox: {} } })
  expect(await ask('GET', '/contacts/1')).toEqual({ payload: contact })
})

test('merges attributes in an update, and keeps omitted fields', async () => {
  const { ask, contact } = await freshAccount()
  await contact(ANA)
  const { payload } = await ask<{ payload: object }>('PATCH', '/contacts/1', {
    name: 'Ana R.',
    custom_attributes: { size: 40 },
    email: null,
  })
  expect(payload).toMatchObject({
    name: 'Ana R.',
    email: null,
    phone_number: ANA.phone_number,
    custom_attributes: { plan: 'office', size: 40 },
  })
})

describe('attributes', () => {
  const some = (from: number, count: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${String(from + index)}`, value]))

  test.each([
    ['custom_attributes', 'Custom attributes'],
    ['additional_attributes', 'Additional attributes'],
  ])('are limited to 100 in total: %s', async (field, called) => {
    const { ask, raw, contact } = await freshAccount()
    await contact({ [field]: some(0, 60) })
    expect((await raw('PATCH', '/contacts/1', { body: { [field]: some(60, 40) } })).status).toBe(200)
    expect((await raw('PATCH', '/contacts/1', { body: { [field]: some(0, 100, 2) } })).status).toBe(200)
    const answer = await raw('PATCH', '/contacts/1', { body: { name: 'No', [field]: some(100, 1) } })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      error: `${called} must have at most 100 fields`,
      attributes: [field],
    })
    expect(await ask('GET', '/contacts/1')).toMatchObject({
      payload: { name: '', [field]: some(0, 100, 2) },
    })
  })

  test('are limited to 65,536 characters of JSON in total', async () => {
    const { raw, contact } = await freshAccount()
    await contact({ custom_attributes: { one: 'x'.repeat(40_000) } })
    const patch = (size: number) =>
      raw('PATCH', '/contacts/1', { body: { custom_attributes: { two: 'x'.repeat(size) } } })
    expect((await patch(30_000)).status).toBe(422)
    expect((await patch(20_000)).status).toBe(200)
  })
})

describe('unique fields', () => {
  test.each([
    ['email', 'ana.rios@EXAMPLE.com', 'Email has already been taken'],
    ['phone_number', ANA.phone_number, 'Phone number has already been taken'],
    ['identifier', ANA.identifier, 'Identifier has already been taken'],
  ])('are refused for a second contact: %s', async (field, value, error) => {
    const { raw, contact, ask } = await freshAccount()
    await contact(ANA)
    await contact({ name: 'Other' })
    for (const [method, path] of [
      ['POST', '/contacts'],
      ['PATCH', '/contacts/2'],
    ] as const) {
      const answer = await raw(method, path, { body: { [field]: value } })
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ error, attributes: [field] })
    }
    await ask('PATCH', '/contacts/1', { [field]: value })
    expect((await ask<Page>('GET', '/contacts')).meta.count).toBe(2)
  })
})

test('finds and refuses the same address composed and decomposed', async () => {
  const { raw, contact, ask } = await freshAccount()
  await contact({ name: 'José', email: 'jose\u0301@example.com' })
  expect((await raw('POST', '/contacts', { body: { email: 'JOSÉ@example.com' } })).status).toBe(422)
  const payload = [{ attribute_key: 'email', filter_operator: 'equal_to', values: ['josé@example.com'] }]
  expect(ids(await ask<Page>('POST', '/contacts/filter', { payload }))).toEqual([1])
  expect(ids(await ask<Page>('GET', `/contacts/search?q=${encodeURIComponent('josé@')}`))).toEqual([1])
})

test.each(['email', 'phone_number', 'identifier'] as const)('an empty %s is null', async (field) => {
  const { contact, ask, raw } = await freshAccount()
  for (const name of ['Otto', 'Marta']) {
    expect(await contact({ name, [field]: '' })).toMatchObject({ [field]: null })
  }
  const { id } = await contact(ANA)
  await ask('PATCH', `/contacts/${String(id)}`, { [field]: '' })
  const { payload } = await ask<{ payload: object }>('GET', `/contacts/${String(id)}`)
  expect(payload).toMatchObject({ ...ANA, [field]: null })
  expect((await raw('POST', '/contacts', { body: { [field]: 7 } })).status).toBe(422)
})

test('an empty address of a message names no contact', async () => {
  const { contact, inbox, receive, get } = await freshAccount()
  await contact({ name: 'Marta' })
  const { id: inbox_id } = await inbox()
  const sender = { name: 'Otto', email: '', phone_number: '' }
  const { conversation_id } = await receive({ inbox_id, contact: sender, content: 'Hi' })
  const { meta } = await get(conversation_id)
  expect(meta.sender).toMatchObject({ name: 'Otto', email: null, phone_number: null })
})

test.each(['60001234', '+', ' ', '+0123', '+5076000123456789', 'call me', '+507 6000 1234'])(
  'refuses the phone number %s, which is not in e164 format',
  async (phone_number) => {
    const { raw } = await freshAccount()
    const answer = await raw('POST', '/contacts', { body: { phone_number } })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ attributes: ['phone_number'] })
  },
)

describe('list', () => {
  test('has pages of 15, sorted by name by default', async () => {
    const { ask, contact } = await freshAccount()
    for (let count = 16; count >= 1; count--)
      await contact({ name: `Contact ${String(count).padStart(2, '0')}` })
    const first = await ask<Page>('GET', '/contacts')
    expect(first.meta).toEqual({ count: 16, current_page: 1 })
    expect(names(first)).toHaveLength(15)
    expect(names(first)[0]).toBe('Contact 01')
    expect(await ask('GET', '/contacts?page=2')).toMatchObject({
      meta: { count: 16, current_page: 2 },
      payload: [{ name: 'Contact 16' }],
    })
  })

  test.each([
    ['name', [1, 2, 3]],
    ['-name', [3, 2, 1]],
    ['email', [3, 2, 1]],
    ['-email', [1, 2, 3]],
    ['phone_number', [3, 1, 2]],
    ['-phone_number', [2, 1, 3]],
    ['last_activity_at', [1, 3, 2]],
    ['-last_activity_at', [2, 3, 1]],
    ['created_at', [1, 2, 3]],
    ['-created_at', [3, 2, 1]],
  ])('is sorted by %s', async (sort, expected) => {
    const { ask, contact, fresh } = await freshAccount()
    await contact({ name: 'Ana', email: 'c@example.com', phone_number: '+5072' })
    fresh.setClock('2026-11-21T12:01:00.000Z')
    await contact({ name: 'beatriz', email: 'b@example.com', phone_number: '+5073' })
    fresh.setClock('2026-11-21T12:02:00.000Z')
    await contact({ name: 'Carla', email: 'a@example.com', phone_number: '+5071' })
    if (sort.endsWith('last_activity_at')) {
      await ask('POST', '/inboxes', { name: 'App', channel: { type: 'api' } })
      for (const [id, minute] of [
        [3, 3],
        [2, 4],
      ] as const) {
        fresh.setClock(`2026-11-21T12:0${String(minute)}:00.000Z`)
        await fresh.call(
          'POST',
          `/_sim/workspaces/${fresh.workspace.id}/triggers/conversations.message.receive`,
          {
            body: { inbox_id: 1, contact_id: id, content: 'Hi' },
          },
        )
      }
    }
    expect(ids(await ask<Page>('GET', `/contacts?sort=${sort}`))).toEqual(expected)
  })

  test('shows inboxes by default', async () => {
    const { ask, begin } = await freshAccount()
    await begin()
    const contactInbox = {
      source_id: '1-1',
      inbox: { id: 1, name: 'Website', channel_type: 'Channel::WebWidget' },
    }
    expect(await ask('GET', '/contacts')).toMatchObject({ payload: [{ contact_inboxes: [contactInbox] }] })
    const { payload } = await ask<Page>('GET', '/contacts?include_contact_inboxes=false')
    expect(payload[0]).not.toHaveProperty('contact_inboxes')
  })
})

describe('search', () => {
  test.each([
    ['rios', [1]],
    ['RÍOS', [1]],
    ['ana.rios@', [1]],
    ['6000-1234', [1]],
    ['crm-7', [1]],
    ['a', [1, 2]],
    ['zzz', []],
  ])('finds by %s', async (q, expected) => {
    const { ask, contact } = await freshAccount()
    await contact(ANA)
    await contact({ name: 'Marta' })
    const page = await ask<Page>('GET', `/contacts/search?q=${encodeURIComponent(q)}`)
    expect(ids(page)).toEqual(expected)
    expect(page.meta).toEqual({ count: expected.length, current_page: 1 })
  })
})

test('deletes a contact with its conversations, messages and files', async () => {
  const { raw, begin, fresh, contact } = await freshAccount()
  const { id } = await begin({ message: { content: 'Hello' } })
  const form = formOf({ 'attachments[]': [{ filename: 'a.txt', content: 'a' }] })
  await raw('POST', `/conversations/${String(id)}/messages`, form)
  const answer = await raw('DELETE', '/contacts/1')
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect((await raw('GET', '/contacts/1')).status).toBe(404)
  expect((await raw('GET', `/conversations/${String(id)}`)).status).toBe(404)
  expect((await raw('DELETE', '/contacts/1')).status).toBe(404)
  const [whole] = fresh.dump() as { conversations: Record<string, unknown[]>; files: { files: unknown[] } }[]
  expect(whole?.conversations['messages'] ?? []).toEqual([])
  expect(whole?.files.files ?? []).toEqual([])
  // Its number is not reused.
  expect((await contact()).id).toBe(2)
})

describe('import', () => {
  const importing = async (text: string | Buffer) => {
    const account = await freshAccount()
    await account.contact(ANA)
    const send = (content: string | Buffer) =>
      account.raw('POST', '/contacts/import', formOf({ import_file: { filename: 'contacts.csv', content } }))
    const answer = await send(text)
    const path = `/_sim/workspaces/${account.fresh.workspace.id}/emails`
    const { data } = (await account.fresh.call('GET', path)).body as {
      data: { id: string; to: string; text: string; attachments: { filename: string }[] }[]
    }
    const attachment = async (index: number) =>
      (await account.fresh.call('GET', `${path}/${data[0]?.id ?? ''}/attachments/${String(index)}`)).text
    return { ...account, answer, send, emails: data, attachment }
  }

  test('creates contacts, updates existing ones, and reports failures', async () => {
    const { answer, ask, emails } = await importing(
      [
        'name,email,phone_number,identifier,city',
        'Luis,luis@example.com,+50760009999,,David',
        'Ana Ríos P.,ana.rios@example.com,,,Colón',
        'Nobody,not an address,,,',
        ',,,,Panamá',
      ].join('\n'),
    )
    expect([answer.status, answer.text]).toEqual([200, ''])
    const page = await ask<Page>('GET', '/contacts')
    expect(page.payload).toMatchObject([
      {
        id: 1,
        name: 'Ana Ríos P.',
        custom_attributes: { plan: 'office' },
        additional_attributes: { city: 'Colón' },
      },
      { id: 2, name: 'Luis', phone_number: '+50760009999', additional_attributes: { city: 'David' } },
    ])
    expect(emails).toMatchObject([
      {
        to: 'test.user@example.com',
        text: '2 of 4 contacts were imported.\nCreated: 1. Updated: 1. Refused: 2.\n',
        attachments: [{ filename: 'failed_contacts.csv' }],
      },
    ])
  })

  test('refuses a row with more attributes than allowed', async () => {
    const columns = Array.from({ length: 101 }, (_, index) => `field${String(index)}`)
    const { ask, emails } = await importing(
      [
        ['email', ...columns].join(','),
        ['luis@example.com', ...columns].join(','),
        ['ana.rios@example.com', ...columns].join(','),
      ].join('\n'),
    )
    expect(await ask<Page>('GET', '/contacts')).toMatchObject({
      meta: { count: 1 },
      payload: [{ custom_attributes: ANA.custom_attributes }],
    })
    expect(emails).toMatchObject([
      { text: '0 of 2 contacts were imported.\nCreated: 0. Updated: 0. Refused: 2.\n' },
    ])
  })

  test('updates the contact with the given id, and creates none with an id', async () => {
    const { ask, emails } = await importing(
      [
        'id,email,size',
        '1,ANA.rios@example.com,4',
        '7,luis@example.com,',
        '8,,4',
        ',,4',
        ',marta@example.com,',
      ].join('\n'),
    )
    expect(await ask<Page>('GET', '/contacts?sort=created_at')).toMatchObject({
      payload: [
        { ...ANA, id: 1, email: 'ANA.rios@example.com', custom_attributes: { plan: 'office', size: '4' } },
        { id: 2, email: 'luis@example.com' },
        { id: 3, email: 'marta@example.com' },
      ],
    })
    expect(emails).toMatchObject([
      { text: '3 of 5 contacts were imported.\nCreated: 2. Updated: 1. Refused: 2.\n' },
    ])
  })

  test.each([
    ['email', 'email', 'luis@example.com'],
    ['phone number', 'phone_number', '+50760000002'],
    ['identifier', 'identifier', 'crm-8'],
  ])('leaves the contact with the given id alone if the row has another %s', async (field, column, value) => {
    const { ask, attachment } = await importing(`id,name,${column}\n1,Luis,${value}\n1,Luis P.,${value}\n`)
    expect(await ask<Page>('GET', '/contacts?sort=created_at')).toMatchObject({
      payload: [
        { ...ANA, id: 1 },
        { id: 2, name: 'Luis P.', [column]: value },
      ],
    })
    const message = `id,"id was ignored, because the contact 1 has another ${field}"`
    expect(await attachment(0)).toBe(`row,field,warning\n2,${message}\n3,${message}\n`)
  })

  test('finds the contact by its id if it has none of the other fields of the row', async () => {
    const { ask, contact, send } = await importing('name\nLuis\n')
    await contact({ name: 'Marta' })
    await send('id,email,phone_number\n2,luis@example.com,\n3,,+50760000003\n1,ana.rios@example.com,\n')
    expect(await ask<Page>('GET', '/contacts?sort=created_at')).toMatchObject({
      payload: [
        { id: 1, ...ANA, email: 'ana.rios@example.com' },
        { id: 2, name: 'Luis', email: 'luis@example.com' },
        { id: 3, name: 'Marta', phone_number: '+50760000003' },
      ],
    })
  })

  test.each([
    [
      'first_name,last_name,E-mail\nLuis,Mora,luis@example.com\n',
      { name: 'Luis Mora', email: 'luis@example.com' },
    ],
    ['First Name,Phone Number\nLuis,507 6000-0002\n', { name: 'Luis', phone_number: '+50760000002' }],
    ['Name,Phone\nLuis,0050760000002\n', { phone_number: '+50760000002' }],
    ['Name,Mobile Phone\nLuis,"+507 6000 0002 ::: 5076"\n', { phone_number: '+50760000002' }],
    [
      'name,City,Country,Company Name\nLuis,David,Panamá,Harbor\n',
      { additional_attributes: { city: 'David', country: 'Panamá', country_code: 'PA', company: 'Harbor' } },
    ],
    ['name,country\nLuis,pa\n', { additional_attributes: { country: 'Panama', country_code: 'PA' } }],
    ['name,country_code\nLuis,pa\n', { additional_attributes: { country_code: 'PA' } }],
    ['name,country\nLuis,Atlantis\n', { additional_attributes: { country: 'Atlantis' } }],
    [
      'name,custom_attributes.City\nLuis,David\n',
      { custom_attributes: { City: 'David' }, additional_attributes: {} },
    ],
  ])('knows the columns of %j', async (text, fields) => {
    const { ask } = await importing(text)
    expect(await ask<Page>('GET', '/contacts/2')).toMatchObject({ payload: fields })
  })

  test('refuses a phone number that a plus does not complete', async () => {
    const { attachment } = await importing('name,phone_number\nLuis,060000002\nLuis,call me\n')
    expect(await attachment(0)).toBe(
      'row,error\n2,Phone number should be in e164 format\n3,Phone number should be in e164 format\n',
    )
  })

  test('sets what filters look for', async () => {
    const { ask } = await importing('name,city,country,company\nLuis,David,Panama,Harbor\n')
    for (const [attribute_key, value] of [
      ['city', 'david'],
      ['country_code', 'PA'],
      ['company', 'Harbor'],
    ]) {
      const payload = [{ attribute_key, filter_operator: 'equal_to', values: [value] }]
      expect(ids(await ask<Page>('POST', '/contacts/filter', { payload }))).toEqual([2])
    }
  })

  test('uses the first of several addresses, and warns about the others', async () => {
    const { ask, emails, attachment } = await importing(
      'email,name\n"\u200bLUIS@example.com\u00a0; l@example.com",Luis\nana.rios@example.com ::: a@example.com,Ana\n',
    )
    expect(await ask<Page>('GET', '/contacts?sort=created_at')).toMatchObject({
      payload: [
        { id: 1, name: 'Ana' },
        { id: 2, email: 'LUIS@example.com' },
      ],
    })
    expect(emails).toMatchObject([
      {
        text: '2 of 2 contacts were imported.\nCreated: 1. Updated: 1. Refused: 0.\nWarnings: 2.\n',
        attachments: [{ filename: 'warnings.csv' }],
      },
    ])
    expect(await attachment(0)).toBe(
      'row,field,warning\n2,email,email has 2 addresses. The first one was used: LUIS@example.com\n3,email,email has 2 addresses. The first one was used: ana.rios@example.com\n',
    )
  })

  test('refuses a file with mixed encodings with the row', async () => {
    const { answer, emails } = await importing(
      Buffer.concat([Buffer.from('name\nJosé\n'), Buffer.from('Jos\u00e9\n', 'latin1')]),
    )
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Row 3 is not UTF-8, but other parts of the file are.')
    expect(emails).toEqual([])
  })

  test('refuses a file with two columns for one field', async () => {
    const { answer } = await importing('name,Phone Number,phone_number\nLuis,+50760000002,\n')
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'Several columns of the file mean phone_number.', attributes: ['import_file'] },
    })
  })

  test('requires a file with a known column', async () => {
    for (const text of ['', 'color,size\nred,4\n']) {
      const { answer, emails } = await importing(text)
      expect(answer.status).toBe(422)
      expect(emails).toEqual([])
    }
  })
})

const exported = async (body?: object) => {
  const account = await freshAccount()
  await account.contact(ANA)
  await account.contact({ name: '=1+1', custom_attributes: { size: 40 } })
  const answer = await account.raw('POST', '/contacts/export', body ? { body } : {})
  const path = `/_sim/workspaces/${account.fresh.workspace.id}/emails`
  const { data } = (await account.fresh.call('GET', path)).body as {
    data: { id: string; to: string; attachments: { filename: string }[] }[]
  }
  const [email] = data
  const { text } = await account.fresh.call('GET', `${path}/${email?.id ?? ''}/attachments/0`)
  return { answer, email, lines: text.trim().split('\n') }
}

describe('export', () => {
  test('is sent to the caller as a file', async () => {
    const { answer, email } = await exported()
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(email).toMatchObject({ to: 'test.user@example.com', attachments: [{ filename: 'contacts.csv' }] })
  })
})

test('an export that is imported elsewhere makes the same contacts', async () => {
  const starts = [
    '@',
    '-',
    '=',
    '+',
    "'",
    "'=",
    "''",
    "'@",
    '\t',
    '\r',
    "'\t",
    '+1',
    '-1',
    "'+50760000001",
    '+50760000001',
  ]
  const account = await freshAccount()
  const made = starts.map((start, index) => ({
    name: `${start}Ana "x", ñ\n.`,
    email: `ana${String(index)}@example.com`,
    phone_number: `+5076000${String(1000 + index)}`,
    identifier: `${start}7`,
    additional_attributes: { city: `${start}City`, country: 'Panamá', country_code: 'PA', company: start },
    custom_attributes: {
      plan: start,
      [`${start}Plan`]: 'x',
      city: 'own',
      Email: 'own',
      'custom_attributes.a': 'b',
    },
  }))
  for (const contact of made) await account.contact(contact)
  await account.raw('POST', '/contacts/export')
  const path = `/_sim/workspaces/${account.fresh.workspace.id}/emails`
  const { data } = (await account.fresh.call('GET', path)).body as { data: { id: string }[] }
  const { text } = await account.fresh.call('GET', `${path}/${data[0]?.id ?? ''}/attachments/0`)
  expect(text).not.toMatch(/(?:^|,)"?[=\-@]/m)

  const other = await freshAccount()
  const form = formOf({ import_file: { filename: 'contacts.csv', content: text } })
  expect((await other.raw('POST', '/contacts/import', form)).status).toBe(200)
  const all = async ({ ask }: typeof account) =>
    (await ask<Page>('GET', '/contacts?sort=created_at&include_contact_inboxes=false')).payload
  expect(await all(account)).toMatchObject(made)
  expect(await all(other)).toEqual(await all(account))
})

describe('columns of an export', () => {
  const ALL = 'id,name,email,phone_number,identifier,plan,size'

  test.each([
    [['name', 'size'], 'name,size'],
    [['name', 'nope', 'created_at', 'plan'], 'name,plan'],
    [['nope'], ALL],
    [[], ALL],
    [undefined, ALL],
  ])('%j are %s', async (column_names, header) => {
    const { lines } = await exported(column_names && { column_names })
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe(header)
  })
})

describe('filter', () => {
  const condition = (attribute_key: string, filter_operator: string, values: unknown[] = []) => ({
    attribute_key,
    filter_operator,
    values,
  })

  test.each([
    ['name', 'equal_to', ['ana ríos'], [1]],
    ['name', 'not_equal_to', ['ana rios'], [2, 3]],
    ['name', 'contains', ['MART'], [2]],
    ['name', 'does_not_contain', ['a'], [3]],
    ['phone_number', 'starts_with', ['+507'], [1]],
    ['phone_number', 'starts_with', ['507'], [1]],
    ['phone_number', 'starts_with', ['6000'], []],
    ['phone_number', 'equal_to', ['+50760001234'], [1]],
    ['phone_number', 'equal_to', ['50760001234'], [1]],
    ['phone_number', 'equal_to', [50_760_001_234], [1]],
    ['phone_number', 'equal_to', ['+507 6000-1234'], [1]],
    ['phone_number', 'equal_to', ['60001234'], []],
    ['phone_number', 'not_equal_to', ['50760001234'], [2, 3]],
    ['phone_number', 'contains', ['6000-12'], [1]],
    ['phone_number', 'contains', ['six'], []],
    ['phone_number', 'does_not_contain', ['6000 12'], [2, 3]],
    ['email', 'is_present', [], [1]],
    ['email', 'is_not_present', [], [2, 3]],
    ['identifier', 'equal_to', ['crm-7', 'crm-8'], [1]],
    ['plan', 'equal_to', ['office'], [1]],
    ['plan', 'is_not_present', [], [2, 3]],
    ['created_at', 'is_greater_than', ['2026-11-20'], [1, 2, 3]],
    ['created_at', 'is_greater_than', ['2026-11-21'], []],
    ['created_at', 'is_less_than', ['2026-11-21'], []],
    ['created_at', 'is_less_than', ['2026-11-22'], [1, 2, 3]],
    ['created_at', 'is_greater_than', [NOON_SECONDS - 1], [1, 2, 3]],
    ['created_at', 'is_greater_than', [NOON_SECONDS], []],
    ['created_at', 'is_less_than', [NOON_SECONDS], []],
    ['created_at', 'is_less_than', [NOON_SECONDS + 1], [1, 2, 3]],
    ['created_at', 'is_less_than', ['2026-11-20'], []],
    ['created_at', 'days_before', [1], []],
  ])('finds contacts with %s %s %j', async (key, operator, values, expected) => {
    const { ask, contact } = await freshAccount()
    await contact(ANA)
    await contact({ name: 'Marta' })
    await contact({ name: 'Otto' })
    const page = await ask<Page>('POST', '/contacts/filter', { payload: [condition(key, operator, values)] })
    expect(ids(page)).toEqual(expected)
    expect(page.meta).toEqual({ count: expected.length, current_page: 1 })
  })

  test.each([
    ['equal_to', ['4'], []],
    ['contains', ['4'], []],
    ['is_present', [], []],
    ['not_equal_to', ['4'], [1]],
    ['is_not_present', [], [1]],
    ['is_greater_than', ['4'], []],
    ['is_less_than', ['2026-11-21'], []],
    ['days_before', [1], []],
  ])('treats an unknown attribute as missing for all contacts: %s', async (operator, values, expected) => {
    const { ask, contact, fresh } = await freshAccount()
    await contact(ANA)
    const payload = [condition('emal', operator, values)]
    const page = await ask<Page>('POST', '/contacts/filter', { payload })
    expect(ids(page)).toEqual(expected)
    expect(page.meta.count).toBe(expected.length)
    expect(await hintsOf(fresh)).toContain('No record has the custom attribute emal. Did you mean email?')
    await ask('POST', '/contacts/filter', { payload: [condition('plan', operator, values)] })
    expect((await hintsOf(fresh)).filter((message) => message.includes('custom attribute plan'))).toEqual([])
  })

  test.each([
    ['is_greater_than', ['9'], [2, 3]],
    ['is_greater_than', [10], [3]],
    ['is_greater_than', ['10.00'], [3]],
    ['is_less_than', ['10'], [1]],
    ['is_less_than', [-3], []],
    ['is_less_than', ['2026-11-21'], [4]],
    ['is_less_than', ['2026-11-20'], []],
    ['is_greater_than', ['2026-11-19'], [4, 5]],
    ['is_greater_than', ['2026-11-20'], [5]],
    ['is_greater_than', ['2026-11-21'], []],
    ['days_before', [0], [4]],
    ['days_before', [1], []],
  ])('compares a custom attribute as a number or a date: %s %j', async (operator, values, expected) => {
    const { ask, contact } = await freshAccount()
    for (const seats of [9, '10', 12.5, '2026-11-20', '2026-11-21T09:00:00Z', 'many', true, null]) {
      await contact({ name: 'Marta', custom_attributes: { seats } })
    }
    await contact({ name: 'Marta' })
    const payload = [condition('seats', operator, values)]
    expect(ids(await ask<Page>('POST', '/contacts/filter', { payload }))).toEqual(expected)
  })

  test('combines conditions, with AND before OR', async () => {
    const { ask, contact } = await freshAccount()
    await contact(ANA)
    await contact({ name: 'Marta' })
    await contact({ name: 'Otto' })
    const joined = (first: string, second: string) =>
      ask<Page>('POST', '/contacts/filter', {
        payload: [
          { ...condition('name', 'contains', ['otto']), query_operator: first },
          { ...condition('name', 'contains', ['mar']), query_operator: second },
          condition('email', 'is_present'),
        ],
      })
    expect(ids(await joined('OR', 'AND'))).toEqual([3])
    expect(ids(await joined('AND', 'OR'))).toEqual([1])
    expect(ids(await joined('OR', 'OR'))).toEqual([1, 2, 3])
    expect(ids(await joined('AND', 'AND'))).toEqual([])
  })

  test.each([
    [[condition('created_at', 'contains', ['4'])], 'payload.0.filter_operator'],
    [[condition('name', 'is_greater_than', ['4'])], 'payload.0.filter_operator'],
    [[condition('name', 'equal_to')], 'payload.0.values'],
    [[condition('seats', 'is_greater_than', ['many'])], 'payload.0.values'],
    [[condition('seats', 'is_greater_than', [true])], 'payload.0.values'],
    [[condition('seats', 'is_less_than')], 'payload.0.values'],
    [[condition('seats', 'days_before', ['soon'])], 'payload.0.values'],
    [[condition('created_at', 'is_less_than', ['soon'])], 'payload.0.values'],
    [[condition('created_at', 'is_less_than', ['2026-02-30'])], 'payload.0.values'],
    [[condition('created_at', 'days_before', ['-1'])], 'payload.0.values'],
    [[condition('created_at', 'days_before', [''])], 'payload.0.values'],
    [[condition('created_at', 'days_before', [true])], 'payload.0.values'],
    [[condition('created_at', 'days_before', ['0x1'])], 'payload.0.values'],
  ])('refuses %j', async (payload, field) => {
    const { raw } = await freshAccount()
    const answer = await raw('POST', '/contacts/filter', { body: { payload } })
    expect(answer.status).toBe(422)
    expect((answer.body as { attributes: string[] }).attributes).toEqual([field])
  })
})

describe('filter of conversations', () => {
  test.each([
    ['status', 'equal_to', ['resolved'], [2]],
    ['status', 'equal_to', [1], [2]],
    ['status', 'not_equal_to', ['resolved'], [1]],
    ['status', 'equal_to', ['all'], [2, 1]],
    ['priority', 'equal_to', ['high'], [1]],
    ['priority', 'is_not_present', [], [2]],
    ['assignee_id', 'equal_to', [1], [1]],
    ['assignee_id', 'is_not_present', [], [2]],
    ['inbox_id', 'equal_to', ['2'], [2]],
    ['labels', 'equal_to', ['new'], [1]],
    ['display_id', 'equal_to', ['2'], [2]],
    ['order', 'equal_to', ['A-1'], [2]],
    ['last_activity_at', 'equal_to', ['2026-11-21'], [2, 1]],
  ])('finds conversations with %s %s %j', async (attribute_key, filter_operator, values, expected) => {
    const { ask, begin } = await freshAccount()
    await begin({ assignee_id: 1 })
    await ask('PATCH', '/conversations/1', { priority: 'high', labels: ['new'] })
    await begin({ status: 'resolved', custom_attributes: { order: 'A-1' } })
    const { data } = await ask<{ data: Page & { meta: { all_count: number } } }>(
      'POST',
      '/conversations/filter',
      { payload: [{ attribute_key, filter_operator, values }] },
    )
    expect(ids(data)).toEqual(expected)
    expect(data.meta.all_count).toBe(expected.length)
  })

  test('refuses an unknown status', async () => {
    const { raw } = await freshAccount()
    const payload = [{ attribute_key: 'status', filter_operator: 'equal_to', values: ['closed'] }]
    expect((await raw('POST', '/conversations/filter', { body: { payload } })).status).toBe(422)
  })
})

describe('date in a filter', () => {
  /** For each condition, the matches among records created at these times. */
  async function matchesOf(timezone: string, moments: readonly string[], now: string) {
    const { ask, contact, inbox, fresh } = await freshAccount()
    await fresh.call('PATCH', `/_sim/workspaces/${fresh.workspace.id}`, { body: { timezone } })
    const { id: inbox_id } = await inbox()
    for (const moment of moments) {
      fresh.setClock(moment)
      const { id: contact_id } = await contact()
      await ask('POST', '/conversations', { inbox_id, contact_id })
    }
    fresh.setClock(now)
    return async (filter_operator: string, value: unknown): Promise<number[]> => {
      const payload = [{ attribute_key: 'created_at', filter_operator, values: [value] }]
      const contacts = ids(await ask<Page>('POST', '/contacts/filter', { payload }))
      const { data } = await ask<{ data: Page }>('POST', '/conversations/filter', { payload })
      expect(ids(data).reverse()).toEqual(contacts)
      return contacts
    }
  }

  test('is a day in the time zone of the workspace', async () => {
    const moments = [
      '2026-11-20T04:59:59.999Z',
      '2026-11-20T05:00:00.000Z',
      '2026-11-21T04:59:59.999Z',
      '2026-11-21T05:00:00.000Z',
    ]
    // 10 p.m. on the 21st in Panama.
    const found = await matchesOf('America/Panama', moments, '2026-11-22T03:00:00.000Z')
    expect(await found('equal_to', '2026-11-20')).toEqual([2, 3])
    expect(await found('equal_to', Date.parse('2026-11-21T01:00:00Z') / 1000)).toEqual([2, 3])
    expect(await found('is_less_than', '2026-11-20')).toEqual([1])
    expect(await found('is_less_than', '2026-11-21')).toEqual([1, 2, 3])
    expect(await found('is_greater_than', '2026-11-19')).toEqual([2, 3, 4])
    expect(await found('is_greater_than', '2026-11-20')).toEqual([4])
    expect(await found('is_greater_than', '2026-11-21')).toEqual([])
    expect(await found('days_before', 0)).toEqual([1, 2, 3])
    expect(await found('days_before', 1)).toEqual([1])
    expect(await found('days_before', '2')).toEqual([])
  })

  test('has the length of the day with clock changes', async () => {
    // Clocks are put back on November 1 and forward on March 8.
    const moments = [
      '2026-03-08T04:59:59.999Z',
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00.000Z',
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T04:59:59.999Z',
      '2026-11-02T05:00:00.000Z',
    ]
    const found = await matchesOf('America/New_York', moments, '2026-11-02T12:00:00.000Z')
    expect(await found('equal_to', '2026-03-08')).toEqual([2, 3])
    expect(await found('equal_to', '2026-11-01')).toEqual([5, 6])
    expect(await found('days_before', 1)).toEqual([1, 2, 3, 4])
    expect(await found('days_before', 0)).toEqual([1, 2, 3, 4, 5, 6])
  })
})
