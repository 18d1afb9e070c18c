/** The pages of forms in Spanish. What a form asks stays as its author wrote it. */
import { expect, test } from 'vitest'
import { freshForms } from '../../support/formBuilding.ts'
import { expectSpanish, inSpanish, SPANISH } from '../../support/languages.ts'
import { nextOf, visibleTextOf } from '../../support/payers.ts'

const options = ['Rojo', 'Azul']
const field = (id: string, type: string, more: object = {}) => ({ id, type, label: `Dato ${id}`, ...more })

const FIELDS = [
  field('name', 'short_text', { required: true }),
  field('only', 'short_text', { visibleIf: { fieldId: 'name', operator: 'equals', value: 'Ana' } }),
  field('not', 'short_text', { visibleIf: { fieldId: 'name', operator: 'not_equals', value: 'Ana' } }),
  field('has', 'short_text', { visibleIf: { fieldId: 'name', operator: 'contains', value: 'Ana' } }),
  field('any', 'short_text', { visibleIf: { fieldId: 'name', operator: 'answered' } }),
  field('short', 'short_text', { validations: { minLength: 5 } }),
  field('long', 'long_text', { validations: { maxLength: 2 } }),
  field('form', 'short_text', { validations: { pattern: '^[0-9]+$' } }),
  field('mail', 'email'),
  field('phone', 'phone'),
  field('url', 'url'),
  field('number', 'number'),
  field('few', 'number', { validations: { min: 5 } }),
  field('many', 'number', { validations: { max: 5 } }),
  field('stars', 'rating'),
  field('date', 'date'),
  field('late', 'date', { validations: { minDate: '2026-01-31' } }),
  field('early', 'date', { validations: { maxDate: '2026-01-31' } }),
  field('one', 'select', { options }),
  field('some', 'multi_select', { options }),
  field('two', 'multi_select', { options, validations: { min: 2 } }),
  field('max', 'multi_select', { options, validations: { max: 1 } }),
  field('yes', 'boolean', { required: true }),
  field('plan', 'file', { required: true }),
]

const WRONG = {
  answer_short: 'a',
  answer_long: 'abc',
  answer_form: 'abc',
  answer_mail: 'x',
  answer_phone: 'x',
  answer_url: 'x',
  answer_number: 'x',
  answer_few: '1',
  answer_many: '9',
  answer_stars: '1.5',
  answer_date: 'x',
  answer_late: '2025-01-01',
  answer_early: '2027-01-01',
  answer_one: 'Verde',
  answer_some: 'Verde',
  answer_two: 'Rojo',
  answer_max: options,
}

const DATA = [...FIELDS.map(({ label }) => label), ...options, 'Encuesta', 'Verde', 'Ana', 'abc']

test('a form asks, refuses and thanks in Spanish', async () => {
  const { publishNew, fresh, send } = await freshForms()
  const { slug } = await publishNew(FIELDS, { title: 'Encuesta' })
  const path = `/f/${slug}`
  const page = await inSpanish(fresh.call, `/forms${path}?mode=classic`, DATA)
  expect(visibleTextOf(page)).toContain('Solo si “Dato name” no es Ana.')
  const refused = await send(path, WRONG, SPANISH)
  expectSpanish(refused, await send(path, WRONG), DATA)
  expect([...refused.text.matchAll(/class="problem"/g)]).toHaveLength(20)
  const shown = visibleTextOf(refused)
  expect(shown).toContain('Dato name: la respuesta es obligatoria')
  expect(shown).toContain('Dato url: escriba una dirección como https://example.com')
  await inSpanish(fresh.call, `/forms${path}/done`, DATA)
  await inSpanish(fresh.call, `/forms/embed/${slug}`, DATA)
})

test('a chosen language stays after the form, and the operation answers in English', async () => {
  const { publishNew, send, submit } = await freshForms()
  const { id, slug } = await publishNew([field('name', 'short_text', { required: true })])
  const path = `/f/${slug}?lang=es`
  expect(nextOf(await send(path, { answer_name: 'Ana' }), `/forms${path}`)).toBe(
    `/forms/f/${slug}/done?lang=es`,
  )
  const { body, headers } = await submit(id, {}, {}, SPANISH)
  expect(body).toMatchObject({ error: { details: [{ message: 'Dato name is required' }] } })
  expect(headers['content-language']).toBeUndefined()
})

test('the script speaks the language of the page', async () => {
  const { fresh } = await freshForms()
  const { payload } = await fresh.app.fastify.inject('/forms/f/script.js?lang=es')
  expect(payload).toContain("button('Siguiente',")
  expect(payload).toContain("'' + answered + ' de ' + all.length + ' respondidas'")
})
