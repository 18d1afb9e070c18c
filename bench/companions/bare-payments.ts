/**
 * The baseline for payments: bare Fastify with a fixed page and a form with a redirect, and bare
 * better-sqlite3 that inserts transactions and sums them on the same tables.
 */
import SQLite, { type Database } from 'better-sqlite3'
import Fastify from 'fastify'
import { answerQuestions } from '../answering.ts'
import { OWN } from '../sqlite.ts'

export type PaymentsQuestion =
  /** Responds to every GET with this, and to every form with a redirect; returns its URL. */
  | { readonly page: object }
  | { readonly open: string }
  /** Inserts transactions for so many seconds, each in its own transaction; returns inserts per second. */
  | { readonly insertFor: number }
  /** Sums all by day so many times; returns ms per report. */
  | { readonly reports: number }

let database: Database | null = null

answerQuestions<PaymentsQuestion, string | number>((question) => {
  if ('page' in question) return serve(question.page)
  if ('open' in question) {
    database = new SQLite(question.open)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    return 0
  }
  if (!database) throw new Error('no database is open')
  return 'reports' in question ? addUp(database, question.reports) : insert(database, question.insertFor)
})

function serve(page: object): Promise<string> {
  const app = Fastify({ logger: false })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(text as string)))
    },
  )
  app.get('/*', async () => page)
  app.post('/*', async (_request, reply) => reply.redirect('/receipt', 303))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** Inserts copies of the newest row with other ids. */
function insert(sqlite: Database, seconds: number): number {
  const newest = sqlite
    .prepare(`SELECT * FROM payment_transactions WHERE workspace = ${OWN} ORDER BY rowid DESC LIMIT 1`)
    .get() as Record<string, unknown>
  const columns = Object.keys(newest)
  const write = sqlite.prepare(
    `INSERT INTO payment_transactions (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
  )
  const began = performance.now()
  let done = 0
  for (; performance.now() - began < seconds * 1000; done++) {
    const id = `txn_bare${Math.random().toString(36).slice(2)}${String(done)}`
    write.run({ ...newest, id, attempt: null })
  }
  return done / ((performance.now() - began) / 1000)
}

function addUp(sqlite: Database, count: number): number {
  const sums = sqlite.prepare(
    `SELECT completed_at / 86400000 AS day, payment_method, count(*), sum(amount - refunded_amount)
     FROM payment_transactions WHERE workspace = ${OWN} AND completed_at IS NOT NULL GROUP BY day, payment_method`,
  )
  const began = performance.now()
  for (let done = 0; done < count; done++) {
    if (sums.all().length === 0) throw new Error('no rows to sum')
  }
  return (performance.now() - began) / count
}
