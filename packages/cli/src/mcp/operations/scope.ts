/** What a session may call, and what it is confined to. */
import { isControl } from '../shared/interfaces.ts'
import type { InterfaceOperation } from './operations.ts'

export interface Scope {
  /** The only workspace that the session can call; null for all. */
  readonly workspace: string | null
  readonly isReadOnly: boolean
  readonly mayReset: boolean
}

/** Server-wide calls that reveal no workspace. A confined session has no other server-wide calls. */
const SAFE_SERVER_CALLS = [
  'getHealth',
  'getLiveness',
  'getReadiness',
  'getAccess',
  'listTriggers',
  'listMachines',
  'getMachine',
  'listReadings',
  'getOpenapi',
  'getOpenapiOfInterface',
]

/** Server-wide calls with a workspace id in the query or in the body. */
const WORKSPACE_ID_IN: Readonly<Record<string, 'query' | 'body'>> = { listKeys: 'query', createKey: 'body' }

/** Calls that create another workspace, which a confined session could not reach. */
const CREATING_WORKSPACES = ['cloneWorkspace']

/** Returns why a session does not offer an operation, with the flag that says so; null if it offers it. */
export function refusalOf(
  operation: InterfaceOperation,
  { workspace, isReadOnly, mayReset }: Scope,
): string | null {
  if (isReadOnly && !operation.isReading)
    return 'This session is read-only (--read-only): it has only GET operations.'
  if (!isControl(operation)) return null
  if (workspace !== null && !isOfWorkspace(operation))
    return `This session is confined to the workspace ${workspace} (--workspace).`
  if (operation.name === 'resetServer' && !mayReset) return 'It needs a session with --allow-reset.'
  return null
}

const isOfWorkspace = (operation: InterfaceOperation): boolean =>
  !CREATING_WORKSPACES.includes(operation.name) &&
  (placeOfWorkspace(operation) !== null || SAFE_SERVER_CALLS.includes(operation.name))

interface Place {
  readonly place: 'path' | 'query' | 'body'
  readonly name: string
}

/** Returns where a call of the control plane has the id of its workspace; null if it has none. */
function placeOfWorkspace({ name, template }: InterfaceOperation): Place | null {
  if (/\/workspaces\/\{id\}(?:\/|$)/.test(template)) return { place: 'path', name: 'id' }
  const place = WORKSPACE_ID_IN[name]
  return place ? { place, name: 'workspaceId' } : null
}

/** Returns a call of the control plane with this workspace as the only value of its parameter, which is optional. */
export function confined(operation: InterfaceOperation, workspace: string): InterfaceOperation {
  const of = placeOfWorkspace(operation)
  if (!of) return operation
  return {
    ...operation,
    parameters: operation.parameters.map((each) =>
      each.in === of.place && each.name === of.name
        ? { name: each.name, in: each.in, schema: { type: 'string', enum: [workspace] } }
        : each,
    ),
    bound: { ...of, workspace },
  }
}
