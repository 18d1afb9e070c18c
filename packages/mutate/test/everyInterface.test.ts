/** The mutations of what the reading operations of all interfaces answer with the demo. */
import { expect, test } from 'vitest'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { kindOf } from '@suite-sim/mutate/kinds/index'
import { mutationsOf } from '@suite-sim/mutate/listing'
import type { Answer, Mutation } from '@suite-sim/mutate/mutation'
import { readMet } from '@suite-sim/mutate/readMet'
import { Connections, credentialsOf } from './drift/connections.ts'
import { groupBy } from './drift/instances.ts'
import { readablesOf } from './drift/readable.ts'
import { probeAll, sendingWith } from './drift/subject.ts'
import { DEMO_KEY } from './drift/target.ts'
import { startVendor, type Vendor } from './vendor.ts'

/** Calls each operation that reads, for records, pages, filters and refusals. Returns the answers as "getLink 200". */
async function readAll({ simulator: { url } }: Vendor, wanted: readonly InterfaceName[] = INTERFACE_NAMES) {
  const connections = new Connections(url)
  const readables = (await readablesOf(url)).filter((each) => wanted.includes(each.interface))
  const probed = await probeAll(readables, sendingWith(connections, credentialsOf(DEMO_KEY)))
  connections.close()
  return probed.flatMap(({ readable, samples }) => samples.map(({ answer }) => ({ readable, answer })))
}

test('every change of an answer changes one that was met, and they reach every interface', async () => {
  const vendor = await startVendor(null, 'demo')
  await readAll(vendor)
  const lines = vendor.lines()
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

test.each(INTERFACE_NAMES)('%s fails in its own words, also where a call needs no key', async (name) => {
  const plain = await startVendor()
  const operations = (await readablesOf(plain.simulator.url)).map(({ operation }) => operation.id)
  const mutation = { kind: 'answer-fails', half: 'harmful', interface: name, operations, places: [] } as const
  const vendor = await startVendor({ ...mutation, id: '', subject: '' }, 'demo')
  const disturbed = await readAll(vendor, [name])
  expect(disturbed.length).toBeGreaterThan(0)
  for (const { readable, answer } of disturbed) {
    expect(answer.status, readable.operation.id).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.json), readable.operation.id).toMatch(/internal|error|message/i)
  }
})
