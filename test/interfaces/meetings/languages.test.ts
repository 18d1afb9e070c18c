/** The page of a meeting in Spanish, and the invitations that a Spanish call causes. */
import { expect, test } from 'vitest'
import { inSpanish, SPANISH } from '../../support/languages.ts'
import { freshMeetings, pathOf } from '../../support/meeting.ts'
import { asForm, nextOf, visibleTextOf } from '../../support/payers.ts'

const DATA = ['Planificación', 'Rosa', 'UTC']

test('people join, stay and leave in Spanish', async () => {
  const { fresh, create, admit, act, update } = await freshMeetings()
  const id = await create({ title: 'Planificación' })
  const host = await admit(id, { name: 'Rosa', preset_name: 'sim_meet_host' })
  const guest = pathOf(host.guestUrl)
  await inSpanish(fresh.call, guest, DATA)
  await inSpanish(fresh.call, guest, DATA, { name: '' })
  await inSpanish(fresh.call, guest, DATA, { name: 'a'.repeat(201) })
  expect(visibleTextOf(await inSpanish(fresh.call, pathOf(host.url), DATA))).toContain(
    'Usted se une como Rosa.',
  )
  await act(host.url, { action: 'join' })
  const present = visibleTextOf(await inSpanish(fresh.call, pathOf(host.url), DATA))
  expect(present).toContain('Rosa (usted)')
  await act(host.url, { action: 'leave' })
  await update(id, { status: 'INACTIVE' })
  const refused = await inSpanish(fresh.call, pathOf(host.url), DATA, { action: 'join' })
  expect(refused.status).toBe(409)
})

test('a chosen language stays after joining', async () => {
  const { fresh, create, admit } = await freshMeetings()
  const { url } = await admit(await create(), { name: 'Rosa' })
  const path = `${pathOf(url)}&lang=es`
  const next = nextOf(await fresh.call('POST', path, asForm({ action: 'join' })), path)
  expect(next).toMatch(/\?participant=[\w-]+&lang=es$/)
  // The switch keeps the participant.
  const { text } = await fresh.call('GET', next)
  expect(text).toMatch(/href="\?participant=[\w-]+&amp;lang=en" hreflang="en"/)
})

test('an invitation has the language of the call that causes it, else English', async () => {
  const { fresh, call, create } = await freshMeetings()
  const id = await create({ title: 'Planificación' })
  const emails = async () =>
    (await fresh.call('GET', `/_sim/workspaces/${fresh.workspace.id}/emails`)).body as {
      readonly data: readonly { readonly subject: string; readonly text: string }[]
    }
  const invite = (name: string, headers: Readonly<Record<string, string>>) =>
    call('POST', `/public/meetings/${id}/participants`, {
      headers,
      body: { preset_name: 'sim_meet_participant', name, email: `${name}@example.com`, send_email: true },
    })
  await invite('rosa', SPANISH)
  await invite('luis', { 'accept-language': '*' })
  const [english, spanish] = (await emails()).data
  expect(spanish?.subject).toBe('Invitación: Planificación')
  expect(spanish?.text).toMatch(/^Hola, rosa:\n\nLe invitamos a una reunión\.\n\n.*\n\d+ de \w+ de 2026, /)
  expect(english?.subject).toBe('Invitation: Planificación')
})
