/** The cost of an isolated test: a new workspace, or a reset of one with 1,000 records. One call at a time. */
import { bareFastify } from '../bare.ts'
import type { SqliteQuestion } from '../companions/bare-sqlite.ts'
import { Client, request } from '../load.ts'
import { Companion, scratch } from '../processes.ts'
import { newProduct, productId, WORKSPACE } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate, median } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'
import { copyOf, fixtureFile, PRODUCTS, Simulator } from '../simulator.ts'

const RECORDS = 1000

/**
 * The changes of a typical test, and half of all records: the time of a reset depends on the changes before
 * it.
 */
const FEW = 10
const MANY = 500

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
  await client.prepare('change', eachRenamed())
  await client.prepare('add', [request('POST', PRODUCTS, newProduct(0))])
  /** Returns the median of several resets, each after untimed changes and additions. */
  const resetAfter = async (changed: number, added: number): Promise<number> => {
    const times: number[] = []
    for (let done = 0; done < settings.resets; done++) {
      await client.secondsFor(simulator.url, 'change', changed, CONNECTIONS)
      await client.secondsFor(simulator.url, 'add', added, CONNECTIONS)
      times.push((await client.secondsFor(simulator.url, 'reset', 1, 1)) * 1000)
    }
    return median(times)
  }
  const resets = {
    untouched: () => resetAfter(0, 0),
    few: () => resetAfter(FEW, FEW),
    many: () => resetAfter(MANY, FEW),
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
    resetRow('nothing changed', reset.untouched, reset.sqlite),
    resetRow(`${String(FEW)} changed, ${String(FEW)} added`, reset.few, reset.sqlite),
    resetRow(`${String(MANY)} changed, ${String(FEW)} added`, reset.many, reset.sqlite),
  ]
}

const resetRow = (since: string, ours: readonly number[], theirs: readonly number[]): Row => ({
  what: `reset of ${RECORDS.toLocaleString('en')} records, ${since}`,
  unit: 'ms',
  ours,
  beside: 'bare better-sqlite3, DELETE and INSERT ... SELECT of all',
  theirs,
  target: { of: 'figure', limit: 'at most', value: 5 },
})

const eachRenamed = (): string[] =>
  Array.from({ length: RECORDS }, (_, index) =>
    request('PUT', `${PRODUCTS}/${productId(index)}`, { name: `Renamed ${String(index)}` }),
  )
