/** The baseline for imports: bare better-sqlite3 that inserts the same contacts in one transaction. */
import SQLite, { type Database } from 'better-sqlite3'
import { answerQuestions } from '../answering.ts'
import type { NewContact } from '../contacts.ts'
import { SETTINGS } from '../sqlite.ts'

export type ContactsQuestion =
  | { readonly open: string }
  /** Inserts these; returns inserts per second. */
  | { readonly insert: readonly NewContact[] }

let database: Database | null = null
let last = 0

answerQuestions<ContactsQuestion, number>((question) => {
  if ('open' in question) {
    database = new SQLite(question.open)
    for (const setting of SETTINGS) database.pragma(setting)
    return 0
  }
  if (!database) throw new Error('no database is open')
  return insertAll(database, question.insert)
})

function insertAll(sqlite: Database, contacts: readonly NewContact[]): number {
  const example = sqlite.prepare(`SELECT * FROM crm_contacts WHERE id = 'con_first'`).get() as object
  const names = Object.keys(example)
  const insert = sqlite.prepare(
    `INSERT INTO crm_contacts (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  const began = performance.now()
  sqlite.transaction(() => {
    for (const contact of contacts) insert.run({ ...example, ...contact, ...columnsOf(contact) })
  })()
  return (contacts.length * 1000) / (performance.now() - began)
}

/** The derived columns, and an id as long as the simulator's. */
function columnsOf({ name, email, phone }: NewContact): object {
  const nameKey = name.toLowerCase()
  return {
    id: `con_${String(++last).padStart(20, '0')}`,
    name_key: nameKey,
    email_key: email,
    search_key: `${nameKey}\n${email}\n${phone}`,
  }
}
