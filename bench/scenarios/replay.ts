/** Recordings: created products with a running recording, and a replay of them, beside the same calls without one. */
import { Client, request } from '../load.ts'
import { scratch } from '../processes.ts'
import { newProduct, WORKSPACE } from '../records.ts'
import type { Row } from '../report.ts'
import { alternate } from '../rounds.ts'
import { CONNECTIONS, type Settings } from '../settings.ts'
import { fixtureFile, PRODUCTS, Simulator } from '../simulator.ts'
import { replay as replayFile } from '@suite-sim/cli/replay/replay'
import type { Recording } from '@suite-sim/cli/replay/format/recording'
import { remoteTarget } from '@suite-sim/cli/replay/target'

/** The calls of a recording; a session of a test suite has fewer. */
const CALLS = 200

const RECORDINGS = `/_sim/workspaces/${WORKSPACE}/recordings`

export async function replay({ rounds }: Settings): Promise<Row[]> {
  const simulator = await Simulator.start(scratch('replay.sqlite'), fixtureFile(100))
  const client = new Client()
  await client.prepare('create', [request('POST', PRODUCTS, newProduct(0))])
  const create = async (): Promise<number> =>
    (await client.secondsFor(simulator.url, 'create', CALLS, CONNECTIONS)) * 1000
  let file: Recording | null = null
  const measures = {
    plain: create,
    async recorded(): Promise<number> {
      const { id } = await simulator.call<{ id: string }>('POST', RECORDINGS, {})
      const ms = await create()
      file = await simulator.call<Recording>('POST', `${RECORDINGS}/${id}/stop`)
      await simulator.call('DELETE', `${RECORDINGS}/${id}`)
      return ms
    },
    async replayed(): Promise<number> {
      if (file === null) throw new Error('nothing was recorded')
      const began = performance.now()
      const { isEqual } = await replayFile(remoteTarget(simulator.url, undefined), file)
      if (!isEqual) throw new Error('the replay differs from the recording')
      return performance.now() - began
    },
  }
  await alternate(measures, 1)
  const { plain, recorded, replayed } = await alternate(measures, rounds)
  await Promise.all([simulator, client].map((one) => one.stop()))
  const beside = 'the same calls without a recording'
  const what = `${String(CALLS)} products created`
  return [
    { what: `${what} during a recording`, unit: 'ms', ours: recorded, beside, theirs: plain },
    { what: `a replay of ${what}, one after another`, unit: 'ms', ours: replayed, beside, theirs: plain },
  ]
}
