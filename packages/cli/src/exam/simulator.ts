/** The simulator of the exam: in this process, in memory, with a workspace for each property. */
import type { App, describeSchedule } from '../../../../src/index.ts'
import { iso } from '@suite-sim/kit/time/instants'
import { systemNow } from '@suite-sim/kit/time/machineClock'
import { randomToken } from '@suite-sim/kit/random'
import { CommandError } from '@suite-sim/kit/terminal/problem'
import type { Exchange, Relay } from './relay.ts'
import { sampleOf, type Data, type ExamEvent } from './samples.ts'

/** An event of the exam with its delivery. */
export interface Emitted {
  readonly id: string
  readonly delivery: string
  readonly name: string
}

export interface Emission {
  readonly event: ExamEvent
  /** Events with the same seed are about the same record. */
  readonly seed?: string
  /** The time of the event; by default that at which the workspace was created. */
  readonly at?: number
  readonly change?: (data: Data) => Data
}

export interface SimulatorParts {
  readonly app: App
  readonly relay: Relay
  readonly relayUrl: string
  readonly interface: string
  readonly schedule: ReturnType<typeof describeSchedule>
  readonly secret: string
  /** The events of the burst. */
  readonly eventsAtOnce: number
}

export const DAY_MS = 24 * 60 * 60 * 1000

/** The age of new events in ms. Clocks that differ a little must not make an event one of the future. */
const USUAL_AGE_MS = 60_000

/** Returns the time of events that occur now. */
export const usualTime = (): number => systemNow() - USUAL_AGE_MS

/** Real ms that one move of the clock waits for the receiver. */
const MAX_WAIT_MS = 60_000

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Calls the control plane. */
async function call<Result>(app: App, method: Method, path: string, body?: object) {
  const { statusCode, payload } = await app.fastify.inject({
    method,
    url: `/_sim${path}`,
    ...(body && { payload: body }),
  })
  if (statusCode >= 400) throw new CommandError(`the simulator of the exam answered ${payload}`)
  return (payload === '' ? null : JSON.parse(payload)) as Result
}

interface Webhook {
  readonly post: { readonly requestBody: { readonly content: Readonly<Record<string, WebhookContent>> } }
}

interface WebhookContent {
  readonly example: { readonly data: Data }
}

/** Returns the events of an interface, from its OpenAPI document. */
export async function publishedEvents(app: App, of: string): Promise<ExamEvent[]> {
  const { webhooks } = await call<{ readonly webhooks: Readonly<Record<string, Webhook>> }>(
    app,
    'GET',
    `/openapi/${of}.json`,
  )
  return Object.entries(webhooks).flatMap(([name, { post }]) => {
    const json = post.requestBody.content['application/json']
    return json ? [{ name, example: json.example.data }] : []
  })
}

/** A workspace with a frozen clock, whose events go through the relay. */
export class ExamWorkspace {
  /** The time at which its clock was frozen. */
  readonly now: number
  readonly #parts: SimulatorParts
  readonly #id: string

  private constructor(parts: SimulatorParts, id: string, now: number) {
    this.#parts = parts
    this.#id = id
    this.now = now
  }

  /** Creates a workspace whose clock is `age` ms behind the clock of this machine. */
  static async start(parts: SimulatorParts, age = USUAL_AGE_MS): Promise<ExamWorkspace> {
    const { app, interface: of, secret, relayUrl: url } = parts
    const created = await call<{ workspace: { id: string } }>(app, 'POST', '/workspaces', {
      name: 'exam',
    })
    const workspace = new ExamWorkspace(parts, created.workspace.id, systemNow() - age)
    await workspace.#call('PUT', '/clock', { now: iso(workspace.now), frozen: true })
    await workspace.#call('POST', '/subscriptions', { interface: of, url, secret })
    return workspace
  }

  async emit({
    event: { name, example },
    seed = randomToken(),
    at = this.now,
    change = (data) => data,
  }: Emission): Promise<Emitted> {
    const { eventId, deliveries } = await this.#call<{ eventId: string; deliveries: readonly string[] }>(
      'POST',
      '/deliveries',
      {
        interface: this.#parts.interface,
        event: name,
        data: change(sampleOf(example, seed, at)),
        at: iso(at),
      },
    )
    return { id: eventId, delivery: deliveries[0] ?? '', name }
  }

  /** Emits an event and returns its first attempts, when `count` have ended. */
  async deliver(emission: Emission, count = 1): Promise<{ event: Emitted; attempts: readonly Exchange[] }> {
    const event = await this.emit(emission)
    return { event, attempts: await this.attemptsOf(event, count) }
  }

  /** Returns the attempts of an event when `count` have ended; fewer if the rest do not end in time. */
  async attemptsOf({ delivery }: Emitted, count: number): Promise<readonly Exchange[]> {
    const { relay } = this.#parts
    const find = (): Exchange[] => relay.exchanges.filter((each) => each.delivery === delivery)
    await relay.until(() => find().length >= count)
    return find()
  }

  /** The next delivery meets the fault. */
  async fault(delivery: 'duplicate' | 'stale' | 'truncate' | 'wrong_signature'): Promise<void> {
    await this.#call('POST', '/faults', { delivery, times: 1 })
  }

  /** Moves the clock. The retries that become due are sent. */
  async advance(seconds: number): Promise<void> {
    await this.#call('POST', '/clock/advance', { duration: `PT${String(seconds)}S`, waitMs: MAX_WAIT_MS })
  }

  async redeliver({ delivery }: Emitted): Promise<void> {
    await this.#call('POST', `/deliveries/${delivery}/redeliver`)
  }

  /** Sends the deliveries whose last attempt has failed again; returns their number. */
  async redeliverDead(): Promise<number> {
    return (await this.#call<{ count: number }>('POST', '/deliveries/redeliver', { status: 'dead' })).count
  }

  /** Stops all retries. */
  async end(): Promise<void> {
    await this.#call('DELETE', '')
  }

  #call<Result = unknown>(method: Method, path: string, body?: object): Promise<Result> {
    return call(this.#parts.app, method, `/workspaces/${this.#id}${path}`, body)
  }
}
