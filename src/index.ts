/**
 * The simulator inside a test suite's own process: nothing to install, no port to agree on, nothing left behind.
 *
 * ```ts
 * const simulator = await startSimulator()
 * const { key } = await simulator.createWorkspace({ fixtures: 'demo' })
 * await fetch(`${simulator.url}/workspace/public/v1/products`, { headers: { authorization: `Bearer ${key}` } })
 * await simulator.close()
 * ```
 *
 * This file describes all that it exports by itself: its declarations are made from it alone.
 */
import { fileURLToPath } from 'node:url'

/** Lies beside the bundle. */
const HEAVY_THREAD: string = fileURLToPath(new URL('./heavy-thread.cjs', import.meta.url))

/** How the simulator starts; all that is left out has a value that suits tests. */
export interface SimulatorOptions {
  /** The database file; ":memory:" (the default) keeps nothing. */
  readonly db?: string
  /** What it starts with: "demo" (the default), "none" or a fixture file. */
  readonly fixtures?: string
  /** The port of 127.0.0.1; 0 (the default) picks a free one. */
  readonly port?: number
  /** What calls to the control plane must carry as their bearer token; none by default, one is made up with `publicUrl`. */
  readonly adminToken?: string
  /** Where the simulator is reached, when that is not where it listens: "https://sim.example.com". */
  readonly publicUrl?: string
  /** Makes ids follow from this text: the same calls, the same ids. */
  readonly seed?: string
  /** Hosts beside the loopback ones that webhooks may be sent to over plain http; "*" is all. */
  readonly webhookHttpHosts?: readonly string[]
  /** Whether calls beyond the rate limits of the interfaces answer 429; they do by default. */
  readonly rateLimits?: boolean
  /** Addresses and networks of proxies that are believed when they say for whom they ask (X-Forwarded-For); none. */
  readonly trustedProxies?: readonly string[]
  /** Origins of browser apps that may call the interfaces: "http://localhost:5173"; "*" is all, none by default. */
  readonly cors?: readonly string[]
}

/** What a new workspace is made of; see `POST /_sim/workspaces`. */
export interface WorkspaceOptions {
  readonly name?: string
  /** "none" (the default), "demo", or a snapshot as `GET /_sim/workspaces/{id}/snapshot` answers it. */
  readonly fixtures?: 'none' | 'small' | 'demo' | Readonly<Record<string, unknown>>
  /** ISO 4217. */
  readonly currency?: string
  /** An IANA name: "America/Panama". */
  readonly timezone?: string
}

/** A workspace of its own for a test: it sees nothing of any other. */
export interface SimulatorWorkspace {
  readonly id: string
  /** Serves all interfaces, with all scopes. */
  readonly key: string
  /** The account number of the conversations interface. */
  readonly accountId: number
  readonly currency: string
  readonly timezone: string
  /** The user that the key belongs to. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
}

/** A simulator that runs. */
export interface Simulator {
  /** "http://127.0.0.1:49152"; the interfaces are mounted below it. */
  readonly url: string
  /** The control plane: `url` and "/_sim". */
  readonly adminUrl: string
  /** The key of the workspace that the fixture made; null with the fixtures "none". */
  readonly key: string | null
  /** What calls to the control plane must carry; null when it is open. */
  readonly adminToken: string | null
  createWorkspace(options?: WorkspaceOptions): Promise<SimulatorWorkspace>
  /** Lets what is in flight end, for five seconds at most, and stops. */
  close(): Promise<void>
}

const OPTIONS: Readonly<Record<keyof SimulatorOptions, (value: unknown) => string | null>> = {
  db: isText,
  fixtures: isText,
  port: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
      ? null
      : 'must be a whole number from 0 to 65535',
  adminToken: isText,
  publicUrl: (value) =>
    typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value)
      ? null
      : 'must be a URL that starts with http:// or https://',
  seed: isText,
  webhookHttpHosts: areTexts,
  rateLimits: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  trustedProxies: areTexts,
  cors: areTexts,
}

function isText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? null : 'must be a text that is not empty'
}

function areTexts(value: unknown): string | null {
  return Array.isArray(value) && value.every((each) => isText(each) === null)
    ? null
    : 'must be a list of texts'
}

/** Throws where an option is not known or has a value that it cannot have. */
function mustBeOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new TypeError(
        `startSimulator() knows no option ${name}; its options are ${Object.keys(OPTIONS).join(', ')}`,
      )
    }
    const problem = value === undefined ? null : OPTIONS[name as keyof SimulatorOptions](value)
    if (problem !== null) throw new TypeError(`startSimulator(): ${name} ${problem}`)
  }
}

/** Starts a simulator; throws an error with a one-line message when the database, fixture or port can't be used. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  mustBeOptions(options)
  const { buildApp, madeUpToken } = await import('./app.ts')
  const { port = 0, ...rest } = options
  const where = { host: '127.0.0.1', port }
  const adminToken = options.adminToken ?? madeUpToken({ ...options, ...where })
  const app = await buildApp({ fixtures: 'demo', ...rest, adminToken, heavyThread: HEAVY_THREAD })
  const url = await app.listen(where).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  const adminUrl = `${url}/_sim`
  return {
    url,
    adminUrl,
    key: app.demoKey,
    adminToken,
    createWorkspace: (wanted = {}) => createWorkspace(adminUrl, adminToken, wanted),
    close: () => app.close(),
  }
}

async function createWorkspace(
  adminUrl: string,
  adminToken: string | null,
  wanted: WorkspaceOptions,
): Promise<SimulatorWorkspace> {
  const response = await fetch(`${adminUrl}/workspaces`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(adminToken !== null && { authorization: `Bearer ${adminToken}` }),
    },
    body: JSON.stringify(wanted),
  })
  const body: unknown = await response.json()
  if (response.status !== 201) throw new Error((body as { error: { message: string } }).error.message)
  const { workspace, user, key } = body as {
    workspace: Pick<SimulatorWorkspace, 'id' | 'accountId' | 'currency' | 'timezone'>
    user: SimulatorWorkspace['user']
    key: string
  }
  const { id, accountId, currency, timezone } = workspace
  return { id, key, accountId, currency, timezone, user }
}
