/**
 * The baseline for deals: bare Fastify with a fixed page, and bare better-sqlite3 that sums a pipeline on the
 * same tables and indexes.
 */
import SQLite, { type Database } from 'better-sqlite3'
import Fastify from 'fastify'
import { answerQuestions } from '../answering.ts'
import { OWN } from '../sqlite.ts'

export type DealsQuestion =
  /** Responds to every GET with this; returns its URL. */
  | { readonly page: object }
  | { readonly open: string }
  /** Sums a pipeline so many times; returns ms per report. */
  | { readonly reports: number; readonly pipeline: string }

let database: Database | null = null

answerQuestions<DealsQuestion, string | number>((question) => {
  if ('page' in question) return serve(question.page)
  if ('open' in question) {
    database = new SQLite(question.open, { readonly: true })
    return 0
  }
  if (!database) throw new Error('no database is open')
  return addUp(database, question.pipeline, question.reports)
})

function serve(page: object): Promise<string> {
  const app = Fastify({ logger: false })
  app.get('/*', async () => page)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

function addUp(sqlite: Database, pipeline: string, count: number): number {
  const deals = sqlite.prepare(
    `SELECT stage_id, status, count(*), sum(value), sum(closed_at - created_at)
     FROM crm_deals WHERE workspace = ${OWN} AND pipeline_id = ? GROUP BY stage_id, status`,
  )
  const stays = sqlite.prepare(
    `SELECT stage_id, count(*), sum(coalesce(left_at, ?) - entered_at) FROM crm_stage_stays
     WHERE workspace = ${OWN} AND stage_id IN (SELECT id FROM crm_stages WHERE workspace = ${OWN} AND pipeline_id = ?)
     GROUP BY stage_id`,
  )
  const began = performance.now()
  for (let done = 0; done < count; done++) {
    if (deals.all(pipeline).length === 0) throw new Error('no rows to sum')
    stays.all(Date.now(), pipeline)
  }
  return (performance.now() - began) / count
}
