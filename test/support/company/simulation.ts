/**
 * Runs the planned actions of the company in order of time. Each action makes calls on the clock of its workspace.
 */
import type { App } from '../../../src/app.ts'
import { credentialHeader } from '../app.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

type Fields = Readonly<Record<string, unknown>>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface PlannedAction {
  readonly at: number
  readonly order: number
  readonly happen: () => Promise<void>
}

export class Simulation {
  readonly #app: App
  readonly #key: string
  readonly #workspace: string
  readonly #planned: PlannedAction[] = []
  #now: number
  #order = 0

  constructor(app: App, workspace: string, key: string, now: number) {
    this.#app = app
    this.#workspace = workspace
    this.#key = key
    this.#now = now
  }

  /** The time of the workspace. */
  get now(): number {
    return this.#now
  }

  /** Plans an action. Actions planned for the same time run in the order of planning. */
  at(instant: number, run: () => Promise<void>): void {
    this.#planned.push({ at: Math.round(instant / MINUTE) * MINUTE, order: this.#order++, happen: run })
  }

  /** Runs all actions planned up to this time; later ones never run. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#next(end); next; next = this.#next(end)) {
      await this.#goTo(next.at)
      await next.happen()
    }
    await this.#goTo(end)
  }

  /** Calls an interface and returns the body of its response, which must be a 2xx. */
  async request<Body>(of: string, method: Method, path: string, body?: Fields): Promise<Body> {
    const { definition } = await this.#app.published(of)
    return this.#call(method, definition.basePath + path, body, credentialHeader(definition, this.#key))
  }

  /** Fires a trigger. */
  trigger<Body>(name: string, body: Fields): Promise<Body> {
    return this.control('POST', `/triggers/${name}`, body)
  }

  /** Calls the control plane for this workspace. */
  control<Body>(method: Method, path: string, body?: Fields): Promise<Body> {
    return this.#call(method, `/_sim/workspaces/${this.#workspace}${path}`, body, {})
  }

  #next(end: number): PlannedAction | undefined {
    this.#planned.sort((one, other) => one.at - other.at || one.order - other.order)
    const [first] = this.#planned
    return first && first.at <= end ? this.#planned.shift() : undefined
  }

  async #goTo(instant: number): Promise<void> {
    const minutes = Math.round((instant - this.#now) / MINUTE)
    if (minutes <= 0) return
    await this.control('POST', '/clock/advance', { duration: `PT${String(minutes)}M` })
    this.#now += minutes * MINUTE
  }

  async #call<Body>(method: Method, url: string, body: Fields | undefined, headers: Fields): Promise<Body> {
    const answer = await this.#app.fastify.inject({
      method,
      url,
      headers: {
        ...(headers as Record<string, string>),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${url} was answered ${String(answer.statusCode)}: ${answer.payload}`)
    return (answer.payload === '' ? undefined : JSON.parse(answer.payload)) as Body
  }
}
