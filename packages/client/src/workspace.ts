/** One workspace, isolated from all others. */
import type {
  Arguments,
  Body,
  ControlPlaneClient,
  OperationId,
  Query,
  Result,
  Schema,
  Server,
} from './calling.ts'
import { INTERFACES, type Triggers } from './generated/control.ts'
import { limitArguments } from './checking.ts'
import { brand } from './brand.ts'
import { SimulatorError } from './errors.ts'
import { fetch } from './globals.ts'
import { Deliveries, Emails, Inbox, requestsOf, type Requests, type SectionName } from './messages.ts'
import { nearestName } from '@suite-sim/kit/text/nearestName'
import {
  Clock,
  Faults,
  Recordings,
  Records,
  Snapshots,
  StartedRecording,
  Subscriptions,
  Users,
  WorkspaceKeys,
} from './parts.ts'
import { checkPath } from './path.ts'
import { TimelineStream, type StreamOptions } from './stream.ts'

export type InterfaceName = keyof typeof INTERFACES
export type TriggerName = keyof Triggers

type TriggerBody<Name extends TriggerName> = Triggers[Name]['body']

/** The body, which is optional if all its fields are. */
type TriggerArguments<Name extends TriggerName> =
  Partial<TriggerBody<Name>> extends TriggerBody<Name>
    ? [body?: TriggerBody<Name>]
    : string extends keyof TriggerBody<Name>
      ? [body?: TriggerBody<Name>]
      : [body: TriggerBody<Name>]

/** The options of an interface call. `json` is sent as a JSON body. */
export type InterfaceCall = RequestInit & { readonly json?: unknown }

/** The settings of a workspace, and the key for its interfaces. */
export interface WorkspaceFields extends Pick<
  Schema<'Workspace'>,
  'id' | 'name' | 'accountId' | 'currency' | 'timezone'
> {
  readonly key: string
  readonly controlToken?: string | null
}

/** Returns the base path and key header of an interface; throws a TypeError if it does not exist. */
function interfaceOf(name: string): { readonly basePath: string; readonly header?: string } {
  if (Object.hasOwn(INTERFACES, name)) return INTERFACES[name as InterfaceName]
  const names = Object.keys(INTERFACES)
  if (typeof name !== 'string') {
    throw new TypeError(`the name of an interface is required; the interfaces are ${names.join(', ')}`)
  }
  const near = nearestName(name, names)
  const hint = near === null ? `the interfaces are ${names.join(', ')}` : `did you mean '${near}'?`
  throw new TypeError(`there is no interface '${name}'; ${hint}`)
}

/** The usual options; those of other runtimes pass. */
const FETCH_OPTIONS = [
  'json',
  'method',
  'headers',
  'body',
  'signal',
  'redirect',
  'cache',
  'mode',
  'credentials',
]

/** Refuses options that look like a misspelled one: `jsno`. */
function mustBeSpelled(options: InterfaceCall): void {
  const unknown = Object.keys(options).filter((name) => !FETCH_OPTIONS.includes(name))
  for (const name of unknown) {
    const near = nearestName(name, FETCH_OPTIONS)
    if (near !== null) throw new TypeError(`fetch() has no option ${name}; did you mean ${near}?`)
  }
}

export class Workspace {
  readonly id: string
  /** Works for all interfaces, with all scopes. */
  readonly key: string
  /** The account number of the conversations interface. */
  readonly accountId: number
  readonly currency: string
  readonly timezone: string
  /**
   * Opens the control calls of this workspace and no others: `connect(url, { adminToken: workspace.controlToken })`. The
   * server shows it only when the workspace is created; null otherwise.
   */
  readonly controlToken: string | null
  readonly #calling: ControlPlaneClient
  readonly #name: string

  constructor(
    calling: ControlPlaneClient,
    { id, key, controlToken = null, name, accountId, currency, timezone }: WorkspaceFields,
  ) {
    this.#calling = calling
    this.#name = name
    this.id = id
    this.key = key
    this.accountId = accountId
    this.currency = currency
    this.timezone = timezone
    this.controlToken = controlToken
  }

  get name(): string {
    return this.#name
  }

  /** The server of the workspace: `url` and `adminToken` of the simulator. */
  get server(): Server {
    return this.#calling.server
  }

  /** Returns the same workspace with another of its keys. */
  withKey(key: string): Workspace {
    const { id, accountId, currency, timezone, name, controlToken } = this
    return new Workspace(this.#calling, { id, accountId, currency, timezone, name, key, controlToken })
  }

  get clock(): Clock {
    return new Clock(this.#calling, this.id)
  }

  get records(): Records {
    return new Records(this.#calling, this.id)
  }

  get deliveries(): Deliveries {
    return new Deliveries(this.#calling, this.id)
  }

  /** The webhooks that the built-in receiver got: `await workspace.inbox.wait({event: 'sale.completed'})`. */
  get inbox(): Inbox {
    return new Inbox(this.#calling, this.id)
  }

  get emails(): Emails {
    return new Emails(this.#calling, this.id)
  }

  /** The request journal: `await workspace.requests({status: '4xx'})`. */
  get requests(): Requests {
    return requestsOf(this.#calling, this.id)
  }

  get faults(): Faults {
    return new Faults(this.#calling, this.id)
  }

  get subscriptions(): Subscriptions {
    return new Subscriptions(this.#calling, this.id)
  }

  get snapshots(): Snapshots {
    return new Snapshots(this.#calling, this.id)
  }

  get recordings(): Recordings {
    return new Recordings(this.#calling, this.id)
  }

  get keys(): WorkspaceKeys {
    return new WorkspaceKeys(this.#calling, this.id)
  }

  get users(): Users {
    return new Users(this.#calling, this.id)
  }

  /** Simulates an action by a user, a device or an authority outside the interfaces. */
  trigger<Name extends TriggerName>(
    name: Name,
    ...[body]: TriggerArguments<Name>
  ): Promise<Triggers[Name]['result']>
  /** Runs a trigger whose name is known only at run time. */
  trigger<Name extends string>(
    name: string extends Name ? Name : never,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>>
  async trigger(name: string, body: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.#call('pullTrigger', { path: { id: this.id, name }, body })
  }

  /**
   * Puts a new record into a state: `await workspace.reach('payments.refunds', 'failed')`. Returns the record and the way
   * there as code. `fields` are those of the call or trigger that makes the record.
   */
  reach(
    record: SectionName,
    state: string,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<Schema<'Reached'>> {
    return this.#call('reach', {
      path: { id: this.id },
      body: { record, state, ...(fields && { fields }) },
    })
  }

  /** Returns the current settings. */
  get(): Promise<Schema<'Workspace'>> {
    return this.#call('getWorkspace', { path: { id: this.id } })
  }

  /** Updates currency, time zone, modules, plan, test cards, progression, ttl or labels. */
  update(change: Body<'updateWorkspace'>): Promise<Schema<'Workspace'>> {
    return this.#call('updateWorkspace', { path: { id: this.id }, body: change })
  }

  /** Resets the records to those at creation. Keys and id stay. */
  async reset(): Promise<void> {
    await this.#call('resetWorkspace', { path: { id: this.id } })
  }

  async delete(): Promise<void> {
    await this.#call('deleteWorkspace', { path: { id: this.id } })
  }

  /** Creates a workspace with the same records, files and clock. */
  async clone(options: Schema<'WorkspaceClone'> = {}): Promise<NewWorkspace> {
    return new NewWorkspace(
      this.#calling,
      await this.#call('cloneWorkspace', { path: { id: this.id }, body: options }),
    )
  }

  /**
   * Lists hints for callers, grouped; with `{assumed: true}` also behavior that the specification leaves
   * open.
   */
  async hints(query: Query<'listHints'> = {}): Promise<Schema<'GroupedHint'>[]> {
    return (await this.#call('listHints', { path: { id: this.id }, query })).data
  }

  /** Returns what changed since a named snapshot, or since the workspace was made: `{from: 'before', section: 'crm.deals'}`. */
  changes(
    query: Omit<Query<'getDiff'>, 'format' | 'section'> & { readonly section?: SectionName } = {},
  ): Promise<Schema<'Diff'>> {
    return this.#call('getDiff', { path: { id: this.id }, query })
  }

  /** Starts a recording of what changes the workspace: `const file = await (await workspace.record()).stop()`. */
  async record(options: Schema<'RecordingCreate'> = {}): Promise<StartedRecording> {
    const started = await this.#call('startRecording', { path: { id: this.id }, body: options })
    return new StartedRecording(this.recordings, started)
  }

  /** Lists the timeline with causes, newest first. */
  async timeline(query: Query<'getTimeline'> = {}): Promise<Schema<'TimelineItem'>[]> {
    return (await this.#call('getTimeline', { path: { id: this.id }, query })).data
  }

  /** Finds a text in calls, e-mails, deliveries and records, newest first in each kind. */
  search(q: string, { limit }: Omit<Query<'searchWorkspace'>, 'q'> = {}): Promise<Schema<'SearchResults'>> {
    return this.#call('searchWorkspace', {
      path: { id: this.id },
      query: { q, ...(limit !== undefined && { limit }) },
    })
  }

  /** Counts calls, hints, deliveries, e-mails and records, each up to 1,000. */
  counts(): Promise<Schema<'Counts'>> {
    return this.#call('getCounts', { path: { id: this.id } })
  }

  /** Streams the timeline: `for await (const item of workspace.stream())`. */
  stream(options: StreamOptions = {}): TimelineStream {
    return new TimelineStream(this.#calling, this.id, options)
  }

  /** Returns the called operations, the moves and the sent events, including those that never occurred. */
  coverage(): Promise<Schema<'Coverage'>>
  coverage(options: { readonly format: 'text' | 'mermaid' }): Promise<string>
  coverage(options: Query<'getCoverage'> = {}): Promise<unknown> {
    return this.#call('getCoverage', { path: { id: this.id }, query: options })
  }

  /** Returns what a signage screen plays now. */
  screenNow(screenId: string): Promise<Schema<'ScreenNow'>> {
    return this.#call('getScreenNow', { path: { id: this.id, screen_id: screenId } })
  }

  /** Returns the URL of an interface: "http://127.0.0.1:4012/pay/v1". */
  urlOf(name: InterfaceName): string {
    return this.#calling.url + interfaceOf(name).basePath
  }

  /** Returns the key header of an interface: `{authorization: 'Bearer ...'}`. */
  headersOf(name: InterfaceName): Record<string, string> {
    const { header } = interfaceOf(name)
    return header === undefined
      ? { authorization: `Bearer ${this.key}` }
      : { [header.toLowerCase()]: this.key }
  }

  /**
   * Calls an interface with the key: `await workspace.fetch('catalog', '/products', {json: {...}})`. Throws a
   * TypeError if the interface does not exist, or if the path does not start with a slash or contains "." or
   * ".." segments.
   */
  async fetch(name: InterfaceName, path: string, options: InterfaceCall = {}): Promise<Response> {
    const url = this.urlOf(name)
    checkPath(path, `fetch('${name}', '…')`)
    mustBeSpelled(options)
    const { json, ...init } = options
    const headers = new Headers(this.headersOf(name))
    if (json !== undefined) headers.set('content-type', 'application/json')
    new Headers(init.headers).forEach((value, header) => {
      headers.set(header, value)
    })
    return fetch(url + path, {
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers,
    })
  }

  #call<Id extends OperationId>(id: Id, ...sent: Arguments<Id>): Promise<Result<Id>> {
    return this.#calling.call(id, ...sent)
  }
}

brand(Workspace)
limitArguments('workspace', Workspace.prototype, {
  reach: 3,
  get: 0,
  update: 1,
  reset: 0,
  delete: 0,
  clone: 1,
  hints: 1,
  changes: 1,
  record: 1,
  timeline: 1,
  search: 2,
  counts: 0,
  coverage: 1,
  screenNow: 1,
})

/**
 * A new workspace: `await using workspace = await simulator.workspaces.create()` deletes it at the end of the
 * scope.
 */
export class NewWorkspace extends Workspace implements AsyncDisposable {
  /** The owner of the key. */
  readonly user: Schema<'User'>

  declare readonly controlToken: string

  constructor(
    calling: ControlPlaneClient,
    { workspace, user, key, controlToken }: Schema<'CreatedWorkspace'>,
  ) {
    super(calling, { ...workspace, key, controlToken })
    this.user = user
  }

  /** Deletes the workspace with all its data. Does nothing if it was already deleted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof SimulatorError && error.code === 'not_found')) throw error
    })
  }
}

brand(NewWorkspace)
