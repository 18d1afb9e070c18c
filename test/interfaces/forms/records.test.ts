/** The records of forms: the demo, state machines, resets, snapshots and copies. */
import { describe, expect, test } from 'vitest'
import { validateAnswers } from '../../../src/state/forms/answers.ts'
import { formMachine } from '../../../src/state/forms/machines.ts'
import type { Field } from '../../../src/state/forms/fields.ts'
import type { FieldAnswer } from '../../../src/state/forms/tables.ts'
import { freshApp } from '../../support/app.ts'
import { freshForms } from '../../support/formBuilding.ts'
import { dumpOf } from '../../support/records.ts'

type Row = Readonly<Record<string, unknown>>

test('has a form in every state in the demo, with valid answers', async () => {
  const { app } = await freshApp({ fixtures: 'demo' })
  const demo = app.workspaces.get('demo')
  const { forms: section = {} } = dumpOf(app.records, demo)
  const rows = (name: string): readonly Row[] => section[name] ?? []
  expect(new Set(rows('forms').map(({ status }) => status))).toEqual(new Set(formMachine.states))
  for (const response of rows('responses')) {
    const form = rows('forms').find(({ id }) => id === response['formId'])
    const answers = response['answers'] as FieldAnswer[]
    const sent = new Map(answers.map((answer) => [answer.fieldId, answer]))
    const result = validateAnswers(form?.['fields'] as Field[], sent)
    expect(result.problems).toEqual([])
    expect(result.answers.map(({ field }) => field.id)).toEqual(answers.map(({ fieldId }) => fieldId))
    const answered = answers.filter(({ value }) => value !== null).length
    expect(response['completionPercentage']).toBe(Math.round((answered / answers.length) * 100))
  }
})

test('has a contact in the CRM for every respondent in the demo', async () => {
  const { app } = await freshApp({ fixtures: 'demo' })
  const { forms, crm } = dumpOf(app.records, app.workspaces.get('demo'))
  const known = new Set(crm?.['contacts']?.map((row) => (row as unknown as Row)['email']))
  for (const response of forms?.['responses'] ?? []) {
    const { respondentEmail } = response as unknown as Row
    if (respondentEmail !== null) expect(known).toContain(respondentEmail)
  }
})

describe('states of a form', () => {
  test.each(formMachine.states)('%s allows publishing by the trigger', async (state) => {
    const { create, publish, call } = await freshForms()
    const { id } = await create()
    if (state === 'published') await publish(id)
    expect((await publish(id)).status).toBe(200)
    expect((await call('GET', `/api/v1/forms/${id}`)).body).toMatchObject({ data: { status: 'published' } })
  })

  test('an unknown form is not published', async () => {
    const { publish } = await freshForms()
    expect((await publish('none')).status).toBe(404)
  })
})

describe('copies and resets', () => {
  test('a reset removes new forms and answers, and restarts the rate limit', async () => {
    const { publishNew, submit, call, fresh } = await freshForms({ rateLimits: true })
    const { id } = await publishNew([])
    for (let count = 0; count < 10; count += 1) await submit(id, {})
    expect((await submit(id, {})).status).toBe(429)
    await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
    expect((await call('GET', '/api/v1/forms')).body).toEqual({ data: [] })
    expect((await submit(id, {})).status).toBe(404)
  })

  test('a snapshot restores forms with their answers and files', async () => {
    const { publishNew, submit, responses, response, fresh } = await freshForms()
    const { id } = await publishNew([{ id: 'plan', type: 'file', label: 'Plan' }])
    await submit(id, { plan: { name: 'plan.txt', content: Buffer.from('x').toString('base64') } })
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    const [before] = await responses(id)
    await fresh.call('POST', `/_sim/workspaces/${fresh.workspace.id}/reset`)
    expect((await fresh.call('PUT', path, { body })).status).toBe(204)
    expect(await responses(id)).toEqual([before])
    const { answers } = await response(id, before?.id ?? '')
    expect(answers[0]?.value).toMatchObject({ name: 'plan.txt', size: 1 })
  })

  test.each([
    [
      'two fields with one id',
      (form: Row) => [...(form['fields'] as Field[]), ...(form['fields'] as Field[])],
      'id',
    ],
    ['a slug that conflicts with its workspace', null, 'slug'],
  ])('a snapshot with %s is refused', async (_what, fields, name) => {
    const { publishNew, fresh } = await freshForms()
    await publishNew([{ type: 'date', label: 'Day' }])
    const path = `/_sim/workspaces/${fresh.workspace.id}/snapshot`
    const { body } = await fresh.call('GET', path)
    const snapshot = body as { forms: { forms: Row[] } }
    const forms = snapshot.forms.forms.map((form) =>
      fields ? { ...form, fields: fields(form) } : { ...form, slug: 'a--b' },
    )
    const answer = await fresh.call('PUT', path, {
      body: { ...snapshot, forms: { ...snapshot.forms, forms } },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).toContain(name)
  })
})
