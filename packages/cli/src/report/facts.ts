/** What a server knows of a workspace and of what it rests on, asked over its control plane. */
import type { Schema } from '@suite-sim/client/calling'
import type { SimulatorClient } from '@suite-sim/client/client'
import { INTERFACE_NAMES, type InterfaceName } from '@suite-sim/kit/interfaceNames'
import { claimsOf, type Claims } from '@suite-sim/verify/model/claims'
import { documentedFacts } from '@suite-sim/verify/model/documentedFacts'
import { operationsOf, type Operation } from '@suite-sim/verify/model/operation'
import { sentenceFor, type DocumentedList, type OpenApiDocument } from '../../../../src/published.ts'

/** An interface that the run used: its document, compared with what the specification shows. */
export interface UsedInterface {
  readonly name: InterfaceName
  readonly claims: Claims
  readonly operations: ReadonlyMap<string, Operation>
  readonly document: OpenApiDocument
  /** Returns the sentence of the specification that leaves a part open: "move payments.link pay". Null if it is silent. */
  readonly sentenceOf: (subject: string) => string | null
}

export interface Facts {
  readonly workspace: Pick<Schema<'Workspace'>, 'id' | 'name' | 'readings'>
  /** Newest first, like all lists. */
  readonly calls: readonly Schema<'JournalEntry'>[]
  readonly hints: readonly Schema<'GroupedHint'>[]
  readonly timeline: readonly Schema<'TimelineItem'>[]
  readonly deliveries: readonly Schema<'Delivery'>[]
  readonly coverage: Schema<'Coverage'>
  readonly machines: readonly Schema<'StateMachine'>[]
  readonly readings: readonly Schema<'Reading'>[]
  readonly observed: Pick<Schema<'Observations'>, 'measured'>
  readonly interfaces: ReadonlyMap<string, UsedInterface>
}

/** The maximum of a list. */
const LIMIT = 1000

/** Pages of the timeline. */
const MAX_PAGES = 20

/** Asks a server for what the report on a workspace needs. */
export async function gatherFacts(simulator: SimulatorClient, id: string): Promise<Facts> {
  const path = { id }
  const query = { limit: LIMIT }
  const [workspace, calls, hints, timeline, deliveries, coverage, machines, readings, observed] =
    await Promise.all([
      simulator.call('getWorkspace', { path }),
      simulator.call('listRequests', { path, query }) as Promise<{ data: Schema<'JournalEntry'>[] }>,
      simulator.call('listHints', { path }),
      timelineOf(simulator, id),
      simulator.call('listDeliveries', { path, query }),
      simulator.call('getCoverage', { path }),
      simulator.machines.list(),
      simulator.readings(),
      simulator.observed(),
    ])
  const used = new Set([
    ...coverage.operations.flatMap((each) => (each.calls > 0 ? [each.interface] : [])),
    // A trigger is named after its interface.
    ...timeline.flatMap(({ kind, ref }) => (kind === 'trigger' ? [ref.split('.')[0] ?? ''] : [])),
  ])
  const interfaces = await Promise.all(
    INTERFACE_NAMES.filter((name) => used.has(name)).map((name) => usedInterface(simulator, name, machines)),
  )
  return {
    workspace,
    calls: calls.data,
    hints: hints.data,
    timeline,
    deliveries: deliveries.data,
    coverage,
    machines,
    readings,
    observed,
    interfaces: new Map(interfaces.map((each) => [each.name, each])),
  }
}

async function timelineOf(simulator: SimulatorClient, id: string): Promise<Schema<'TimelineItem'>[]> {
  const all: Schema<'TimelineItem'>[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const before = all.at(-1)?.id
    const query = { limit: LIMIT, ...(before !== undefined && { before }) }
    const { data } = await simulator.call('getTimeline', { path: { id }, query })
    all.push(...data)
    if (data.length < LIMIT) break
  }
  return all
}

/** Tests ask for many workspaces of one server, whose documents do not change. */
const known = new WeakMap<SimulatorClient, Map<InterfaceName, Promise<UsedInterface>>>()

function usedInterface(
  simulator: SimulatorClient,
  name: InterfaceName,
  machines: Facts['machines'],
): Promise<UsedInterface> {
  const all = known.get(simulator) ?? new Map<InterfaceName, Promise<UsedInterface>>()
  known.set(simulator, all)
  const found =
    all.get(name) ??
    simulator
      // The generated types of the client may not have a new interface yet.
      .call('getOpenapiOfInterface', { path: { interface: name } })
      .then((document) => interfaceIn(name, document as unknown as OpenApiDocument, machines))
  all.set(name, found)
  return found
}

/** Compares the document of an interface with the facts that the specification shows; `list` is that of the package. */
export function interfaceIn(
  name: InterfaceName,
  document: OpenApiDocument,
  machines: Facts['machines'],
  list: DocumentedList = documentedFacts(name),
): UsedInterface {
  const operations = operationsOf(name, document)
  return {
    name,
    claims: claimsOf({ name, document, list, operations, machines }),
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    document,
    sentenceOf: (subject) => sentenceFor(list, subject) ?? null,
  }
}
