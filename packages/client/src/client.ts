/** The client of a simulator's control plane. */
import { ControlPlaneClient, type Body, type Query, type Schema } from './calling.ts'
import { checkOptions, limitArguments } from './checking.ts'
import { DEFAULT_URL } from '@suite-sim/kit/defaultUrl'
import { variable } from './environment.ts'
import { brand } from './brand.ts'
import { SimulatorError } from './errors.ts'
import { deleteWorkspaces, listWorkspaces, throwIfMissing } from './shards.ts'
import { NewWorkspace, Workspace, type InterfaceName } from './workspace.ts'

export interface ConnectOptions {
  /**
   * The `--admin-token` of the simulator, or the `controlToken` of a workspace, which opens that workspace alone;
   * SIM_ADMIN_TOKEN by default.
   */
  readonly adminToken?: string | null
}

const CONNECT_OPTIONS = ['adminToken']

/** Labels of workspaces, by name. */
type Labels = Schema<'Workspace'>['labels']

export class Workspaces {
  readonly #calling: ControlPlaneClient

  constructor(calling: ControlPlaneClient) {
    this.#calling = calling
  }

  /** Creates a workspace with a user and a key: empty, or with the fixtures "small" or "demo", or a snapshot. */
  async create(options: Body<'createWorkspace'> = {}): Promise<NewWorkspace> {
    return new NewWorkspace(this.#calling, await this.#calling.call('createWorkspace', { body: options }))
  }

  /**
   * Lists all workspaces, or those with these labels: `list({ labels: { team: 'checkout' } })`; behind a proxy those of all
   * shards. Throws an error that names the shard if one does not answer.
   */
  async list(options: { readonly labels?: Labels } = {}): Promise<Schema<'Workspace'>[]> {
    checkOptions('workspaces.list()', options, ['labels'])
    const { labels = {} } = options
    const { data, missing } = await listWorkspaces(this.#calling, { label: labelTexts(labels) })
    throwIfMissing(missing)
    return data
  }

  /**
   * Returns an existing workspace with a key for all interfaces and scopes. Creates such a key if none
   * exists.
   */
  async get(id: string): Promise<Workspace> {
    const [settings, keys] = await Promise.all([
      this.#calling.call('getWorkspace', { path: { id } }),
      this.#calling.call('listWorkspaceKeys', { path: { id } }),
    ])
    const found = keys.data.find(hasFullAccess)
    const { key } = found ?? (await this.#calling.call('createWorkspaceKey', { path: { id } }))
    return new Workspace(this.#calling, { ...settings, key })
  }

  async delete(id: string): Promise<void> {
    await this.#calling.call('deleteWorkspace', { path: { id } })
  }

  /**
   * Deletes all workspaces with these labels, behind a proxy on all shards; returns their number. Refused without a label.
   * Throws an error that names the shard if one does not answer; the others have then deleted theirs.
   */
  deleteAll(labels: Labels): Promise<number> {
    return deleteWorkspaces(this.#calling, { label: labelTexts(labels) })
  }
}

const labelTexts = (labels: Labels): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`)

const hasFullAccess = ({ scopes, interfaces, expiresAt }: Schema<'Key'>): boolean =>
  scopes.includes('*') && interfaces.includes('*') && expiresAt === null

export class Machines {
  readonly #calling: ControlPlaneClient

  constructor(calling: ControlPlaneClient) {
    this.#calling = calling
  }

  async list(): Promise<Schema<'StateMachine'>[]> {
    return (await this.#calling.call('listMachines')).data
  }

  get(name: string): Promise<Schema<'StateMachine'>> {
    return this.#calling.call('getMachine', { path: { name } })
  }
}

/** A simulator in any process. */
export class SimulatorClient {
  /** "http://127.0.0.1:4012"; the interfaces are mounted below it. */
  readonly url: string
  /** The control plane: `url` and "/_sim". */
  readonly adminUrl: string
  /** The bearer token for the control plane; null if it needs none. */
  readonly adminToken: string | null
  /** The same as `workspaces.create()`. */
  readonly createWorkspace: (options?: Body<'createWorkspace'>) => Promise<NewWorkspace>
  readonly #calling: ControlPlaneClient

  constructor(url: string, options: ConnectOptions = {}) {
    checkOptions('new SimulatorClient()', options, CONNECT_OPTIONS)
    const { adminToken = null } = options
    this.#calling = new ControlPlaneClient(url, adminToken)
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

  /** Calls any operation of the control plane by id: `call('getClock', {path: {id: 'demo'}})`. */
  get call(): ControlPlaneClient['call'] {
    return this.#calling.call.bind(this.#calling)
  }

  /** Lists all triggers, with the JSON Schemas of body and result. */
  async triggers(): Promise<Schema<'Trigger'>[]> {
    return (await this.#calling.call('listTriggers')).data
  }

  /**
   * Lists calls without a workspace (unknown or missing key, unknown path), newest first; with `wait`, as
   * soon as `count` exist.
   */
  async unmatched(
    options: Omit<Query<'listUnmatchedRequests'>, 'unmatched'> = {},
  ): Promise<Schema<'UnmatchedJournalEntry'>[]> {
    const query = { ...options, unmatched: true } as const
    return (await this.#calling.call('listUnmatchedRequests', { query })).data
  }

  /** Lists the readings: where the specification can be read in several ways. */
  async readings(): Promise<Schema<'Reading'>[]> {
    return (await this.#calling.call('listReadings')).data
  }

  /** Returns what the server follows of the overlay of `--observed`, and the entries that it ignores. */
  async observed(): Promise<Schema<'Observations'>> {
    return await this.#calling.call('listObserved')
  }

  /** Resets the whole server to its state at the start. */
  async reset(): Promise<void> {
    await this.#calling.call('resetServer')
  }

  /** Returns what the token of this client opens: the whole server, or one workspace. */
  access(): Promise<Schema<'Access'>> {
    return this.#calling.call('getAccess')
  }

  /**
   * Copies the database and its stored files, as they are at one instant, into a new or empty directory of the machine
   * of the server: an absolute path. Only for programs on that machine.
   */
  backup(directory: string): Promise<Schema<'Backup'>> {
    return this.#calling.call('backUp', { body: { directory } })
  }

  /** Returns the health; throws a SimulatorError with status 503 while the simulator is unavailable. */
  health(): Promise<Schema<'Health'>> {
    return this.#calling.call('getHealth')
  }

  /** Returns the health like `health()`, from the address for readiness probes. */
  ready(): Promise<Schema<'Health'>> {
    return this.#calling.call('getReadiness')
  }

  /** Returns the coverage of all workspaces since the start of the server, including deleted ones. */
  coverage(): Promise<Schema<'Coverage'>>
  coverage(options: { readonly format: 'text' | 'mermaid' }): Promise<string>
  coverage(options: Query<'getServerCoverage'> = {}): Promise<unknown> {
    return this.#calling.call('getServerCoverage', { query: options })
  }

  /** Returns the metrics for Prometheus. */
  metrics(): Promise<string> {
    return this.#calling.call('getMetrics')
  }

  /** Returns the OpenAPI 3.1 document of an interface, of the control plane, or of all interfaces. */
  openapi(name?: InterfaceName | 'control'): Promise<Record<string, unknown>> {
    return name === undefined
      ? this.#calling.call('getOpenapi')
      : this.#calling.call('getOpenapiOfInterface', { path: { interface: name } })
  }
}

brand(SimulatorClient)
limitArguments('workspaces', Workspaces.prototype, { create: 1, list: 1, get: 1, delete: 1, deleteAll: 1 })
limitArguments('machines', Machines.prototype, { list: 0, get: 1 })
limitArguments('simulator', SimulatorClient.prototype, {
  triggers: 0,
  unmatched: 1,
  reset: 0,
  access: 0,
  backup: 1,
  health: 0,
  ready: 0,
  coverage: 1,
  metrics: 0,
  openapi: 1,
})

/**
 * Connects to a running simulator: at `url`, at SUITE_SIM_URL, or at http://127.0.0.1:4012. Throws a
 * SimulatorError with the code "unreachable" if no server responds, or "unexpected_answer" if another server
 * does.
 */
export async function connect(
  url: string = variable('SUITE_SIM_URL') ?? DEFAULT_URL,
  options: ConnectOptions = {},
): Promise<SimulatorClient> {
  checkOptions('connect()', options, CONNECT_OPTIONS)
  const { adminToken = variable('SIM_ADMIN_TOKEN') ?? null } = options
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new TypeError(`connect(): ${url} must be a URL that starts with http:// or https://`)
  }
  const simulator = new SimulatorClient(url, { adminToken })
  const health: unknown = await simulator.call('getLiveness')
  if ((health as { readonly status?: unknown } | null)?.status !== 'ok') {
    throw new SimulatorError({
      code: 'unexpected_answer',
      message: `The server at ${url} is not a simulator.`,
    })
  }
  return simulator
}
