/** One workspace: who speaks to it sees nothing of any other. */
import type { Arguments, Body, Calling, OperationId, Query, Result, Schema } from './calling.ts'
import { INTERFACES, type Triggers } from './control.ts'
import { SimulatorError } from './errors.ts'
import { Deliveries, Emails, requestsOf, type Requests } from './messages.ts'
import { nearest } from './nearest.ts'
import { Clock, Faults, Records, Snapshots, Subscriptions, Users, WorkspaceKeys } from './parts.ts'
import { mustBePath } from './path.ts'
import { TimelineStream, type StreamOptions } from './stream.ts'

export type InterfaceName = keyof typeof INTERFACES
export type TriggerName = keyof Triggers

type TriggerBody<Name extends TriggerName> = Triggers[Name]['body']

/** A body that may be left out where the trigger needs nothing, or takes nothing. */
type TriggerArguments<Name extends TriggerName> =
  Partial<TriggerBody<Name>> extends TriggerBody<Name>
    ? [body?: TriggerBody<Name>]
    : string extends keyof TriggerBody<Name>
      ? [body?: TriggerBody<Name>]
      : [body: TriggerBody<Name>]

/** A call of an interface. What is sent as `json` is sent as JSON. */
export type InterfaceCall = RequestInit & { readonly json?: unknown }

/** The settings of a workspace, and the key that its interfaces are called with. */
export interface WorkspaceFields extends Pick<
  Schema<'Workspace'>,
  'id' | 'name' | 'accountId' | 'currency' | 'timezone'
> {
  readonly key: string
}

/** Throws a TypeError where there is no such interface. */
function mountOf(name: string): { readonly basePath: string; readonly header?: string } {
  if (Object.hasOwn(INTERFACES, name)) return INTERFACES[name as InterfaceName]
  const names = Object.keys(INTERFACES)
  const meant = nearest(name, names)
  const hint = meant === undefined ? `the interfaces are ${names.join(', ')}` : `did you mean '${meant}'?`
  throw new TypeError(`there is no interface '${name}'; ${hint}`)
}

export class Workspace {
  readonly id: string
  /** Serves all interfaces, with all scopes. */
  readonly key: string
  /** The account number of the conversations interface. */
  readonly accountId: number
  readonly currency: string
  readonly timezone: string
  readonly #calling: Calling
  readonly #name: string

  constructor(calling: Calling, { id, key, name, accountId, currency, timezone }: WorkspaceFields) {
    this.#calling = calling
    this.#name = name
    this.id = id
    this.key = key
    this.accountId = accountId
    this.currency = currency
    this.timezone = timezone
  }

  get name(): string {
    return this.#name
  }

  /** The same workspace, whose interfaces are called with another key of it. */
  withKey(key: string): Workspace {
    const { id, accountId, currency, timezone, name } = this
    return new Workspace(this.#calling, { id, accountId, currency, timezone, name, key })
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

  get emails(): Emails {
    return new Emails(this.#calling, this.id)
  }

  /** The journal of the interfaces' calls: `await workspace.requests({status: '4xx'})`. */
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

  get keys(): WorkspaceKeys {
    return new WorkspaceKeys(this.#calling, this.id)
  }

  get users(): Users {
    return new Users(this.#calling, this.id)
  }

  /** Lets happen what people, devices and authorities outside the interfaces do. */
  trigger<Name extends TriggerName>(
    name: Name,
    ...[body]: TriggerArguments<Name>
  ): Promise<Triggers[Name]['result']>
  /** One whose name is known only when the program runs. */
  trigger<Name extends string>(
    name: string extends Name ? Name : never,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>>
  async trigger(name: string, body: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.#of('pullTrigger', { path: { id: this.id, name }, body })
  }

  /** Its settings as they are now. */
  get(): Promise<Schema<'Workspace'>> {
    return this.#of('getWorkspace', { path: { id: this.id } })
  }

  /** Currency, time zone, modules, plan, test cards, progression. */
  update(change: Body<'updateWorkspace'>): Promise<Schema<'Workspace'>> {
    return this.#of('updateWorkspace', { path: { id: this.id }, body: change })
  }

  /** Its records are what they were when it was made; keys and id stay. */
  async reset(): Promise<void> {
    await this.#of('resetWorkspace', { path: { id: this.id } })
  }

  async delete(): Promise<void> {
    await this.#of('deleteWorkspace', { path: { id: this.id } })
  }

  /** A new one with the same records, files and clock. */
  async clone(options: Schema<'WorkspaceClone'> = {}): Promise<NewWorkspace> {
    return new NewWorkspace(
      this.#calling,
      await this.#of('cloneWorkspace', { path: { id: this.id }, body: options }),
    )
  }

  /** What callers may not have noticed, alike ones together; with `{assumed: true}` what the specification leaves open. */
  async hints(query: Query<'listHints'> = {}): Promise<Schema<'GroupedHint'>[]> {
    return (await this.#of('listHints', { path: { id: this.id }, query })).data
  }

  /** What has happened and why, the newest first. */
  async timeline(query: Query<'getTimeline'> = {}): Promise<Schema<'TimelineItem'>[]> {
    return (await this.#of('getTimeline', { path: { id: this.id }, query })).data
  }

  /** The same as it happens: `for await (const item of workspace.stream())`. */
  stream(options: StreamOptions = {}): TimelineStream {
    return new TimelineStream(this.#calling, this.id, options)
  }

  /** Which operations were called, moves made and events sent, those that never were included. */
  coverage(): Promise<Schema<'Coverage'>>
  coverage(options: { readonly format: 'text' | 'mermaid' }): Promise<string>
  coverage(options: Query<'getCoverage'> = {}): Promise<unknown> {
    return this.#of('getCoverage', { path: { id: this.id }, query: options })
  }

  /** What a screen of signage plays now. */
  screenNow(screenId: string): Promise<Schema<'ScreenNow'>> {
    return this.#of('getScreenNow', { path: { id: this.id, screen_id: screenId } })
  }

  /** Where an interface is reached: "http://127.0.0.1:4012/pay/v1". */
  urlOf(name: InterfaceName): string {
    return this.#calling.url + mountOf(name).basePath
  }

  /** The header that an interface takes the key in: `{authorization: 'Bearer ...'}`. */
  headersOf(name: InterfaceName): Record<string, string> {
    const { header } = mountOf(name)
    return header === undefined
      ? { authorization: `Bearer ${this.key}` }
      : { [header.toLowerCase()]: this.key }
  }

  /**
   * Calls an interface with the key: `await workspace.fetch('catalog', '/products', {json: {...}})`. Throws a TypeError
   * where there is no such interface, or the path does not begin with a slash or leads out of where it points.
   */
  async fetch(name: InterfaceName, path: string, { json, ...init }: InterfaceCall = {}): Promise<Response> {
    mustBePath(path, `fetch('${name}', '…')`)
    const headers = new Headers(this.headersOf(name))
    if (json !== undefined) headers.set('content-type', 'application/json')
    new Headers(init.headers).forEach((value, header) => {
      headers.set(header, value)
    })
    return fetch(this.urlOf(name) + path, {
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      ...init,
      headers,
    })
  }

  #of<Id extends OperationId>(id: Id, ...sent: Arguments<Id>): Promise<Result<Id>> {
    return this.#calling.call(id, ...sent)
  }
}

/** One that was made just now: `await using workspace = await simulator.workspaces.create()` removes it in the end. */
export class NewWorkspace extends Workspace implements AsyncDisposable {
  /** The user that the key belongs to. */
  readonly user: Schema<'User'>

  constructor(calling: Calling, { workspace, user, key }: Schema<'CreatedWorkspace'>) {
    super(calling, { ...workspace, key })
    this.user = user
  }

  /** Removes it with all it holds. One that is gone already is no trouble. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof SimulatorError && error.code === 'not_found')) throw error
    })
  }
}
