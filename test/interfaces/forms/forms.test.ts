/** Forms and responses over the API. Specification part 1, "Forms", "Form and response (forms)". */
import { describe, expect, test } from 'vitest'
import { freshForms, NOON, refusal } from '../../support/formBuilding.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A field and another one that its answer shows. */
const conditional = (type: string, visibleIf: object, first: object = {}) => [
  {
    id: 'first',
    type,
    label: 'First',
    ...(type.endsWith('select') && { options: ['Red', 'Blue'] }),
    ...first,
  },
  { id: 'then', type: 'short_text', label: 'Then', visibleIf: { fieldId: 'first', ...visibleIf } },
]

/** Conditions that never hold, and validations that no answer fulfills. */
const IMPOSSIBLE: [string, Record<string, unknown>[], string][] = [
  ...(
    [
      ['select', { operator: 'equals', value: 'Green' }],
      ['select', { operator: 'contains', value: 'x' }],
      ['select', { operator: 'equals', value: null }, { required: true }],
      ['multi_select', { operator: 'equals', value: 'Red' }, { validations: { min: 2 } }],
      ['multi_select', { operator: 'contains', value: 're' }],
      ['boolean', { operator: 'equals', value: 'yes' }],
      ['boolean', { operator: 'contains', value: true }],
      ['rating', { operator: 'equals', value: 6 }],
      ['rating', { operator: 'equals', value: 2.5 }],
      ['rating', { operator: 'contains', value: 1 }],
      ['number', { operator: 'equals', value: 'many' }],
      ['number', { operator: 'equals', value: 11 }, { validations: { max: 10 } }],
      ['number', { operator: 'equals', value: false }],
      ['date', { operator: 'equals', value: '2026-02-30' }],
      ['date', { operator: 'contains', value: '/2026' }],
      ['email', { operator: 'equals', value: 'nobody' }],
      ['short_text', { operator: 'equals', value: 'abc' }, { validations: { maxLength: 2 } }],
      ['short_text', { operator: 'contains', value: 'abc' }, { validations: { maxLength: 2 } }],
      ['phone', { operator: 'contains', value: '1'.repeat(41) }],
      ['file', { operator: 'equals', value: 'plan.txt' }],
    ] as const
  ).map(([type, visibleIf, first = {}]): [string, Record<string, unknown>[], string] => [
    `a condition on a ${type} with ${JSON.stringify(visibleIf)}`,
    conditional(type, visibleIf, first),
    'fields.1.visibleIf.value',
  ]),
  ...(
    [
      ['short_text', { minLength: 501 }, 'minLength'],
      ['email', { maxLength: 4 }, 'maxLength'],
      ['phone', { maxLength: 4 }, 'maxLength'],
      ['rating', { min: 2.2, max: 2.8 }, 'max'],
      ['multi_select', { min: 3 }, 'min'],
      ['multi_select', { max: 0 }, 'max'],
      ['multi_select', { min: 1.2, max: 1.8 }, 'max'],
    ] as const
  ).map(([type, validations, name]): [string, Record<string, unknown>[], string] => [
    `a ${type} with ${JSON.stringify(validations)}`,
    [{ type, label: 'A', ...(type === 'multi_select' && { options: ['Red', 'Blue'] }), validations }],
    `fields.0.validations.${name}`,
  ]),
]

describe('form', () => {
  test('is created as an invisible draft', async () => {
    const { create, fresh, page, events } = await freshForms()
    const form = await create({ title: 'Cómo fue?', description: 'Two minutes' })
    expect(form).toEqual({
      id: expect.stringMatching(UUID) as string,
      title: 'Cómo fue?',
      description: 'Two minutes',
      status: 'draft',
      defaultMode: 'conversational',
      slug: `como-fue--${fresh.workspace.id}`,
      submitUrl: expect.stringMatching(
        new RegExp(`^http://[^/]+/forms/api/forms/${form.id}/submit\\?workspace=${fresh.workspace.id}$`),
      ) as string,
      isPublic: false,
      createdAt: NOON,
      publishedAt: null,
    })
    expect((await page(`/f/${form.slug}`)).status).toBe(404)
    expect(events()).toEqual(['form.created'])
  })

  test('gets a unique slug', async () => {
    const { create, fresh } = await freshForms()
    const slugs = []
    for (let count = 0; count < 3; count += 1) slugs.push((await create()).slug)
    const end = `--${fresh.workspace.id}`
    expect(slugs).toEqual([`how-was-it${end}`, `how-was-it-2${end}`, `how-was-it-3${end}`])
    expect((await create({ title: '???' })).slug).toBe(`form${end}`)
  })

  test('is published with fields, and shows them with its modes', async () => {
    const { publishNew, call, events } = await freshForms()
    const form = await publishNew([
      { id: 'stars', type: 'rating', label: 'Stars', required: true },
      { type: 'long_text', label: 'Why?', visibleIf: { fieldId: 'stars', operator: 'equals', value: 1 } },
    ])
    expect(form).toMatchObject({ status: 'published', isPublic: true, publishedAt: NOON })
    const { body } = await call('GET', `/api/v1/forms/${form.id}`)
    expect(body).toEqual({ data: form })
    expect(form.schema.fields.map(({ id, type, required }) => [id, type, required])).toEqual([
      ['stars', 'rating', true],
      ['field_2', 'long_text', false],
    ])
    expect(form.modes).toEqual({
      default: 'conversational',
      conversational: { enabled: true, showProgress: true },
      classic: { enabled: true, showProgress: true },
    })
    expect(events()).toEqual(['form.created', 'form.published'])
  })

  test('is published again with other fields, and keeps the time of its first publication', async () => {
    const { publishNew, publish, fresh } = await freshForms()
    const { id } = await publishNew([{ type: 'short_text', label: 'Name' }])
    fresh.setClock('2026-11-22T12:00:00Z')
    const { body } = await publish(id, [{ type: 'email', label: 'E-mail' }])
    expect(body).toMatchObject({ publishedAt: NOON, schema: { fields: [{ type: 'email' }] } })
    expect((await publish(id)).body).toMatchObject({ schema: { fields: [{ type: 'email' }] } })
  })

  test.each([
    [
      'duplicate ids',
      [
        { id: 'a', type: 'date', label: 'A' },
        { id: 'a', type: 'date', label: 'B' },
      ],
      'fields.1.id',
    ],
    ['a choice without options', [{ type: 'select', label: 'A' }], 'fields.0.options'],
    ['duplicate options', [{ type: 'select', label: 'A', options: ['x', 'x'] }], 'fields.0.options'],
    ['a text with options', [{ type: 'date', label: 'A', options: ['x'] }], 'fields.0.options'],
    [
      'a range that ends before it begins',
      [{ type: 'number', label: 'A', validations: { min: 2, max: 1 } }],
      'fields.0.validations.max',
    ],
    ['eleven stars', [{ type: 'rating', label: 'A', validations: { max: 11 } }], 'fields.0.validations.max'],
    ['no stars', [{ type: 'rating', label: 'A', validations: { max: 0 } }], 'fields.0.validations.max'],
    [
      'more stars than possible',
      [{ type: 'rating', label: 'A', validations: { min: 6 } }],
      'fields.0.validations.min',
    ],
    [
      'a pattern that backtracks',
      [{ type: 'short_text', label: 'A', validations: { pattern: '(a)\\1' } }],
      'fields.0.validations.pattern',
    ],
    [
      'a condition on itself',
      [{ id: 'a', type: 'date', label: 'A', visibleIf: { fieldId: 'a', operator: 'answered' } }],
      'fields.0.visibleIf.fieldId',
    ],
    ...IMPOSSIBLE,
    ['eleven files', Array.from({ length: 11 }, () => ({ type: 'file', label: 'F' })), 'fields'],
    ['51 fields', Array.from({ length: 51 }, () => ({ type: 'date', label: 'F' })), 'fields'],
  ])('is not published with %s', async (_what, fields, field) => {
    const { create, publish, fresh } = await freshForms()
    const { id } = await create()
    const before = fresh.dump()
    const answer = await publish(id, fields)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).toContain(field)
    expect(fresh.dump()).toEqual(before)
  })

  test.each([
    ['select', { operator: 'equals', value: 'Red' }],
    ['select', { operator: 'contains', value: 're' }],
    ['select', { operator: 'not_equals', value: 'Green' }],
    ['select', { operator: 'equals', value: null }],
    ['multi_select', { operator: 'contains', value: 'Blue' }],
    ['boolean', { operator: 'equals', value: false }],
    ['rating', { operator: 'equals', value: '5' }],
    ['rating', { operator: 'equals', value: 1 }],
    ['number', { operator: 'equals', value: -1.5 }],
    ['date', { operator: 'equals', value: '2026-02-28' }],
    ['date', { operator: 'contains', value: '2026-' }],
    ['phone', { operator: 'contains', value: '1'.repeat(40) }],
    ['email', { operator: 'contains', value: '@example.com' }],
    ['file', { operator: 'answered' }],
  ])('is published with a condition on a %s with %j', async (type, visibleIf) => {
    const { publishNew } = await freshForms()
    expect((await publishNew(conditional(type, visibleIf))).schema.fields).toHaveLength(2)
  })

  test('is published with limits that one answer fulfills', async () => {
    const { publishNew } = await freshForms()
    const fields = [
      { type: 'short_text', label: 'A', validations: { minLength: 500, maxLength: 500 } },
      { type: 'phone', label: 'A', validations: { maxLength: 5 } },
      { type: 'multi_select', label: 'A', options: ['Red', 'Blue'], validations: { min: 2, max: 2 } },
      { type: 'rating', label: 'A', validations: { min: 3, max: 3 } },
    ]
    expect((await publishNew(fields)).schema.fields).toHaveLength(4)
  })

  test('is published with 50 fields, ten of them files', async () => {
    const { publishNew } = await freshForms()
    const fields = Array.from({ length: 50 }, (_, index) => ({
      type: index < 10 ? 'file' : 'date',
      label: 'F',
    }))
    expect((await publishNew(fields)).schema.fields).toHaveLength(50)
  })
})

describe('lists', () => {
  test('are refused without a key, with an unknown one, and without API access in the plan', async () => {
    const { call, fresh, create } = await freshForms()
    const { id } = await create()
    expect(await call('GET', '/api/v1/forms', { key: null })).toMatchObject(refusal(401, 'unauthorized'))
    expect(await call('GET', '/api/v1/forms', { key: 'x' })).toMatchObject(refusal(401, 'unauthorized'))
    await fresh.call('PATCH', `/_sim/workspaces/${fresh.workspace.id}`, {
      body: { plan: { apiAccess: false } },
    })
    for (const [method, path] of [
      ['GET', '/api/v1/forms'],
      ['POST', '/api/v1/forms'],
      ['GET', `/api/v1/forms/${id}`],
      ['GET', `/api/v1/forms/${id}/responses`],
      ['GET', `/api/v1/forms/${id}/responses/x`],
    ] as const) {
      const options = method === 'POST' ? { body: { title: 'x' } } : {}
      expect(await call(method, path, options)).toMatchObject(refusal(403, 'plan_upgrade_required'))
    }
  })
})

describe('response', () => {
  test('shows each answer with its time and changes', async () => {
    const { publishNew, submit, responses, response, fresh, events } = await freshForms()
    const { id } = await publishNew([
      { id: 'stars', type: 'rating', label: 'Stars' },
      { id: 'mail', type: 'email', label: 'E-mail' },
      { id: 'why', type: 'long_text', label: 'Why?' },
    ])
    const answers = [
      { fieldId: 'stars', value: 4, timeSeconds: 3.5, revisions: 2 },
      { fieldId: 'mail', value: 'rosa@example.com' },
    ]
    const sent = await submit(id, answers, { mode: 'classic', startedAt: '2026-11-21T11:59:15Z' })
    expect(sent).toMatchObject({ status: 201, body: { success: true } })
    const { responseId } = sent.body as { responseId: string }
    const item = {
      id: responseId,
      formId: id,
      status: 'completed',
      mode: 'classic',
      respondentEmail: 'rosa@example.com',
      startedAt: '2026-11-21T11:59:15.000Z',
      completedAt: NOON,
      totalTimeSeconds: 45,
      completionPercentage: 67,
    }
    expect(await responses(id)).toEqual([item])
    expect(await response(id, responseId)).toEqual({
      ...item,
      answers: [
        { fieldId: 'stars', label: 'Stars', type: 'rating', value: 4, timeSeconds: 3.5, revisions: 2 },
        {
          fieldId: 'mail',
          label: 'E-mail',
          type: 'email',
          value: 'rosa@example.com',
          timeSeconds: 0,
          revisions: 0,
        },
        { fieldId: 'why', label: 'Why?', type: 'long_text', value: null, timeSeconds: 0, revisions: 0 },
      ],
    })
    expect(events().at(-1)).toBe('response.completed')
    expect(
      fresh.app.workspaces.database.sqlite
        .prepare('SELECT count(*) AS c FROM forms_responses WHERE workspace > 0 AND form_id = ?')
        .get(id),
    ).toEqual({ c: 1 })
  })

  test('belongs only to its form', async () => {
    const { publishNew, submit, call } = await freshForms()
    const one = await publishNew([])
    const other = await publishNew([])
    const { body } = await submit(one.id, {})
    const { responseId } = body as { responseId: string }
    expect((await call('GET', `/api/v1/forms/${one.id}/responses/${responseId}`)).status).toBe(200)
    expect(await call('GET', `/api/v1/forms/${other.id}/responses/${responseId}`)).toMatchObject(
      refusal(404, 'not_found'),
    )
  })
})
