/** Which tools a session has, and the workspace that it may be confined to. */
import type { Tool } from './mcpTools.ts'

export interface Scope {
  /** The only workspace that the session may call; null for all. */
  readonly workspace: string | null
  readonly isReadOnly: boolean
  readonly mayReset: boolean
}

/** Server-wide calls that reveal no workspace; a confined session is offered no other server-wide call. */
const HARMLESS = [
  'getHealth',
  'getLiveness',
  'getReadiness',
  'listTriggers',
  'listMachines',
  'getMachine',
  'listReadings',
  'getOpenapi',
  'getOpenapiOfInterface',
]

/** Calls of the whole server that name a workspace, by the place where they name it. */
const NAMING: Readonly<Record<string, 'query' | 'body'>> = { listKeys: 'query', createKey: 'body' }

/** The copy is another workspace, which the session could not reach. */
const LEADING_OUT = ['cloneWorkspace']

export function toolsWithin(tools: readonly Tool[], { workspace, isReadOnly, mayReset }: Scope): Tool[] {
  const offered = tools.filter(
    ({ name, isReading }) => (isReading || !isReadOnly) && (mayReset || name !== 'resetServer'),
  )
  return workspace === null ? offered : offered.flatMap((tool) => confined(tool, workspace))
}

function confined(tool: Tool, workspace: string): Tool[] {
  const { name, template } = tool
  if (LEADING_OUT.includes(name)) return []
  if (/\/workspaces\/\{id\}(?:\/|$)/.test(template)) return [boundBy(tool, 'id', workspace)]
  if (HARMLESS.includes(name)) return [tool]
  const place = NAMING[name]
  if (place === 'query') return [boundBy(tool, 'workspaceId', workspace)]
  return place === 'body' ? [boundInBody(tool, workspace)] : []
}

/** Its argument may be left out, and is this workspace. */
function boundBy(tool: Tool, argument: string, workspace: string): Tool {
  const { properties, required, ...schema } = tool.inputSchema
  return {
    ...tool,
    inputSchema: {
      ...schema,
      properties: { ...properties, [argument]: { type: 'string', enum: [workspace] } },
      required: required.filter((each) => each !== argument),
    },
    request: (args) => {
      mustBe(workspace, args[argument], argument)
      return tool.request({ ...args, [argument]: workspace })
    },
  }
}

function boundInBody(tool: Tool, workspace: string): Tool {
  return {
    ...tool,
    request: (args) => {
      const body = args['body'] as { readonly workspaceId?: unknown }
      mustBe(workspace, body.workspaceId, 'workspaceId')
      return tool.request({ ...args, body: { ...body, workspaceId: workspace } })
    },
  }
}

function mustBe(workspace: string, given: unknown, argument: string): void {
  if (given === undefined || given === workspace) return
  throw new Error(
    `This session is confined to the workspace ${workspace}; leave ${argument} out, or send ${workspace}.`,
  )
}
