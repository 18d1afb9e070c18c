/** The mutations of what the reading operations of all interfaces answer with the demo. */
import { expect, test } from 'vitest'
import { INTERFACE_NAMES } from '@suite-sim/kit/interfaceNames'
import { kindOf } from '@suite-sim/mutate/kinds/index'
import { mutationsOf } from '@suite-sim/mutate/listing'
import type { Answer, LogLine, Mutation } from '@suite-sim/mutate/mutation'
import { readMet } from '@suite-sim/mutate/readMet'
import { Connections, credentialsOf } from './drift/connections.ts'
import { groupBy } from './drift/instances.ts'
import { readablesOf } from './drift/readable.ts'
import { probeAll, sendingWith } from './drift/subject.ts'
import { DEMO_KEY } from './drift/target.ts'
import { startVendor } from './vendor.ts'

/** Calls each operation that reads, for records, pages, filters and refusals. */
async function readAll(): Promise<LogLine[]> {
  const vendor = await startVendor(null, 'demo')
  const { url } = vendor.simulator
  const connections = new Connections(url)
  await probeAll(await readablesOf(url), sendingWith(connections, credentialsOf(DEMO_KEY)))
  connections.close()
  return vendor.lines()
}

test('every change of an answer changes one that was met, and they reach every interface', async () => {
  const lines = await readAll()
  const met = await readMet(lines)
  expect(met.map(({ name }) => name)).toEqual(INTERFACE_NAMES.toSorted())
  const mutations = mutationsOf(met, { seed: '1' }).filter(({ kind }) => kindOf(kind)?.answer !== undefined)
  expect(mutations.length).toBeGreaterThan(2000)
  const answers = groupBy(
    lines.flatMap((line) => (line.met === 'answer' ? [line] : [])),
    ({ operation }) => operation,
  )
  const changesAny = (mutation: Mutation): boolean =>
    mutation.operations.some((operation) =>
      (answers.get(operation) ?? []).some(({ status, json }) => {
        const before: Answer = { operation, status, headers: {}, json, failure: () => ({}) }
        const after = kindOf(mutation.kind)?.answer?.({ ...before, json: structuredClone(json) }, mutation)
        return JSON.stringify(after) !== JSON.stringify(before)
      }),
    )
  expect(mutations.filter((mutation) => !changesAny(mutation)).map(({ id }) => id)).toEqual([])
})
