/** Submitting: the values, conditions and limits of fields. Specification part 1, "Forms", "Limits". */
import { describe, expect, test } from 'vitest'
import { freshForms, refusal } from '../../support/formBuilding.ts'

const field = (type: string, more: object = {}) => ({ id: 'it', type, label: 'It', ...more })
const options = ['Red', 'Blue', 'Green']
const content = Buffer.from('plan').toString('base64')

describe('answer', () => {
  test.each([
    [field('short_text'), 'x'.repeat(500)],
    [field('short_text', { validations: { minLength: 2, maxLength: 3 } }), 'ab'],
    [field('short_text', { validations: { pattern: '[A-Z]{2}-\\d+' } }), 'AO-12'],
    [field('long_text'), 'x'.repeat(10_000)],
    [field('email'), 'rosa@example.com'],
    [field('phone'), '+507 6000-0250'],
    [field('url'), 'https://example.com/x'],
    [field('number', { validations: { min: -1.5, max: 2 } }), -1.5],
    [field('date', { validations: { minDate: '2026-02-28', maxDate: '2026-02-28' } }), '2026-02-28'],
    [field('select', { options }), 'Blue'],
    [field('multi_select', { options, validations: { min: 2, max: 2 } }), ['Red', 'Green']],
    [field('boolean', { required: true }), true],
    [field('rating'), 5],
    [field('rating', { validations: { max: 10 } }), 10],
    [field('rating', { validations: { min: 3 } }), 3],
    [field('file'), { name: 'plan.txt', content }],
  ])('to %o may be %o', async (conditionalFields, value) => {
    const { publishNew, submit } = await freshForms()
    const { id } = await publishNew([conditionalFields])
    expect((await submit(id, { it: value })).text).toContain('"success":true')
  })

  test.each([
    [field('short_text'), 'x'.repeat(501), 'too_long'],
    [field('short_text', { validations: { minLength: 2 } }), 'a', 'too_short'],
    [field('short_text', { validations: { maxLength: 3 } }), 'abcd', 'too_long'],
    [field('short_text', { validations: { pattern: '[A-Z]{2}-\\d+' } }), 'AO-12x', 'invalid_format'],
    [field('short_text'), 7, 'invalid_type'],
    [field('email'), 'rosa', 'invalid_format'],
    [field('phone'), 'call me', 'invalid_format'],
    [field('url'), 'javascript:alert(1)', 'invalid_format'],
    [field('number', { validations: { min: 1 } }), 0.9, 'too_small'],
    [field('number', { validations: { max: 1 } }), 1.1, 'too_large'],
    [field('number'), '1', 'invalid_type'],
    [field('date'), '2026-02-30', 'invalid_format'],
    [field('date', { validations: { minDate: '2026-02-28' } }), '2026-02-27', 'too_small'],
    [field('date', { validations: { maxDate: '2026-02-28' } }), '2026-03-01', 'too_large'],
    [field('select', { options }), 'Black', 'not_allowed'],
    [field('multi_select', { options }), ['Red', 'Black'], 'not_allowed'],
    [field('multi_select', { options }), 'Red', 'not_allowed'],
    [field('multi_select', { options }), ['Red', 'Red'], 'not_unique'],
    [field('multi_select', { options, validations: { min: 2 } }), ['Red'], 'too_few'],
    [field('multi_select', { options, validations: { max: 1 } }), ['Red', 'Blue'], 'too_many'],
    [field('boolean'), 'yes', 'invalid_type'],
    [field('boolean', { required: true }), false, 'required'],
    [field('rating'), 6, 'too_large'],
    [field('rating'), 0, 'too_small'],
    [field('rating'), 2.5, 'invalid_type'],
    [field('rating', { validations: { min: 3 } }), 2, 'too_small'],
    [field('file'), 'plan.txt', 'invalid_type'],
    [field('short_text', { required: true }), '  ', 'required'],
    [field('short_text', { required: true }), null, 'required'],
    [field('multi_select', { options, required: true }), [], 'required'],
  ])('to %o may not be %o', async (conditionalFields, value, code) => {
    const { publishNew, submit, fresh } = await freshForms()
    const { id } = await publishNew([conditionalFields])
    const before = fresh.dump()
    expect(await submit(id, { it: value })).toMatchObject(
      refusal(422, 'validation_error', 'answers.it', code),
    )
    expect(fresh.dump()).toEqual(before)
  })

  test.each([
    [{ it: { name: 'a', content: '%%' } }, ['answers.it.content content must be base64']],
    [{ it: { name: '' } }, ['answers.it.content', 'answers.it.name']],
    [[{ fieldId: 7 }], ['answers.0.fieldId']],
    ['x', ['answers']],
  ])('sent as %j gets only its own errors', async (answers, fields) => {
    const { publishNew, fresh } = await freshForms()
    const { id } = await publishNew([field('file')])
    const { status, body } = await fresh.at('forms')('POST', `/api/forms/${id}/submit`, { body: { answers } })
    expect(status).toBe(422)
    const { details } = (body as { error: { details: { field: string; message: string }[] } }).error
    expect(details.map((each) => each.field).toSorted()).toEqual(fields.map((each) => each.split(' ', 1)[0]))
    if (answers === 'x') expect(details[0]?.message).toBe('answers must be an object or an array')
  })

  test('has a length in characters, not in code units', async () => {
    const { publishNew, submit } = await freshForms()
    const validations = { minLength: 2, maxLength: 3 }
    const { id } = await publishNew([field('short_text', { validations })])
    for (const [text, status] of [
      ['😀', 422],
      ['😀😀', 201],
      ['😀😀😀', 201],
      ['😀😀😀😀', 422],
    ] as const) {
      expect((await submit(id, { it: text })).status, text).toBe(status)
    }
  })

  test.each([
    [field('select', { options }), 'Grey', `must be one of ${options.join(', ')}`],
    [field('multi_select', { options }), ['Grey'], `must contain only ${options.join(', ')}`],
    [field('short_text', { validations: { pattern: '[A-Z]{2}' } }), 'abc', 'must match the pattern [A-Z]{2}'],
    [
      field('select', { options: Array.from({ length: 12 }, (_, index) => `o${String(index)}`) }),
      'x',
      'o9 and 2 more',
    ],
  ])('to %o says with %o what was expected', async (only, value, words) => {
    const { publishNew, submit } = await freshForms()
    const { id } = await publishNew([only])
    expect((await submit(id, { it: value })).text).toContain(words)
  })

  test('that is required is refused if it is missing; every error is reported', async () => {
    const { publishNew, submit } = await freshForms()
    const { id } = await publishNew([
      { id: 'a', type: 'short_text', label: 'A', required: true },
      { id: 'b', type: 'email', label: 'B' },
    ])
    const { status, body } = await submit(id, { b: 'x' })
    expect(status).toBe(422)
    const { details } = (body as { error: { details: { field: string }[] } }).error
    expect(details.map((each) => each.field)).toEqual(['answers.a', 'answers.b'])
  })

  test('to an unknown field, or twice to one, is refused', async () => {
    const { publishNew, submit } = await freshForms()
    const { id } = await publishNew([field('short_text')])
    expect(await submit(id, { other: 1 })).toMatchObject(refusal(422, 'validation_error', 'answers.other'))
    const twice = [
      { fieldId: 'it', value: 'a' },
      { fieldId: 'it', value: 'b' },
    ]
    expect(await submit(id, twice)).toMatchObject(
      refusal(422, 'validation_error', 'answers.it', 'not_unique'),
    )
  })

  test('may be a file that can be downloaded', async () => {
    const { publishNew, submit, response, fresh } = await freshForms()
    const { id } = await publishNew([field('file')])
    const { body } = await submit(id, { it: { name: 'plan.txt', content } })
    const { answers } = await response(id, (body as { responseId: string }).responseId)
    const value = answers[0]?.value as { url: string }
    expect(value).toMatchObject({ name: 'plan.txt', contentType: 'text/plain', size: 4 })
    expect(
      (
        await fresh.call(
          'GET',
          new URL(value.url, 'http://x').pathname + new URL(value.url, 'http://x').search,
        )
      ).text,
    ).toBe('plan')
  })
})

describe('conditional field', () => {
  const conditionalFields = (visibleIf: object, first: object = { type: 'select', options }) => [
    { id: 'first', label: 'First', ...first },
    {
      id: 'then',
      type: 'short_text',
      label: 'Then',
      required: true,
      visibleIf: { fieldId: 'first', ...visibleIf },
    },
  ]

  test.each([
    [{ operator: 'equals', value: 'Red' }, 'Red', 'Blue', undefined],
    [{ operator: 'not_equals', value: 'Red' }, 'Blue', 'Red', undefined],
    [{ operator: 'answered' }, 'Red', null, undefined],
    [{ operator: 'answered' }, true, null, { type: 'boolean' }],
    [{ operator: 'contains', value: 'e' }, 'Red', 'no', { type: 'short_text' }],
    [{ operator: 'contains', value: 'Red' }, ['Blue', 'Red'], ['Blue'], { type: 'multi_select', options }],
    [{ operator: 'equals', value: true }, true, null, { type: 'boolean' }],
    [{ operator: 'equals', value: 3 }, 3, 4, { type: 'rating' }],
  ])('with %o is asked after %o and not after %o', async (visibleIf, yes, no, first) => {
    const { publishNew, submit, response } = await freshForms()
    const { id } = await publishNew(conditionalFields(visibleIf, first))
    expect(await submit(id, { first: yes })).toMatchObject(
      refusal(422, 'validation_error', 'answers.then', 'required'),
    )
    expect((await submit(id, { first: yes, then: 'x' })).status).toBe(201)
    const { status, body } = await submit(id, { first: no, then: 'dropped' })
    expect(status).toBe(201)
    const { answers, completionPercentage } = await response(id, (body as { responseId: string }).responseId)
    expect(answers.map(({ fieldId }) => fieldId)).toEqual(['first'])
    expect(completionPercentage).toBe(no === null ? 0 : 100)
  })

  test('is not asked if the field of its condition is not asked', async () => {
    const { publishNew, submit } = await freshForms()
    const { id } = await publishNew([
      ...conditionalFields({ operator: 'equals', value: 'Red' }),
      {
        id: 'last',
        type: 'short_text',
        label: 'Last',
        required: true,
        visibleIf: { fieldId: 'then', operator: 'answered' },
      },
    ])
    expect((await submit(id, { first: 'Blue', then: 'x' })).status).toBe(201)
  })
})

describe('submitting', () => {
  test('returns 404 for a draft or an unknown form', async () => {
    const { create, submit } = await freshForms()
    const { id } = await create()
    expect(await submit(id, {})).toMatchObject(refusal(404, 'not_found'))
    expect(await submit('none', {})).toMatchObject(refusal(404, 'not_found'))
  })

  test.each([
    [{}, 'answers'],
    [{ answers: 'x' }, 'answers'],
    [{ answers: {}, mode: 'x' }, 'mode'],
    [{ answers: {}, respondentEmail: 'x' }, 'respondentEmail'],
    [{ answers: {}, startedAt: 'x' }, 'startedAt'],
  ])('is refused with %o', async (body, name) => {
    const { publishNew, call } = await freshForms()
    const { id } = await publishNew([])
    const answer = await call('POST', `/api/forms/${id}/submit`, { key: null, body })
    expect(answer).toMatchObject(refusal(422, 'validation_error'))
    expect(answer.text).toContain(name)
  })

  test('uses the mode of the form, and accepts a past start and a given address', async () => {
    const { publishNew, submit, responses } = await freshForms()
    const { id } = await publishNew([])
    await submit(id, {}, { respondentEmail: 'a@example.com', startedAt: '2027-01-01T00:00:00Z' })
    expect(await responses(id)).toMatchObject([
      {
        mode: 'conversational',
        respondentEmail: 'a@example.com',
        totalTimeSeconds: 0,
        completionPercentage: 100,
      },
    ])
  })

  test('needs no plan with API access', async () => {
    const { publishNew, submit, fresh } = await freshForms()
    const { id } = await publishNew([])
    await fresh.call('PATCH', `/_sim/workspaces/${fresh.workspace.id}`, {
      body: { plan: { apiAccess: false } },
    })
    expect((await submit(id, {})).status).toBe(201)
  })
})

describe('rate limit', () => {
  test('allows 10 per minute and address, including those of pages, by the clock of the workspace', async () => {
    const { publishNew, submit, send, fresh, responses } = await freshForms({ rateLimits: true })
    const { id, slug } = await publishNew([])
    for (let count = 0; count < 5; count += 1) expect((await submit(id, {})).status).toBe(201)
    for (let count = 0; count < 5; count += 1)
      expect((await send(`/f/${slug}`, { mode: 'classic' })).status).toBe(303)
    const refused = await submit(id, {})
    expect(refused).toMatchObject(refusal(429, 'rate_limit_exceeded'))
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
    })
    const page = await send(`/embed/${slug}`, { mode: 'classic' })
    expect([page.status, page.headers['retry-after']]).toEqual([429, '60'])
    expect(page.text).toContain('<h1>Not possible</h1>')
    expect(await responses(id)).toHaveLength(10)
    fresh.setClock('2026-11-21T12:01:00.000Z')
    expect((await submit(id, {})).status).toBe(201)
  })

  test('trusts forwarded addresses only if it is configured', async () => {
    const forwarded = (count: number) => ({ 'x-forwarded-for': `203.0.113.${String(count)}` })
    const statusesWith = async (trustedProxies: string[]) => {
      const { publishNew, submit } = await freshForms({ rateLimits: true, trustedProxies })
      const { id } = await publishNew([])
      const statuses = []
      for (let count = 0; count < 11; count += 1)
        statuses.push((await submit(id, {}, {}, forwarded(count))).status)
      return statuses.at(-1)
    }
    expect(await statusesWith([])).toBe(429)
    expect(await statusesWith(['10.0.0.0/8'])).toBe(429)
    expect(await statusesWith(['127.0.0.0/8'])).toBe(201)
  })
})
