/**
 * Imports 50,000 contacts from a CSV file in a form, compared with bare better-sqlite3 that inserts the same
 * rows.
 */
import type { ContactsQuestion } from '../companions/bare-contacts.ts'
import { CONTACTS, contactsFixture, csvOf, newContacts } from '../contacts.ts'
import { Companion, scratch } from '../processes.ts'
import { KEY } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, Simulator } from '../simulator.ts'

interface Imported {
  readonly created: number
}

export async function imports(settings: Settings): Promise<Row[]> {
  const count = settings.imported
  const database = scratch('contacts.sqlite')
  await (await Simulator.start(database, contactsFixture())).stop()
  const simulator = await Simulator.start(copyOf(database, 'contacts-simulator.sqlite'))
  const bare = new Companion<ContactsQuestion, number>('bare-contacts')
  await bare.ask({ open: copyOf(database, 'contacts-bare.sqlite') })

  // Existing addresses would be skipped, so each measurement has new ones, on both sides.
  let turn = 0
  let bareTurn = 0
  const figures = await alternate(
    {
      ours: () => importInto(simulator, csvOf(newContacts(turn++, count)), count),
      theirs: () => bare.ask({ insert: newContacts(bareTurn++, count) }),
    },
    settings.rounds,
  )
  await Promise.all([simulator.stop(), bare.stop()])
  const rows = `import of ${count.toLocaleString('en')} contacts`
  return [{ what: rows, unit: '/s', ...figures, beside: 'bare better-sqlite3, the same rows' }]
}

/** Returns rows per second, from the first byte of the form to the last of the response. */
async function importInto({ url }: Simulator, csv: string, count: number): Promise<number> {
  const form = new FormData()
  form.set('file', new File([csv], 'contacts.csv', { type: 'text/csv' }))
  const began = performance.now()
  const answer = await fetch(`${url}${CONTACTS}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: form,
  })
  const text = await answer.text()
  const seconds = (performance.now() - began) / 1000
  if (!answer.ok || (JSON.parse(text) as Imported).created !== count) {
    throw new Error(`the import got ${String(answer.status)}: ${text.slice(0, 500)}`)
  }
  return count / seconds
}
