/** The pages of vacancies and interviews in Spanish, and the e-mails that they cause. */
import { expect, test } from 'vitest'
import { countriesIn } from '../../../src/state/shared/countries.ts'
import { formOf } from '../../support/forms.ts'
import { expectSpanish, inSpanish, SPANISH } from '../../support/languages.ts'
import { nextOf, visibleTextOf } from '../../support/payers.ts'
import { freshRecruiting } from '../../support/recruiting.ts'

const DATA = ['Costurera', 'Rosa Medina', 'rosa@example.com', 'David', 'Ventas', 'Coser', 'UTC']

/** Countries with the same name in both languages. */
const SPANISH_NAMES = new Set(countriesIn('es').map(({ name }) => name))
const COUNTRIES_ALIKE = countriesIn('en').flatMap(({ name }) => (SPANISH_NAMES.has(name) ? [name] : []))

async function setup() {
  const hiring = await freshRecruiting()
  const { fresh, addVacancy } = hiring
  const { call, workspace } = fresh
  const path = `/recruiting/jobs/${workspace.id}/costurera`
  const vacancy = await addVacancy({
    title: 'Costurera',
    department: 'Ventas',
    location: { country: 'PA', city: 'David' },
    modality: 'on_site',
    contract_type: 'full_time',
    salary_range: { min: 900, max: 1200.5, currency: 'USD' },
    requirements: { mandatory: ['Coser'], desirable: ['Coser'] },
    responsibilities: ['Coser'],
    benefits: ['Coser'],
  })
  return {
    ...hiring,
    call,
    path,
    vacancy,
    send: (
      at: string,
      fields: Parameters<typeof formOf>[0],
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const { raw, contentType } = formOf(fields)
      return call('POST', at, { raw, contentType: contentType ?? null, headers })
    },
    emails: async () =>
      (await call('GET', `/_sim/workspaces/${workspace.id}/emails`)).body as {
        readonly data: readonly { readonly subject: string; readonly text: string }[]
      },
  }
}

test('a vacancy is shown in Spanish, with its country and salary, and refuses input in Spanish', async () => {
  const { call, path, send } = await setup()
  const page = visibleTextOf(await inSpanish(call, path, [...DATA, ...COUNTRIES_ALIKE]))
  expect(page).toContain('Lugar David, Panamá')
  expect(page).toContain('Salario De USD 900.00 a USD 1,200.50, al mes')
  expect(page.indexOf('Alemania')).toBeLessThan(page.indexOf('Zimbabue'))
  const wrong = {
    name: '',
    email: 'x',
    country: 'XX',
    city: 'a'.repeat(101),
    experience_years: 'x',
    skills: 'a'.repeat(51),
  }
  for (const fields of [{}, wrong, { ...wrong, cv: { filename: 'a.png', content: '\x89PNG\r\n\x1a\n' } }]) {
    const refused = await send(path, fields, SPANISH)
    expectSpanish(refused, await send(path, fields), [...DATA, ...COUNTRIES_ALIKE])
    expect(refused.status).toBe(422)
  }
})

test('an application keeps the chosen language, and its confirmation has it', async () => {
  const { send, call, fresh, path, vacancy, emails } = await setup()
  const sent = await send(`${path}?lang=es`, { name: 'Rosa Medina', email: 'rosa@example.com' })
  const next = nextOf(sent, path)
  expect(next).toBe(`${path}/applied?lang=es`)
  expect(visibleTextOf(await call('GET', next))).toContain('Gracias por postularse')
  await inSpanish(call, `${path}/applied`, DATA)
  expect((await emails()).data).toMatchObject([
    {
      subject: 'Recibimos su postulación: Costurera, Test workspace',
      text: 'Hola, Rosa Medina:\n\nGracias por postularse. Recibimos su postulación y le avisaremos de los próximos pasos.\n\nCosturera\nTest workspace\n\nEste es un mensaje automático. No se leen las respuestas.\n',
    },
  ])
  const body = { vacancy_id: vacancy.id, name: 'Eva', email: 'eva@example.com' }
  const trigger = `/_sim/workspaces/${fresh.workspace.id}/triggers/recruiting.candidate.apply`
  await call('POST', trigger, { body, headers: SPANISH })
  expect((await emails()).data[0]?.text).toMatch(/^Hola, Eva:/)
  await send(path, { name: 'Ana', email: 'ana@example.com' })
  expect((await emails()).data[0]?.subject).toBe('We received your application: Costurera, Test workspace')
})

test('the room of an interview and the e-mails about it speak the language of who opens or causes them', async () => {
  const { fresh, call, vacancy, apply, schedule, path, ...hiring } = await setup()
  const { id } = await schedule(vacancy.id, await apply(vacancy.id, { name: 'Rosa Medina' }))
  const room = path.replace('costurera', `rooms/${id}`)
  const page = await inSpanish(call, room, [...DATA, 'Marco Vega', 'Lucía Castro'])
  expect(visibleTextOf(page)).toContain('martes, 1 de diciembre de 2026, ')
  const body = { reason: 'Feriado', notify_participants: true }
  await fresh.at('recruiting')('POST', `/interviews/${id}/cancel`, { body, headers: SPANISH })
  const cancelled = (await hiring.emails()).data.find(({ subject }) => subject.startsWith('Cancelada: '))
  expect(cancelled?.subject).toBe('Cancelada: Entrevista para Costurera con Rosa Medina')
  expect(cancelled?.text).toMatch(
    /La entrevista no se realizará\.[^]*martes, 1 de diciembre[^]*Motivo: Feriado/,
  )
})
