/** The workspaces of several servers behind one proxy (docs/shards.md). */
import type { ControlPlaneClient, Schema } from './calling.ts'

/** A shard that restarts keeps its calls waiting in the proxy. */
const PATIENCE_MS = 5000

interface List {
  readonly data: Schema<'Workspace'>[]
  readonly shard?: string
}

export interface ListedWorkspaces {
  readonly data: Schema<'Workspace'>[]
  /** The shards that did not answer, with their errors. */
  readonly missing: readonly { readonly shard: string; readonly error: unknown }[]
}

/** Returns the workspaces of the server, or of all shards if a proxy names them in `X-Sim-Shards`. */
export async function listWorkspaces(
  calling: ControlPlaneClient,
  query: { readonly label?: readonly string[] } = {},
): Promise<ListedWorkspaces> {
  const first = await calling.send('listWorkspaces', { query })
  const { data, shard: own } = (await first.json()) as List
  const names = (first.headers.get('x-sim-shards') ?? '').split(',').map((name) => name.trim())
  const missing: { readonly shard: string; readonly error: unknown }[] = []
  const others = await Promise.all(
    names
      .filter((name) => name !== '' && name !== own)
      .map(async (shard) => {
        try {
          const signal = AbortSignal.timeout(PATIENCE_MS)
          const list = await calling.send('listWorkspaces', { query: { ...query, shard }, signal })
          return ((await list.json()) as List).data
        } catch (error) {
          missing.push({ shard, error })
          return []
        }
      }),
  )
  return { data: [data, ...others].flat(), missing }
}
