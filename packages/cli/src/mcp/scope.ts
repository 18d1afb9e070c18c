/** Selects the tools of a session, and confines them to one workspace if requested. */
import type { Tool } from './shared/tools.ts'

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

export function toolsWithin(tools: readonly Tool[], { workspace, isReadOnly, mayReset }: Scope): Tool[] {
  const offered = tools.filter(
    ({ name, isReading }) => (isReading || !isReadOnly) && (mayReset || name !== 'resetServer'),
  )
  return workspace === null ? offered : offered.flatMap((tool) => confine(tool, workspace))
}

function confine(tool: Tool, workspace: string): Tool[] {
  const { name, template } = tool
  if (CREATING_WORKSPACES.includes(name)) return []
  if (/\/workspaces\/\{id\}(?:\/|$)/.test(template)) return [bindArgument(tool, 'id', workspace)]
  if (SAFE_SERVER_CALLS.includes(name)) return [tool]
  const location = WORKSPACE_ID_IN[name]
  if (location === 'query') return [bindArgument(tool, 'workspaceId', workspace)]
  return location === 'body' ? [bindBody(tool, workspace)] : []
}

/** Makes the argument optional, with this workspace as its only value. */
function bindArgument(tool: Tool, argument: string, workspace: string): Tool {
  const { properties, required, ...schema } = tool.inputSchema
  return {
    ...tool,
    inputSchema: {
      ...schema,
      properties: { ...properties, [argument]: { type: 'string', enum: [workspace] } },
      required: required.filter((each) => each !== argument),
    },
    request: (args) => {
      mustEqual(workspace, args[argument], argument)
      return tool.request({ ...args, [argument]: workspace })
    },
  }
}

function bindBody(tool: Tool, workspace: string): Tool {
  return {
    ...tool,
    request: (args) => {
      const body = args['body'] as { readonly workspaceId?: unknown }
      mustEqual(workspace, body.workspaceId, 'workspaceId')
      return tool.request({ ...args, body: { ...body, workspaceId: workspace } })
    },
  }
}

function mustEqual(workspace: string, value: unknown, argument: string): void {
  if (value === undefined || value === workspace) return
  throw new Error(
    `This session is confined to the workspace ${workspace}. Omit ${argument}, or set it to ${workspace}.`,
  )
}
