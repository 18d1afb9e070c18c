/** What the token of this tab opens. A control token opens one workspace, so the page leaves out the rest of the server. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { listWorkspaces } from '@suite-sim/client/shards'
import { noteShards, server, type Workspace } from './server.ts'

interface Opened {
  readonly workspaces: readonly Workspace[]
  /** The shards that did not answer. */
  readonly missing: readonly { readonly shard: string }[]
  readonly isConfined: boolean
}

/** Returns the workspaces that the token opens. */
export async function loadWorkspaces(): Promise<Opened> {
  const { workspaceId: id } = await server().call('getAccess')
  if (id !== null) {
    const workspace = await server().call('getWorkspace', { path: { id } })
    return { workspaces: [workspace], missing: [], isConfined: true }
  }
  const { data: workspaces, shardOf, missing } = await listWorkspaces(server())
  noteShards(shardOf)
  return { workspaces, missing, isConfined: false }
}

const ConfinedContext = createContext(false)

export const ConfinedProvider = ConfinedContext.Provider

/** Returns true if the token opens one workspace, and no calls of the server. */
export const useIsConfined = (): boolean => useContext(ConfinedContext)
