/** What the token of this tab opens. A control token opens one workspace, so the page leaves out the rest of the server. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { server, type Workspace } from './server.ts'

interface Opened {
  readonly workspaces: readonly Workspace[]
  readonly isConfined: boolean
}

/** Returns the workspaces that the token opens. */
export async function loadWorkspaces(): Promise<Opened> {
  const { workspaceId: id } = await server().call('getAccess')
  return id === null
    ? { workspaces: (await server().call('listWorkspaces')).data, isConfined: false }
    : { workspaces: [await server().call('getWorkspace', { path: { id } })], isConfined: true }
}

const ConfinedContext = createContext(false)

export const ConfinedProvider = ConfinedContext.Provider

/** Returns true if the token opens one workspace, and no calls of the server. */
export const useIsConfined = (): boolean => useContext(ConfinedContext)
