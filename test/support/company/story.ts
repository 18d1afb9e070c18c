/** What happens at the company, in the order of time: each thing is done by calls, on the clock of its workspace. */
import type { App } from '../../../src/app.ts'
import { credentialHeader } from '../app.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

type Fields = Readonly<Record<string, unknown>>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Planned {
  readonly at: number
  readonly order: number
  readonly happen: () => Promise<void>
}

export class Story {
  readonly #app: App
  readonly #key: string
  readonly #workspace: string
  readonly #planned: Planned[] = []
  #now: number
  #order = 0

  constructor(app: App, workspace: string, key: string, now: number) {
    this.#app = app
    this.#workspace = workspace
    this.#key = key
    this.#now = now
  }

  /** What the clock of the workspace shows. */
  get now(): number {
    return this.#now
  }

  /** Plans something; what is planned for the same moment happens in the order in which it was planned. */
  at(instant: number, happen: () => Promise<void>): void {
    this.#planned.push({ at: Math.round(instant / MINUTE) * MINUTE, order: this.#order++, happen })
  }

  /** Lets all happen that is planned until then; the rest never does. */
  async tellUntil(end: number): Promise<void> {
    for (let next = this.#next(end); next; next = this.#next(end)) {
      await this.#goTo(next.at)
      await next.happen()
    }
    await this.#goTo(end)
  }

  /** Calls an interface: the body of its answer, which has to be a 2xx. */
  async ask<Body>(of: string, method: Method, path: string, body?: Fields): Promise<Body> {
    const { definition } = await this.#app.published(of)
    return this.#call(method, definition.basePath + path, body, credentialHeader(definition, this.#key))
  }

  /** Pulls a trigger. */
  happens<Body>(name: string, body: Fields): Promise<Body> {
    return this.control('POST', `/triggers/${name}`, body)
  }

  /** Calls the control plane, of this workspace. */
  control<Body>(method: Method, path: string, body?: Fields): Promise<Body> {
    return this.#call(method, `/_sim/workspaces/${this.#workspace}${path}`, body, {})
  }

  #next(end: number): Planned | undefined {
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
