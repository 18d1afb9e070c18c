/** The workspaces of several servers behind one proxy (docs/shards.md). */
import type { ControlPlaneClient, Schema } from './calling.ts'
import { SimulatorError } from './errors.ts'
import { abortAfter } from './globals.ts'

/** A shard that restarts keeps its calls waiting in the proxy. */
const PATIENCE_SECONDS = 5

/** Returns a signal that ends a call to a shard that does not answer. */
export const shardTimeout = (): AbortSignal => abortAfter(PATIENCE_SECONDS * 1000)

interface List {
  readonly data: Schema<'Workspace'>[]
  readonly shard?: string
}

interface Labeled {
  readonly label?: readonly string[]
}

export interface MissingShard {
  readonly shard: string
  /** Its message names the shard. */
  readonly error: SimulatorError
}

export interface ListedWorkspaces {
  readonly data: Schema<'Workspace'>[]
  /** The shard of each workspace by its id; empty without shards. */
  readonly shardOf: ReadonlyMap<string, string>
  /** The shards that did not answer, in the order of their names. */
  readonly missing: readonly MissingShard[]
}

/**
 * Returns the workspaces of the server, or of all shards if a proxy names them in `X-Sim-Shards`. Throws if the first call
 * fails; `signal` ends only that call.
 */
export async function listWorkspaces(
  calling: ControlPlaneClient,
  query: Labeled = {},
  signal?: AbortSignal,
): Promise<ListedWorkspaces> {
  const first = await listAt(calling, query, signal)
  const names = first.shards.filter((name) => name !== first.shard)
  const { values, missing } = await ofEach(names, (shard) =>
    listAt(calling, { ...query, shard }, shardTimeout()),
  )
  const lists = [first, ...values]
  const pairs = lists.flatMap(({ data, shard }) =>
    shard === undefined ? [] : data.map(({ id }) => [id, shard] as const),
  )
  return { data: lists.flatMap(({ data }) => data), shardOf: new Map(pairs), missing }
}

/** Deletes the workspaces with these labels on all shards; returns their number. Throws if a shard fails. */
export async function deleteWorkspaces(
  calling: ControlPlaneClient,
  query: Required<Labeled>,
): Promise<number> {
  const deleteAt = async (at: Readonly<Record<string, string>>): Promise<number> => {
    const answer = await calling.send('deleteWorkspaces', { query: { ...query, ...at } })
    return ((await answer.json()) as Schema<'DeletedWorkspaces'>).count
  }
  // Without a label, the server refuses the call.
  const names = query.label.length === 0 ? [] : (await listAt(calling, query)).shards
  if (names.length === 0) return deleteAt({})
  // No timeout: a deletion that was sent goes on, and its number would be lost.
  const { values, missing } = await ofEach(names, (shard) => deleteAt({ shard }))
  const count = values.reduce((sum, each) => sum + each, 0)
  throwIfMissing(missing, `Workspaces deleted on the other shards: ${String(count)}.`)
  return count
}

/** Throws one error that names all missing shards. */
export function throwIfMissing(missing: readonly MissingShard[], ...notes: readonly string[]): void {
  const [first] = missing
  if (first === undefined) return
  const { code, status, details, cause } = first.error
  const message = [...missing.map(({ error }) => error.message), ...notes].join(' ')
  throw new SimulatorError({ code, status, details, cause, message })
}

/** Returns the list of one server, its name, and all shards that its proxy names. */
async function listAt(
  calling: ControlPlaneClient,
  query: Labeled & { readonly shard?: string },
  signal?: AbortSignal,
): Promise<List & { readonly shards: readonly string[] }> {
  const response = await calling.send('listWorkspaces', { query: { ...query }, signal })
  const shards = (response.headers.get('x-sim-shards') ?? '').split(',').map((name) => name.trim())
  return { ...parseList(await response.text(), calling.url), shards: shards.filter((name) => name !== '') }
}

function parseList(text: string, url: string): List {
  try {
    const list = JSON.parse(text) as Partial<List> | null
    if (list?.data) return { ...list, data: list.data }
  } catch {
    // The error below says the same.
  }
  throw new SimulatorError({ code: 'unexpected_answer', message: `The server at ${url} is not a simulator.` })
}

/** Calls all shards at once. */
async function ofEach<Value>(
  names: readonly string[],
  call: (shard: string) => Promise<Value>,
): Promise<{ values: Value[]; missing: MissingShard[] }> {
  const values: Value[] = []
  const missing: MissingShard[] = []
  const results = await Promise.allSettled(names.map(call))
  for (const [index, result] of results.entries()) {
    const shard = names[index] ?? ''
    if (result.status === 'fulfilled') values.push(result.value)
    else missing.push({ shard, error: shardError(shard, result.reason) })
  }
  return { values, missing }
}

function shardError(shard: string, cause: unknown): SimulatorError {
  if (!(cause instanceof SimulatorError)) {
    const isTimeout = (cause as Error).name === 'TimeoutError'
    const reason = isTimeout ? ` within ${String(PATIENCE_SECONDS)} seconds` : `: ${String(cause)}`
    const code = isTimeout ? 'timeout' : 'unreachable'
    return new SimulatorError({ code, message: `Shard ${shard} does not answer${reason}.`, cause })
  }
  const { code, status, details } = cause
  const isProxy = code === 'unexpected_answer' && status !== null
  const message = isProxy
    ? `Shard ${shard} does not answer: the proxy answered ${String(status)}.`
    : `Shard ${shard}: ${cause.message}`
  return new SimulatorError({ code, status, details, message, cause })
}
