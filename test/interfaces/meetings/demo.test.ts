/** The meetings of the demo workspace. */
import { expect, test } from 'vitest'
import { meetingMachine, sessionMachine } from '../../../src/state/meetings/machines.ts'
import { freshApp } from '../../support/app.ts'
import { dumpOf } from '../../support/records.ts'

type Row = Readonly<Record<string, unknown>>

test('has meetings and sessions in every state, with contacts of its CRM and its users', async () => {
  const { app } = await freshApp({ fixtures: 'demo' })
  const demo = app.workspaces.get('demo')
  const { meetings, crm } = dumpOf(app.records, demo)
  const rows = (name: string) => (meetings?.[name] ?? []) as unknown as readonly Row[]
  const states = (name: string) => new Set(rows(name).map(({ status }) => status))
  expect(states('meetings')).toEqual(new Set(meetingMachine.states))
  expect(states('sessions')).toEqual(new Set(sessionMachine.states))
  const contacts = new Set(crm?.['contacts']?.map((row) => (row as unknown as Row)['id']))
  for (const { externalId } of rows('participants')) {
    expect(contacts.has(externalId) || demo.user(String(externalId)) !== undefined).toBe(true)
  }
  for (const { organizerId } of rows('meetings')) expect(demo.user(String(organizerId))).toBeDefined()
})
