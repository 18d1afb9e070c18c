/** The cost of a diff: ten changes among many records, compared with the same changes among a hundredth of them. */
import { newProduct, productId, WORKSPACE } from '../records.ts'
import type { Row, Target } from '../report.ts'
import { alternate, median } from '../rounds.ts'
import type { Settings } from '../settings.ts'
import { copyOf, databaseOf, PRODUCTS, Simulator } from '../simulator.ts'

/** Records that each kind of change affects. */
const RENAMED = 8
const ADDED = 1
const DELETED = 1

/** Number of diffs in one measurement. */
const CALLS = 10

const WITHIN_10_MS: Target = { of: 'figure', limit: 'at most', value: 10 }

const OF = `/_sim/workspaces/${WORKSPACE}`

interface Diff {
  readonly summary: Readonly<Record<'added' | 'changed' | 'removed', number>>
}

export async function differences(settings: Settings, note: (text: string) => void): Promise<Row[]> {
  const few = settings.records / 100
  const [large, small] = await Promise.all([startedWith(settings.records), startedWith(few)])
  const first = await timed(large)
  note(
    `diff: the first comparison after the start, which creates the index of revisions, took ${first.toFixed(0)} ms among ${settings.records.toLocaleString('en')} records.`,
  )
  const compare = async (what: string): Promise<Row> => {
    for (const each of [large, small]) await change(each)
    const sides = { ours: () => medianOf(large), theirs: () => medianOf(small) }
    await alternate(sides, 1)
    const measured = await alternate(sides, settings.rounds)
    return {
      what: `diff of 10 changes among ${settings.records.toLocaleString('en')} records${what}`,
      unit: 'ms',
      ...measured,
      beside: `the same among ${few.toLocaleString('en')}`,
      target: WITHIN_10_MS,
    }
  }
  const rows = [await compare('')]
  for (const each of [large, small]) await each.call('POST', `${OF}/snapshots/before/restore`)
  rows.push(await compare(', after a restore'))
  await Promise.all([large, small].map((one) => one.stop()))
  return rows
}

/** Starts a simulator with so many products and a snapshot of them. */
async function startedWith(records: number): Promise<Simulator> {
  const database = copyOf(await databaseOf(records), `differences-${String(records)}.sqlite`)
  const simulator = await Simulator.start(database)
  await simulator.call('POST', `${OF}/snapshots`, { name: 'before' })
  return simulator
}

async function change(simulator: Simulator): Promise<void> {
  for (let index = 0; index < RENAMED; index++) {
    await simulator.call('PUT', `${PRODUCTS}/${productId(index * 7)}`, { name: `Renamed ${String(index)}` })
  }
  for (let index = 0; index < ADDED; index++) await simulator.call('POST', PRODUCTS, newProduct(index))
  for (let index = 0; index < DELETED; index++) {
    await simulator.call('DELETE', `${PRODUCTS}/${productId(index * 7 + 1)}`)
  }
  const { summary } = await simulator.call<Diff>('GET', `${OF}/diff?from=before`)
  // Products are deleted softly.
  if (summary.changed !== RENAMED + DELETED || summary.added !== ADDED) {
    throw new Error(`the diff is ${JSON.stringify(summary)}`)
  }
}

async function timed(simulator: Simulator): Promise<number> {
  const began = performance.now()
  await simulator.call('GET', `${OF}/diff?from=before`)
  return performance.now() - began
}

async function medianOf(simulator: Simulator): Promise<number> {
  const times: number[] = []
  for (let done = 0; done < CALLS; done++) times.push(await timed(simulator))
  return median(times)
}
