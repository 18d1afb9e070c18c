/** `suite-sim mcp`: serves the control plane and the interfaces to agents over standard input and output. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { io } from '@suite-sim/kit/terminal/io'
import { CALLER, CALLER_RULE } from '@suite-sim/kit/calls/callerName'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { VERSION } from '@suite-sim/kit/version'
import { type Remote, pathOf, remoteOf } from '@suite-sim/kit/terminal/remote'
import { exit } from '@suite-sim/kit/terminal/pipes'
import { UsageError } from '@suite-sim/kit/terminal/problem'
import type { ServerSettings } from '@suite-sim/kit/terminal/settings'
import type { Document } from './shared/document.ts'
import { instructionsFor } from './instructions.ts'
import { SessionKeys } from './keys.ts'
import type { Interface } from './operations/operations.ts'
import type { OperationCalls } from './operations/operationTools.ts'

/** The docs pages, which the build copies next to the bundle. */
const PAGES = fileURLToPath(new URL('./docs', import.meta.url))

/** `control`: the control plane. `search`: three tools for all operations. `operations`: a tool for each operation. */
export const TOOL_GROUPS = ['control', 'search', 'operations'] as const

export const DEFAULT_TOOLS: readonly string[] = ['control', 'search']

/** The workspace of a session that names none, as for all commands. */
const DEFAULT_WORKSPACE = 'demo'

interface McpSettings extends ServerSettings {
  /** The only workspace that the session can call. */
  readonly workspace?: string
  readonly readOnly?: boolean
  readonly allowReset?: boolean
  readonly tools?: readonly string[]
  readonly interface?: readonly string[]
  readonly scopes?: readonly string[]
  readonly session?: string
}

export async function mcp(settings: McpSettings): Promise<void> {
  checkSettings(settings)
  const { tools = DEFAULT_TOOLS, readOnly = false, allowReset = false, scopes, interface: names } = settings
  const hasControl = tools.includes('control')
  const workspace = settings.workspace ?? (hasControl ? null : DEFAULT_WORKSPACE)
  const remote = remoteOf(settings)
  // Fails with one line if the server or the workspace does not exist.
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as { interfaces: Interface[] }
  const control = hasControl ? await controlOf(remote) : null
  const found = workspace === null ? null : await remote.call<{ accountId: number }>('GET', pathOf(workspace))
  const chosen = chosenInterfaces(interfaces, names)
  const keys = new SessionKeys(remote, {
    ...(scopes && { scopes }),
    ...(names && { interfaces: chosen.map(({ name }) => name) }),
  })
  const session = new Session(settings.session)
  const { serveTools } = await import('./mcpServer.ts')
  const serve = async (stopped: Promise<unknown>): Promise<'end'> => {
    // A wrong scope is refused at the start.
    if (scopes && workspace !== null) await keys.of(workspace)
    await serveTools({
      version: VERSION,
      instructions: instructionsFor({
        workspace,
        isReadOnly: readOnly,
        tools,
        interfaces: chosen,
        accountId: found?.accountId ?? null,
      }),
      control: control && {
        ...control,
        scope: { workspace, isReadOnly: readOnly, mayReset: allowReset },
        ask: (method, path, body) => remote.ask(method, path, body),
      },
      interfaces: tools.some((each) => each !== 'control')
        ? {
            chosen,
            isReadOnly: readOnly,
            hasSearch: tools.includes('search'),
            hasOperations: tools.includes('operations'),
            read: (name) => documentOf(remote, name),
            calls: callsOf(remote, keys, session, { workspace, hasControl }),
          }
        : null,
      resources: resourcesOf(remote, chosen, hasControl),
      opened: (client) => {
        session.open(client)
      },
      stopped,
    })
    return 'end'
  }
  // From the first key on, because the end deletes it. Before, a signal ends the process as usual.
  const stopped = stopSignal()
  let reason: 'end' | 'signal'
  try {
    reason = await Promise.race([serve(stopped), stopped])
  } finally {
    for (const message of await keys.close()) io().stderr.write(`suite-sim: ${message}\n`)
  }
  // A server that does not answer would keep the process alive.
  if (reason === 'signal') await exit()
}

const stopSignal = (): Promise<'signal'> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      io().once(signal, () => {
        resolve('signal')
      })
    }
  })

function checkSettings({
  workspace,
  readOnly,
  allowReset,
  tools,
  scopes,
  session,
  ...rest
}: McpSettings): void {
  const groups = tools ?? DEFAULT_TOOLS
  const unknown = groups.find((each) => !TOOL_GROUPS.some((group) => group === each))
  if (unknown !== undefined) {
    throw new UsageError(`--tools must be one or more of ${TOOL_GROUPS.join(', ')}; it has ${unknown}`)
  }
  const hasControl = groups.includes('control')
  const hasInterfaces = groups.some((each) => each !== 'control')
  if (allowReset === true && (workspace !== undefined || readOnly === true)) {
    throw new UsageError(
      '--allow-reset must be used without --workspace and --read-only, because it lets agents reset the whole server',
    )
  }
  if (allowReset === true && !hasControl)
    throw new UsageError('--allow-reset must be used with --tools control')
  if (scopes && hasControl && workspace === undefined) {
    throw new UsageError('--scopes must be used with --workspace, or without --tools control')
  }
  if ((scopes ?? rest.interface) && !hasInterfaces) {
    throw new UsageError('--scopes and --interface must be used with --tools search or operations')
  }
  if (session !== undefined && !CALLER.test(session)) throw new UsageError(`--session must be ${CALLER_RULE}`)
}

async function controlOf(remote: Remote) {
  const document = await remote.call<Document>('GET', '/openapi/control.json')
  const { data: triggers } = await remote.call<{ data: { name: string }[] }>('GET', '/triggers')
  return { document, triggers }
}

function chosenInterfaces(
  interfaces: readonly Interface[],
  names: readonly string[] | undefined,
): readonly Interface[] {
  const known = interfaces.map(({ name }) => name)
  const unknown = names?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = nearestName(unknown, known)
    const hint = near === null ? `the interfaces are ${known.join(', ')}` : `did you mean ${near}?`
    throw new UsageError(`there is no interface ${unknown}; ${hint}`)
  }
  return names ? interfaces.filter(({ name }) => names.includes(name)) : interfaces
}

const documentOf = (remote: Remote, name: string): Promise<Document> =>
  remote.call<Document>('GET', `/openapi/${name}.json`)

/** The name of a session in the journal: that of the flag, or that of the client with the time and the process. */
class Session {
  #name: string

  constructor(name: string | undefined) {
    this.#name = name ?? ''
  }

  get name(): string {
    if (this.#name === '') this.open('')
    return this.#name
  }

  open(client: string): void {
    if (this.#name === '') {
      const known = client.replaceAll(/[^\w.-]+/g, '-').slice(0, 50) || 'mcp'
      const time = iso(systemNow()).replaceAll(/[-:]|\.\d+Z/g, '')
      this.#name = `${known}-${time}-${String(process.pid)}`
    }
    io().stderr.write(`suite-sim: the calls of this session have the caller ${this.#name} in the journal\n`)
  }
}

function callsOf(
  remote: Remote,
  keys: SessionKeys,
  session: Session,
  { workspace, hasControl }: { readonly workspace: string | null; readonly hasControl: boolean },
): OperationCalls {
  return {
    workspace,
    defaultWorkspace: workspace ?? DEFAULT_WORKSPACE,
    caller: () => session.name,
    keyOf: (id) => keys.of(id),
    renew: (id, key) => keys.renew(id, key),
    send: ({ path, init }) => remote.send(path, init),
    // An agent that is evaluated sees what the interfaces answer, and no more.
    hintsOf: hasControl
      ? async (id, request) => {
          const { status, text } = await remote.ask('GET', `/_sim${pathOf(id)}/requests/${request}`)
          if (status >= 400) return []
          return (JSON.parse(text) as { hints: { code: string; message: string }[] }).hints
        }
      : null,
  }
}

function resourcesOf(remote: Remote, interfaces: readonly Interface[], hasControl: boolean) {
  const documents = [...(hasControl ? ['control'] : []), ...interfaces.map(({ name }) => name)]
  return [
    ...(hasControl
      ? [
          {
            uri: 'suite-sim://llms.txt',
            name: 'llms.txt',
            mimeType: 'text/plain',
            read: async () => (await remote.ask('GET', '/llms.txt')).text,
          },
        ]
      : []),
    ...documents.map((name) => ({
      uri: `suite-sim://openapi/${name}.json`,
      name: `OpenAPI of ${name}`,
      mimeType: 'application/json',
      read: () => remote.text('GET', `/openapi/${name}.json`),
    })),
    ...(hasControl ? readPages() : []),
  ]
}

const readPages = () =>
  readdirSync(PAGES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      uri: `suite-sim://docs/${name}`,
      name,
      mimeType: 'text/markdown',
      read: async () => readFileSync(`${PAGES}/${name}`, 'utf8'),
    }))
