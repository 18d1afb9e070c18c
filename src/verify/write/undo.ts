/** Deletes what a run created: the newest first, and also what was created without an answer. */
import type { Asker } from '../asking/asker.ts'
import type { Exchange, Probe } from '../asking/exchange.ts'
import { listOf, rowsIn } from '../model/list.ts'
import type { Operation } from '../model/operation.ts'
import type { Cleanup } from '../options.ts'
import type { Created, Intent, Ledger } from './ledger.ts'
import { textOf } from '../walk/rowValues.ts'
import { filledTexts } from './placeholders.ts'
import { STORIES } from './stories/index.ts'
import type { Creation, Story } from './story.ts'

export interface UndoOptions {
  readonly run: string
  readonly asker: Asker
  /** The operations of all interfaces that the records are of. */
  readonly operations: readonly Operation[]
  readonly ledger: Ledger
  readonly created: readonly Created[]
  readonly unanswered: readonly Intent[]
}

export type Undone = Pick<Cleanup, 'deleted' | 'remaining'>

/** Pages of a list that are read to find a record. */
const MAX_PAGES = 20

/** A service that lists other records with the id of the run is not believed further. */
const MAX_FOUND = 20

/** The largest size of a page that is asked for, if the document names no maximum. */
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
  { asker, operations }: UndoOptions,
  { interface: name, undo: call, resource }: Created,
): Promise<string | null> {
  if (!call) return storyOf(name, resource)?.needsAllow ?? 'no call deletes it'
  const ask = (id: string, body?: unknown): Promise<Exchange | null> => {
    const operation = operations.find((each) => each.interface === name && each.id === id)
    if (!operation) throw new Error(`the simulator has no operation ${id}`)
    return asker.ask({ ...probeOf(operation, call.path, {}, resource), ...(body !== undefined && { body }) })
  }
  let exchange = await ask(call.operation)
  if (exchange?.status === 409 && call.prepare) {
    await ask(call.prepare.operation, call.prepare.body)
    exchange = await ask(call.operation)
  }
  if (!exchange) return unaskedFor(asker)
  const { status } = exchange
  if ((status >= 200 && status < 300) || status === 404 || call.done?.includes(status)) return null
  const story = storyOf(name, resource)
  if (status === 409 && story?.needsAllow !== undefined) return story.needsAllow
  return status === 0
    ? `the service does not respond: ${exchange.text}`
    : `the service answers ${String(status)}`
}

/** Looks for the record of a call without an answer by the id of the run. */
async function found(options: UndoOptions, intent: Intent): Promise<readonly Created[]> {
  const { run, asker, operations } = options
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
  if (list.size) query[list.size.name] = String(Number(list.size.schema['maximum'] ?? PAGE))
  const ids = new Set<string>()
  const path = { ...intent.path, ...filledTexts(find.path, values) }
  for (let page = 0; page < MAX_PAGES; page++) {
    const exchange = await asker.ask(probeOf(operation, path, query, resource))
    if (exchange?.status !== 200) throw new Error(`its list cannot be read: ${reasonOf(exchange, asker)}`)
    const rows = rowsIn(list, exchange.body) ?? []
    for (const row of rows) {
      const id = (row as Record<string, unknown> | null)?.[find.id ?? 'id']
      if (id !== undefined && JSON.stringify(row).includes(run)) ids.add(textOf(id))
    }
    const size = Number(query[list.size?.name ?? ''] ?? rows.length)
    if (!list.position || list.position.kind === 'cursor' || rows.length === 0) break
    if (list.size && rows.length < size) break
    query[list.position.name] = String(
      list.position.kind === 'page' ? page + 2 : (page + 1) * Math.max(size, rows.length),
    )
  }
  return [...ids].slice(0, MAX_FOUND).map((id): Created => {
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

const unaskedFor = ({ isStopped }: Asker): string =>
  isStopped ? 'the run was stopped' : 'the budget was spent'

const reasonOf = (exchange: Exchange | null, asker: Asker): string =>
  exchange ? `the service answers ${String(exchange.status)}` : unaskedFor(asker)

const storyOf = (name: Intent['interface'], resource: string): Story | undefined =>
  STORIES[name].stories.find((story) => story.resource === resource)

const creationOf = ({ interface: name, resource, operation }: Intent): Creation | undefined =>
  storyOf(name, resource)?.steps.find((step) => step.operation === operation && step.creates)?.creates

const probeOf = (
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
  story: string,
): Probe => ({
  operation,
  path: Object.fromEntries(operation.inPath.map(({ name }) => [name, path[name] ?? ''])),
  query,
  purpose: { kind: 'step', story, step: 0 },
})
