/** Deletes what a run created: the newest first, and also what was created without an answer. */
import type { ServiceClient } from '../exchanges/serviceClient.ts'
import type { Exchange, Probe } from '../exchanges/exchange.ts'
import { listOf, rowsIn, valueAt, type List } from '../model/list.ts'
import type { Operation } from '../model/operation.ts'
import type { Cleanup } from '../options.ts'
import { BUDGET_SPENT } from '../report/report.ts'
import type { Created, Intent, Ledger } from './ledger.ts'
import { textOf } from '../crawl/rowValues.ts'
import { filledTexts } from './placeholders.ts'
import { SCENARIOS } from './scenarios/index.ts'
import type { Creation, Scenario } from './scenario.ts'

/** A call that may have created a record. */
export interface Unanswered extends Intent {
  /** Whether the service may still create it. */
  readonly mayFollow?: boolean
}

export interface UndoOptions {
  readonly run: string
  readonly client: ServiceClient
  /** The operations of all interfaces that the records are of. */
  readonly operations: readonly Operation[]
  readonly ledger: Ledger
  readonly created: readonly Created[]
  readonly unanswered: readonly Unanswered[]
}

export type Undone = Pick<Cleanup, 'deleted' | 'remaining'>

/** Pages of a list that are read to find a record. */
const MAX_PAGES = 20

/** A service that lists other records with the id of the run is not believed further. */
const MAX_FOUND = 20

/** The largest size of a page that is requested, if the document names no maximum. */
const PAGE = 100

export async function undo(options: UndoOptions): Promise<Undone> {
  const { created, unanswered, ledger } = options
  const deleted: string[] = []
  const remaining: { record: string; why: string }[] = []
  const open = [
    ...created.map((each) => ({ n: each.n, records: () => Promise.resolve([each]) })),
    ...unanswered.map((each) => ({ n: each.n, records: () => found(options, each), intent: each })),
  ].toSorted((one, other) => other.n - one.n)
  for (const { n, records, ...rest } of open) {
    const left = remaining.length
    try {
      for (const record of await records()) {
        const why = await undoOne(options, record)
        const name = `${record.interface} ${record.resource} ${record.id}`
        if (why === null) deleted.push(name)
        else remaining.push({ record: name, why })
      }
    } catch (error) {
      const intent = 'intent' in rest ? rest.intent : created.find((each) => each.n === n)
      const name = intent ? `${intent.interface} ${intent.resource}` : String(n)
      remaining.push({ record: name, why: error instanceof Error ? error.message : String(error) })
    }
    if (remaining.length === left) ledger.undone(n)
  }
  return { deleted, remaining }
}

/** Returns why the record remains; null if it is gone. */
async function undoOne(
  { client, operations }: UndoOptions,
  { interface: name, undo: call, resource }: Created,
): Promise<string | null> {
  if (!call) return scenarioOf(name, resource)?.needsAllow ?? 'no call deletes it'
  const send = (id: string, body?: unknown): Promise<Exchange | null> => {
    const operation = operations.find((each) => each.interface === name && each.id === id)
    if (!operation) throw new Error(`the simulator has no operation ${id}`)
    return client.send({
      ...probeOf(operation, call.path, {}, resource),
      ...(body !== undefined && { body }),
    })
  }
  let exchange = await send(call.operation)
  if (exchange?.status === 409 && call.prepare) {
    await send(call.prepare.operation, call.prepare.body)
    exchange = await send(call.operation)
  }
  if (!exchange) return whyUnsent(client)
  const { status } = exchange
  if ((status >= 200 && status < 300) || status === 404 || call.done?.includes(status)) return null
  const scenario = scenarioOf(name, resource)
  if (status === 409 && scenario?.needsAllow !== undefined) return scenario.needsAllow
  return status === 0
    ? `the service does not respond: ${exchange.text}`
    : `the service answers ${String(status)}`
}

/**
 * Looks for the record of a call without an answer by the id of the run. Throws an error if it finds none, but the record
 * may exist.
 */
async function found(options: UndoOptions, intent: Unanswered): Promise<readonly Created[]> {
  const { run, operations } = options
  const { interface: name, resource, n } = intent
  const creation = creationOf(intent)
  const values = { run, ...intent.path }
  if (!creation?.find)
    throw new Error(`it is unknown whether ${intent.operation} created a record, and no list shows it`)
  const { find } = creation
  const operation = operations.find((each) => each.interface === name && each.id === find.operation)
  const list = operation && listOf(operation)
  if (!operation || !list) throw new Error(`the simulator has no list ${find.operation}`)
  const query = filledTexts(find.query, values)
  const path = { ...intent.path, ...filledTexts(find.path, values) }
  const { rows, why } = await rowsWith(options, list, probeOf(operation, path, query, resource))
  const ids = new Set<string>()
  for (const row of rows) {
    const id = (row as Record<string, unknown>)[find.id ?? 'id']
    if (id === undefined || id === null)
      throw new Error('the row with the id of the run has no id of its own')
    ids.add(textOf(id))
  }
  if (ids.size > MAX_FOUND)
    throw new Error(`more than ${String(MAX_FOUND)} rows of its list have the id of the run`)
  if (ids.size === 0 && why !== null) throw new Error(why)
  if (ids.size === 0 && intent.mayFollow)
    throw new Error(
      `the service did not say whether it created one, and may still do so; run "suite-sim verify cleanup --run ${run}" later`,
    )
  return [...ids].map((id): Created => {
    const { undo: call } = creation
    return {
      n,
      interface: name,
      resource,
      id,
      undo: call && {
        ...call,
        path: { ...intent.path, ...filledTexts(call.path, { ...values, [creation.id]: id }) },
      },
    }
  })
}

/** The rows of a list with the id of the run, and why others may be missing; null if the list was read to its end. */
interface RowsOfRun {
  readonly rows: readonly object[]
  readonly why: string | null
}

async function rowsWith({ client, run }: UndoOptions, list: List, first: Probe): Promise<RowsOfRun> {
  const query: Record<string, string> = { ...first.query }
  if (list.size) query[list.size.name] = String(Number(list.size.schema['maximum'] ?? PAGE))
  const own: object[] = []
  const seen = new Set<string>()
  for (let page = 0; page < MAX_PAGES; page++) {
    const exchange = await client.send({ ...first, query: { ...query } })
    if (exchange?.status !== 200)
      return { rows: own, why: `its list cannot be read: ${reasonOf(exchange, client)}` }
    const rows = rowsIn(list, exchange.body)
    if (rows === null) return { rows: own, why: 'its list has no readable rows' }
    const fresh = rows.map((row) => JSON.stringify(row)).filter((row) => !seen.has(row))
    for (const row of fresh) {
      seen.add(row)
      if (row.includes(run)) own.push(JSON.parse(row) as object)
    }
    const total = list.totalAt && valueAt(exchange.body, list.totalAt)
    // A service may send smaller pages than requested, so a short page alone is not the end.
    const isShort = rows.length < Number(query[list.size?.name ?? ''] ?? 1)
    if (rows.length === 0 || (isShort && own.length > 0) || (typeof total === 'number' && seen.size >= total))
      return { rows: own, why: null }
    if (!list.position) return { rows: own, why: list.size && !isShort ? CUT : null }
    const { kind, name } = list.position
    const next = list.nextAt && valueAt(exchange.body, list.nextAt)
    if (kind === 'cursor' && typeof next !== 'string')
      return { rows: own, why: next === null || isShort ? null : CUT }
    if (fresh.length === 0) return { rows: own, why: CUT }
    query[name] = kind === 'cursor' ? String(next) : String(kind === 'page' ? page + 2 : seen.size)
  }
  return { rows: own, why: CUT }
}

const CUT = 'its list could not be read to the end'

const whyUnsent = ({ isStopped }: ServiceClient): string => (isStopped ? 'the run was stopped' : BUDGET_SPENT)

const reasonOf = (exchange: Exchange | null, client: ServiceClient): string =>
  exchange ? `the service answers ${String(exchange.status)}` : whyUnsent(client)

const scenarioOf = (name: Intent['interface'], resource: string): Scenario | undefined =>
  SCENARIOS[name].scenarios.find((scenario) => scenario.resource === resource)

const creationOf = ({ interface: name, resource, operation }: Intent): Creation | undefined =>
  scenarioOf(name, resource)?.steps.find((step) => step.operation === operation && step.creates)?.creates

const probeOf = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
  scenario: string,
): Probe => ({
  operation,
  path: Object.fromEntries(operation.inPath.map(({ name }) => [name, path[name] ?? ''])),
  query,
  purpose: { kind: 'step', scenario, step: 0 },
})
