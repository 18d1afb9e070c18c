/** The whole control plane of one simulator. */
import { Calling, type Body, type Query, type Schema } from './calling.ts'
import { variable } from './environment.ts'
import { SimulatorError } from './errors.ts'
import { NewWorkspace, Workspace, type InterfaceName } from './workspace.ts'

export interface ConnectOptions {
  /** What the simulator was started with as its `--admin-token`; that of SIM_ADMIN_TOKEN unless given. */
  readonly adminToken?: string | null
}

export class Workspaces {
  readonly #calling: Calling

  constructor(calling: Calling) {
    this.#calling = calling
  }

  /** A new one with a user and a key: empty, or with the fixtures "small" or "demo", or those of a snapshot. */
  async create(options: Body<'createWorkspace'> = {}): Promise<NewWorkspace> {
    return new NewWorkspace(this.#calling, await this.#calling.call('createWorkspace', { body: options }))
  }

  async list(): Promise<Schema<'Workspace'>[]> {
    return (await this.#calling.call('listWorkspaces')).data
  }

  /** One that is there, with a key of it that can do everything; makes such a key where it has none. */
  async get(id: string): Promise<Workspace> {
    const [settings, keys] = await Promise.all([
      this.#calling.call('getWorkspace', { path: { id } }),
      this.#calling.call('listKeys', { query: { workspaceId: id } }),
    ])
    const found = keys.data.find(canDoEverything)
    const { key } = found ?? (await this.#calling.call('createKey', { body: { workspaceId: id } }))
    return new Workspace(this.#calling, { ...settings, key })
  }

  async delete(id: string): Promise<void> {
    await this.#calling.call('deleteWorkspace', { path: { id } })
  }
}

const canDoEverything = ({ scopes, interfaces, expiresAt }: Schema<'Key'>): boolean =>
  scopes.includes('*') && interfaces.includes('*') && expiresAt === null

export class Machines {
  readonly #calling: Calling

  constructor(calling: Calling) {
    this.#calling = calling
  }

  async list(): Promise<Schema<'StateMachine'>[]> {
    return (await this.#calling.call('listMachines')).data
  }

  get(name: string): Promise<Schema<'StateMachine'>> {
    return this.#calling.call('getMachine', { path: { name } })
  }
}

/** One simulator, wherever it runs. */
export class SimulatorClient {
  /** "http://127.0.0.1:4012"; the interfaces are mounted below it. */
  readonly url: string
  /** The control plane: `url` and "/_sim". */
  readonly adminUrl: string
  /** What calls to the control plane carry; null when it is open. */
  readonly adminToken: string | null
  /** The same as `workspaces.create()`. */
  readonly createWorkspace: (options?: Body<'createWorkspace'>) => Promise<NewWorkspace>
  readonly #calling: Calling

  constructor(url: string, { adminToken = null }: ConnectOptions = {}) {
    this.#calling = new Calling(url, adminToken)
    this.url = this.#calling.url
    this.adminUrl = this.#calling.adminUrl
    this.adminToken = adminToken
    this.createWorkspace = (options) => this.workspaces.create(options)
  }

  get workspaces(): Workspaces {
    return new Workspaces(this.#calling)
  }

  get machines(): Machines {
    return new Machines(this.#calling)
  }

  /** Any operation of the control plane by its id: `call('getClock', {path: {id: 'demo'}})`. */
  get call(): Calling['call'] {
    return this.#calling.call.bind(this.#calling)
  }

  /** Every trigger, with the JSON Schemas of its body and its result. */
  async triggers(): Promise<Schema<'Trigger'>[]> {
    return (await this.#calling.call('listTriggers')).data
  }

  /**
   * Calls that belong to no workspace (an unknown or a missing key, an unknown path), the newest first; with `wait` as soon
   * as `count` are there.
   */
  async unmatched(
    options: Omit<Query<'listUnmatchedRequests'>, 'unmatched'> = {},
  ): Promise<Schema<'UnmatchedJournalEntry'>[]> {
    const query = { ...options, unmatched: true } as const
    return (await this.#calling.call('listUnmatchedRequests', { query })).data
  }

  /** The whole server is as it started. */
  async reset(): Promise<void> {
    await this.#calling.call('resetServer')
  }

  /** Throws a SimulatorError of the status 503 while the simulator can not be used. */
  health(): Promise<Schema<'Health'>> {
    return this.#calling.call('getHealth')
  }

  /** What all workspaces have met since the server started, those that are gone included. */
  coverage(): Promise<Schema<'Coverage'>>
  coverage(options: { readonly format: 'text' | 'mermaid' }): Promise<string>
  coverage(options: Query<'getServerCoverage'> = {}): Promise<unknown> {
    return this.#calling.call('getServerCoverage', { query: options })
  }

  /** Figures for Prometheus. */
  metrics(): Promise<string> {
    return this.#calling.call('getMetrics')
  }

  /** The OpenAPI 3.1 document of an interface or of the control plane, or of all interfaces. */
  openapi(name?: InterfaceName | 'control'): Promise<Record<string, unknown>> {
    return name === undefined
      ? this.#calling.call('getOpenapi')
      : this.#calling.call('getOpenapiOfInterface', { path: { interface: name } })
  }
}

const HERE = 'http://127.0.0.1:4012'

/**
 * Connects to a simulator that runs: at `url`, or where SUITE_SIM_URL says, or at http://127.0.0.1:4012. Throws a
 * SimulatorError of the code "unreachable" where nothing answers, and "unexpected_answer" where something else does.
 */
export async function connect(
  url: string = variable('SUITE_SIM_URL') ?? HERE,
  { adminToken = variable('SIM_ADMIN_TOKEN') ?? null }: ConnectOptions = {},
): Promise<SimulatorClient> {
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new TypeError(`connect(): ${url} must be a URL that starts with http:// or https://`)
  }
  const simulator = new SimulatorClient(url, { adminToken })
  const health: unknown = await simulator.call('getLiveness')
  if ((health as { readonly status?: unknown } | null)?.status !== 'ok') {
    throw new SimulatorError({
      code: 'unexpected_answer',
      message: `Something else than a simulator answers at ${url}.`,
    })
  }
  return simulator
}
