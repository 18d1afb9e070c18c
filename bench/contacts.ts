/** The contacts of imports: the same in every run, each with its own e-mail address. */
import { writeFileSync } from 'node:fs'
import { scratch } from './processes.ts'
import { KEY, WORKSPACE } from './records.ts'

export const CONTACTS = '/crm/v1/contacts'

export interface NewContact {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly company: string
}

/** Returns new contacts; each `turn` has other ones. */
export const newContacts = (turn: number, count: number): NewContact[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Contact ${String(index)} of ${String(turn)}`,
    email: `contact.${String(turn)}.${String(index)}@example.com`,
    phone: `+507 ${String(6_000_000 + index)}`,
    company: `Company ${String(index % 1000)}`,
  }))

export const csvOf = (contacts: readonly NewContact[]): string =>
  ['name,email,phone,company', ...contacts.map((each) => Object.values(each).join(',')), ''].join('\n')

/** Writes a fixture file with one contact, from which bare better-sqlite3 copies the columns. */
export function contactsFixture(): string {
  const file = scratch('contacts.json')
  const at = '2026-01-01T00:00:00.000Z'
  const first = { name: 'First', email: null, phone: null, company: null, position: null, vertical: null }
  writeFileSync(
    file,
    JSON.stringify({
      format: 'suite-simulator/1',
      workspace: { id: WORKSPACE, name: 'Bench' },
      key: KEY,
      users: [{ id: 'bench-user', name: 'Sim User', email: 'sim.user@example.com' }],
      crm: {
        contacts: [{ id: 'con_first', ...first, tags: [], customFields: {}, createdAt: at, updatedAt: at }],
      },
    }),
  )
  return file
}
