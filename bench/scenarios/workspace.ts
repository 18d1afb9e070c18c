/** What every isolated test pays: a workspace of its own, or a reset of one with 1,000 records. One call at a time. */
import { bareFastify } from '../bare.ts'
import type { SqliteQuestion } from '../companions/bare-sqlite.ts'
import { Client, request } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { WORKSPACE } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, fixtureFile, Simulator } from '../simulator.ts'

const RECORDS = 1000

export async function workspace(settings: Settings): Promise<Row[]> {
  const database = scratch('workspace.sqlite')
  await (await Simulator.start(database, fixtureFile(RECORDS))).stop()
  const simulator = await Simulator.start(copyOf(database, 'workspace-simulator.sqlite'))
  const bare = await bareFastify(simulator)
  const sqlite = new Companion<SqliteQuestion, number>('bare-sqlite')
  await sqlite.ask({ open: copyOf(database, 'workspace-bare.sqlite') })
  const client = new Client()
  await client.prepare('make', [request('POST', '/_sim/workspaces', {})])
  await client.prepare('reset', [request('POST', `/_sim/workspaces/${WORKSPACE}/reset`)])
  const msEach = async (url: string, load: string, count: number): Promise<number> =>
    ((await client.secondsFor(url, load, count, 1)) * 1000) / count

  const makings = {
    ours: () => msEach(simulator.url, 'make', settings.workspaces),
    fastify: () => msEach(bare.url, 'make', settings.workspaces),
    sqlite: () => sqlite.ask({ makeWorkspaces: settings.workspaces }),
  }
  const resets = {
    ours: () => msEach(simulator.url, 'reset', settings.resets),
    sqlite: () => sqlite.ask({ resets: settings.resets, workspace: WORKSPACE }),
  }
  await alternate(makings, 1)
  const made = await alternate(makings, settings.rounds)
  await alternate(resets, 1)
  const reset = await alternate(resets, settings.rounds)
  await Promise.all([simulator, bare, sqlite, client].map((one) => one.stop()))
  return [
    {
      what: 'workspace create',
      unit: 'ms',
      ours: made.ours,
      beside: "bare Fastify's POST",
      theirs: made.fastify,
    },
    {
      what: 'workspace create',
      unit: 'ms',
      ours: made.ours,
      beside: 'bare better-sqlite3, the same rows',
      theirs: made.sqlite,
    },
    {
      what: `reset of ${RECORDS.toLocaleString('en')} records`,
      unit: 'ms',
      ours: reset.ours,
      beside: 'bare better-sqlite3, the same rows',
      theirs: reset.sqlite,
      target: { of: 'figure', limit: 'at most', value: 5 },
    },
  ]
}
