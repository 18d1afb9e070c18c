/** The pages of forms over HTTP: content, input, errors, and framing. */
import { describe, expect, test } from 'vitest'
import { freshForms } from '../../support/formBuilding.ts'

const name = { id: 'name', type: 'short_text', label: 'Name', required: true }

describe('page of a form', () => {
  test('shows its fields and escapes their texts', async () => {
    const { publishNew, page } = await freshForms()
    const { slug } = await publishNew([{ ...name, label: '<b>Name</b>', placeholder: '"x"' }], {
      title: 'A & B',
    })
    const { status, text } = await page(`/f/${slug}`)
    expect(status).toBe(200)
    expect(text).toContain('<h1>A &amp; B</h1>')
    expect(text).toContain('&lt;b&gt;Name&lt;/b&gt;')
    expect(text).toContain('placeholder="&quot;x&quot;"')
    expect(text).toContain('data-mode="conversational"')
    expect((await page(`/f/${slug}?mode=classic`)).text).toContain('data-mode="classic"')
    expect((await page(`/f/${slug}?mode=x`)).text).toContain('data-mode="conversational"')
  })

  test('shows no payment, which no form supports', async () => {
    const { publishNew, page, send } = await freshForms()
    const { slug } = await publishNew([name])
    const pages = [
      await page(`/f/${slug}`),
      await page(`/embed/${slug}`),
      await page(`/f/${slug}/done`),
      await page('/f/none'),
      await send(`/f/${slug}`, { mode: 'classic' }),
    ]
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 404, 422])
    for (const { text } of pages) {
      expect(text).toContain('<footer>Suite Simulator.</footer>')
      expect(text).not.toContain('money')
    }
  })

  test.each(['/f/none', '/f/none--none', '/f/', '/embed/none', '/f/--', '/f/x/done'])(
    'returns 404 for %s',
    async (path) => {
      const { page } = await freshForms()
      const { status, text } = await page(path)
      expect(status).toBe(404)
      expect(text).toContain('Page not found')
    },
  )

  test('does not exist in another workspace', async () => {
    const { publishNew, page, fresh } = await freshForms()
    const { slug } = await publishNew([])
    const other = fresh.tenant()
    expect((await page(`/f/${slug.split('--')[0] ?? ''}--${other.workspace.id}`)).status).toBe(404)
  })

  test('accepts answers of every type, and leads to the confirmation', async () => {
    const { publishNew, send, page, responses, response } = await freshForms()
    const options = ['Red', 'Blue']
    const { id, slug } = await publishNew([
      name,
      { id: 'text', type: 'long_text', label: 'Text' },
      { id: 'number', type: 'number', label: 'Number' },
      { id: 'date', type: 'date', label: 'Date' },
      { id: 'one', type: 'select', label: 'One', options },
      { id: 'some', type: 'multi_select', label: 'Some', options },
      { id: 'yes', type: 'boolean', label: 'Yes' },
      { id: 'no', type: 'boolean', label: 'No' },
      { id: 'stars', type: 'rating', label: 'Stars' },
      { id: 'plan', type: 'file', label: 'Plan' },
    ])
    const sent = await send(`/f/${slug}`, {
      started: '2026-11-21T11:59:00.000Z',
      mode: 'conversational',
      timing: '{"name":[4.25,2],"text":"x","stars":[-1,1.5]}',
      answer_name: ' Rosa ',
      answer_text: 'one\r\ntwo',
      answer_number: '2,5',
      answer_date: '2026-12-01',
      answer_one: 'Blue',
      answer_some: ['Red', 'Blue'],
      answer_yes: 'true',
      answer_stars: '4',
      answer_plan: { filename: 'plan.csv', content: 'plan', type: 'text/csv' },
    })
    expect([sent.status, sent.headers['location']]).toEqual([303, `${slug}/done`])
    expect((await page(`/f/${slug}/done`)).text).toContain('Thank you')
    const [item] = await responses(id)
    expect(item).toMatchObject({ mode: 'conversational', totalTimeSeconds: 60, completionPercentage: 100 })
    const { answers } = await response(id, item?.id ?? '')
    expect(answers.map(({ value }) => value)).toEqual([
      'Rosa',
      'one\ntwo',
      2.5,
      '2026-12-01',
      'Blue',
      ['Red', 'Blue'],
      true,
      false,
      4,
      expect.objectContaining({ name: 'plan.csv', contentType: 'text/csv', size: 4 }),
    ])
    expect(answers.map(({ timeSeconds, revisions }) => [timeSeconds, revisions])).toEqual([
      [4.3, 2],
      ...Array.from({ length: 7 }, () => [0, 0]),
      [0, 1],
      [0, 0],
    ])
  })

  test('accepts no selection in an optional multiple choice, as browsers send it', async () => {
    const { publishNew, send } = await freshForms()
    const some = { id: 'some', type: 'multi_select', label: 'Some', options: ['Red', 'Blue'] }
    const { slug } = await publishNew([name, some])
    expect((await send(`/f/${slug}`, { answer_name: 'Rosa' })).status).toBe(303)
    const { slug: other } = await publishNew([name, { ...some, required: true }])
    const answer = await send(`/f/${other}`, { answer_name: 'Rosa' })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Some is required')
  })

  test.each([
    ['.5', 0.5],
    ['1e3', 1000],
    ['-2,25', -2.25],
    ['1234567890123456', 1234567890123456],
    ['1.2.3', null],
    ['1e999', null],
    ['0x10', null],
  ])('parses the number %s as %o', async (typed, number) => {
    const { publishNew, send, responses, response } = await freshForms()
    const { id, slug } = await publishNew([{ id: 'number', type: 'number', label: 'Number' }])
    const { status } = await send(`/f/${slug}`, { answer_number: typed })
    expect(status).toBe(number === null ? 422 : 303)
    const [item] = await responses(id)
    if (item) expect((await response(id, item.id)).answers[0]).toMatchObject({ value: number })
  })

  test('accepts an option exactly as written, and shows the configured stars', async () => {
    const { publishNew, send, page } = await freshForms()
    const { slug } = await publishNew([
      { id: 'one', type: 'select', label: 'One', options: ['A ', ' B'] },
      { id: 'stars', type: 'rating', label: 'Stars', validations: { min: 3, max: 4 } },
    ])
    const { text } = await page(`/f/${slug}`)
    expect([...text.matchAll(/type="radio"[^>]*value="(\d)"/g)].map(([, value]) => value)).toEqual(['3', '4'])
    expect((await send(`/f/${slug}`, { answer_one: 'A ', answer_stars: '3' })).status).toBe(303)
    expect((await send(`/f/${slug}`, { answer_one: 'A', answer_stars: '3' })).status).toBe(422)
  })

  test('evaluates a condition on an unchecked box like the operation', async () => {
    const { publishNew, send, submit } = await freshForms()
    const { id, slug } = await publishNew([
      { id: 'box', type: 'boolean', label: 'Box' },
      {
        id: 'why',
        type: 'short_text',
        label: 'Why',
        required: true,
        visibleIf: { fieldId: 'box', operator: 'equals', value: false },
      },
    ])
    for (const answers of [{}, { box: false }, { box: null }]) {
      expect((await submit(id, answers)).status).toBe(422)
    }
    expect((await submit(id, { box: true })).status).toBe(201)
    expect((await send(`/f/${slug}`, {})).status).toBe(422)
    expect((await send(`/f/${slug}`, { answer_box: 'true' })).status).toBe(303)
  })

  test('returns errors with the previous input', async () => {
    const { publishNew, send, responses } = await freshForms()
    const { id, slug } = await publishNew([
      name,
      { id: 'number', type: 'number', label: 'Number' },
      { id: 'some', type: 'multi_select', label: 'Some', options: ['Red', 'Blue'] },
    ])
    const answer = await send(`/f/${slug}`, { answer_number: 'many', answer_some: ['Red', 'Blue'] })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('<title>Error: ')
    expect(answer.text).toContain('<a href="#field-answer_name">Name is required</a>')
    expect(answer.text).toContain('Number must be a number')
    expect(answer.text).toContain('value="many"')
    expect(answer.text.match(/checked/g)).toHaveLength(2)
    expect(await responses(id)).toEqual([])
  })

  test('refuses a file of more than 5 MiB, and a form of another type', async () => {
    const { publishNew, send, fresh } = await freshForms()
    const { slug } = await publishNew([{ id: 'plan', type: 'file', label: 'Plan' }])
    const sized = (size: number) => ({ answer_plan: { filename: 'a.txt', content: Buffer.alloc(size, 'a') } })
    const maxBytes = 5 * 1024 * 1024
    expect((await send(`/f/${slug}`, sized(maxBytes + 1))).status).toBe(413)
    expect((await send(`/f/${slug}`, sized(maxBytes))).status).toBe(303)
    const other = await fresh.call('POST', `/forms/f/${slug}`, { key: null, body: {} })
    expect(other.status).toBe(415)
  })
})

describe('framing', () => {
  test('is allowed only for /embed: the page, the confirmation and a 404', async () => {
    const { publishNew, page } = await freshForms()
    const { slug } = await publishNew([])
    const headersOf = async (path: string) => (await page(path)).headers
    for (const path of [`/f/${slug}`, `/f/${slug}/done`, '/f/none']) {
      const headers = await headersOf(path)
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
    for (const path of [`/embed/${slug}`, `/embed/${slug}/done`, '/embed/none']) {
      const headers = await headersOf(path)
      expect(headers['x-frame-options']).toBeUndefined()
      expect(headers['content-security-policy']).toMatch(/frame-ancestors \*$/)
    }
  })

  test('is allowed for the origins that a form names', async () => {
    const { publishNew, page, fresh } = await freshForms()
    const { slug } = await publishNew([])
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    const snapshot = body as { forms: { forms: { settings: object }[] } }
    const framed = async (embedOrigins: string[] | null) => {
      for (const form of snapshot.forms.forms) form.settings = { ...form.settings, embedOrigins }
      expect((await fresh.call('PUT', path, { body: snapshot })).status).toBe(204)
      const { headers } = await page(`/embed/${slug}`)
      return /frame-ancestors ([^;]*)/.exec(headers['content-security-policy'] ?? '')?.[1]
    }
    expect(await framed(['https://shop.example.com', 'http://localhost:8080'])).toBe(
      'https://shop.example.com http://localhost:8080',
    )
    expect(await framed([])).toBe("'none'")
    expect(await framed(null)).toBe('*')
  })
})
