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
import type { Control, Trigger } from './control.ts'
import { instructionsFor } from './instructions.ts'
import { SessionKeys } from './keys.ts'
import { CONTROL, type Interface } from './shared/interfaces.ts'
import type { OperationCalls } from './operations/operationTools.ts'

/** The docs pages, which the build copies next to the bundle. */
const PAGES = fileURLToPath(new URL('./docs', import.meta.url))

/** `search`: the tools that find, describe and call operations. `all`: also a tool for each operation. */
export const TOOLS = ['search', 'all'] as const

/** The workspace of a session that names none, as for all commands. */
const DEFAULT_WORKSPACE = 'demo'

interface McpSettings extends ServerSettings {
  /** The only workspace that the session can call. */
  readonly workspace?: string
  readonly readOnly?: boolean
  readonly allowReset?: boolean
  readonly tools: string
  readonly interface?: readonly string[]
  readonly scopes?: readonly string[]
  readonly session?: string
}

export async function mcp(settings: McpSettings): Promise<void> {
  checkSettings(settings)
  const { readOnly = false, allowReset = false, scopes, interface: names } = settings
  const hasControl = hasControlIn(settings)
  const workspace = settings.workspace ?? (hasControl ? null : DEFAULT_WORKSPACE)
  const remote = remoteOf(settings)
  // Fails with one line if the server or the workspace does not exist.
  const { interfaces } = JSON.parse((await remote.ask('GET', '/')).text) as { interfaces: Interface[] }
  const control = hasControl ? await controlOf(remote) : null
  const found = workspace === null ? null : await remote.call<{ accountId: number }>('GET', pathOf(workspace))
  const chosen = chosenInterfaces([...interfaces, CONTROL], names)
  // The operations of all interfaces are more tools than clients accept.
  const single = settings.tools === 'all' ? (names ?? [CONTROL.name]) : []
  const keys = new SessionKeys(remote, {
    ...(scopes && { scopes }),
    ...(names && { interfaces: chosen.map(({ name }) => name).filter((name) => name !== CONTROL.name) }),
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
        interfaces: chosen,
        single,
        accountId: found?.accountId ?? null,
      }),
      interfaces: chosen,
      scope: { workspace, isReadOnly: readOnly, mayReset: allowReset },
      single,
      control,
      read: (name) => documentOf(remote, name),
      calls: callsOf(remote, keys, session, { workspace, hasControl }),
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

const hasControlIn = ({ interface: names }: McpSettings): boolean => names?.includes(CONTROL.name) ?? true

function checkSettings(settings: McpSettings): void {
  const { workspace, readOnly, allowReset, tools, scopes, session, interface: names } = settings
  const hasControl = hasControlIn(settings)
  if (!TOOLS.some((each) => each === tools)) {
    throw new UsageError(
      `--tools must be ${TOOLS.join(' or ')}; it was ${tools}. Choose what the session reaches with --interface, such as control,crm`,
    )
  }
  if (allowReset === true && (workspace !== undefined || readOnly === true)) {
    throw new UsageError(
      '--allow-reset must be used without --workspace and --read-only, because it lets agents reset the whole server',
    )
  }
  if (allowReset === true && !hasControl)
    throw new UsageError('--allow-reset must be used with control in --interface')
  if (scopes && hasControl && workspace === undefined) {
    throw new UsageError('--scopes must be used with --workspace, or with --interface without control')
  }
  if (scopes && names?.every((each) => each === CONTROL.name) === true) {
    throw new UsageError('--scopes must be used with other interfaces than control in --interface')
  }
  if (session !== undefined && !CALLER.test(session)) throw new UsageError(`--session must be ${CALLER_RULE}`)
}

async function controlOf(remote: Remote): Promise<Control> {
  const document = await remote.call<Document>('GET', '/openapi/control.json')
  const { data: triggers } = await remote.call<{ data: Trigger[] }>('GET', '/triggers')
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
    control: ({ method, path, body }) => remote.ask(method, path, body),
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
    ...interfaces.map(({ name }) => ({
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
