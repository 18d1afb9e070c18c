/**
 * Kills the server at seeded random times while clients write, and restarts it on the same file. Every successful
 * write must exist completely, and every pending webhook must arrive in the order of its record.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { pathOf, validRequest } from './generators/valid.ts'
import type { AttackedWorkspace } from './attackedWorkspace.ts'
import { Receiver } from './receivers.ts'
import type { HostileRequest } from './request.ts'
import { readSurface, type Operation } from './surface.ts'
import { idIn, Target, type TargetOptions } from './target.ts'
import { makeAttackedWorkspace, recordsOf } from './workspaces.ts'

const CLIENTS = 6

/** Successful writes before a kill; further ones start in the ms after that. */
const LIFETIME = { min: 1, max: 120 }
const LONGEST_DELAY_MS = 25

export interface KillReport {
  readonly kills: number
  /** Writes with a success response. */
  readonly writes: number
  readonly arrivals: number
  readonly seconds: number
  readonly problems: readonly string[]
}

/** An operation that creates records, with operations that read and change one. */
interface Maker {
  readonly make: Operation
  readonly read: Operation | undefined
  readonly change: Operation | undefined
}

interface Made {
  readonly maker: Maker
  readonly id: string
}

export async function killRun(options: TargetOptions, kills: number, seed: number): Promise<KillReport> {
  const started = performance.now()
  const run = new KillRun(await Target.start(options), await Receiver.listen('wavering'), options)
  await run.prepare()
  const moments = fc.sample(fc.tuple(fc.integer(LIFETIME), fc.nat(LONGEST_DELAY_MS)), {
    seed,
    numRuns: kills,
  })
  for (const [writes, delayMs] of moments) await run.live(writes, delayMs)
  await run.settle()
  return { kills, ...run.counts(), seconds: (performance.now() - started) / 1000, problems: run.problems }
}

class KillRun {
  readonly problems: string[] = []
  readonly #options: TargetOptions
  readonly #receiver: Receiver
  #target: Target
  #prey: AttackedWorkspace = {
    id: '',
    key: '',
    badKeys: [],
    foreignIds: [],
    sentForeignIds: new Set(),
    adminToken: '',
  }
  #makers: Maker[] = []
  /** Makers whose records emit webhooks. */
  readonly #tellers = new Set<Maker>()
  readonly #made: Made[] = []
  #writes = 0
  #looked = 0

  constructor(target: Target, receiver: Receiver, options: TargetOptions) {
    this.#target = target
    this.#receiver = receiver
    this.#options = options
  }

  counts() {
    return { writes: this.#writes, arrivals: this.#receiver.arrivals.length }
  }

  /** Finds the operations that create records, and those of them that emit webhooks. */
  async prepare(): Promise<void> {
    const { operations, interfaces } = await readSurface((path) => this.#target.must('GET', path))
    this.#prey = await makeAttackedWorkspace(this.#target, [])
    this.#makers = makersIn(operations)
    for (const name of interfaces) {
      const body = { interface: name, url: this.#receiver.url, events: ['*'] }
      await this.#target.must('POST', `/_sim/workspaces/${this.#prey.id}/subscriptions`, body)
    }
    for (const maker of this.#makers) {
      const made = await this.#write(maker)
      if (made !== null && (await this.#isTold(made.id))) this.#tellers.add(maker)
    }
  }

  async #isTold(id: string): Promise<boolean> {
    for (let looks = 0; looks < 15; looks++) {
      if (this.#receiver.arrivals.some(({ body }) => body.includes(id))) return true
      await sleep(20)
    }
    return false
  }

  /** Lets clients write until the server is killed, restarts it, and checks all successful writes. */
  async live(writes: number, delayMs: number): Promise<void> {
    let over = false
    const until = this.#writes + writes
    let reached = (): void => undefined
    const enough = new Promise<void>((resolve) => (reached = resolve))
    const client = async (first: number): Promise<void> => {
      for (let at = first; !over; at++) {
        const maker = this.#makers[at % this.#makers.length]
        if (!maker) return
        // It is unknown whether writes in progress were done when the server died.
        const made = await this.#write(maker).catch(() => null)
        if (made && at % 2 === 0) await this.#change(made).catch(() => null)
        if (this.#writes >= until) reached()
      }
    }
    const clients = Array.from({ length: CLIENTS }, (_, at) => client(at * 7))
    await enough
    await sleep(delayMs)
    const { server } = this.#target
    server.signal('SIGKILL')
    await server.ended
    over = true
    await Promise.all(clients)
    this.#target = await Target.start(this.#options)
    await this.#lookForAll()
  }

  async #send({ method, target, headers, body }: HostileRequest) {
    const parsed = body === null ? undefined : (JSON.parse(body.toString()) as unknown)
    return this.#target.call(method, target, parsed, Object.fromEntries(headers))
  }

  /** Null if the example is refused, because some records may exist only once. */
  async #write(maker: Maker): Promise<Made | null> {
    const answer = await this.#send(validRequest(maker.make, this.#prey))
    const id = answer.status === 201 ? idIn(answer.body) : undefined
    if (id === undefined) return null
    const made = { maker, id }
    this.#made.push(made)
    this.#writes++
    return made
  }

  async #change({ maker, id }: Made): Promise<void> {
    if (!maker.change) return
    const request = validRequest(maker.change, this.#prey)
    const { status } = await this.#send({ ...request, target: addressOf(maker.change, this.#prey, id) })
    if (status < 300) this.#writes++
  }

  /** Checks the records created since the last check. */
  async #lookForAll(): Promise<void> {
    const records = await recordsOf(this.#target, this.#prey.id)
    for (const { maker, id } of this.#made.slice(this.#looked)) {
      if (!records.includes(`"${id}"`))
        this.problems.push(`${maker.make.title} was answered with ${id}, which is gone`)
      else if (maker.read) {
        const { status } = await this.#send({
          ...validRequest(maker.read, this.#prey),
          target: addressOf(maker.read, this.#prey, id),
        })
        if (status !== 200) this.problems.push(`${maker.read.title} answers ${String(status)} for ${id}`)
      }
    }
    this.#looked = this.#made.length
    await this.#mustBeWhole(records)
  }

  /** A snapshot is accepted only if its records and references are complete. */
  async #mustBeWhole(records: string): Promise<void> {
    const body = { fixtures: JSON.parse(records) as unknown }
    const { status, text, body: answered } = await this.#target.call('POST', '/_sim/workspaces', body)
    if (status === 201)
      await this.#target.must(
        'DELETE',
        `/_sim/workspaces/${(answered as { workspace: { id: string } }).workspace.id}`,
      )
    else this.problems.push(`what was found after a kill is not whole: ${text.slice(0, 300)}`)
  }

  /** Advances the clock until nothing is pending, and checks the received webhooks. */
  async settle(): Promise<void> {
    const { id } = this.#prey
    this.#receiver.acceptAll()
    /** The demo has pending deliveries of its own. */
    const pending = async (status: string): Promise<number> => {
      const path = `/_sim/workspaces/${id}/deliveries?status=${status}&limit=1000`
      const { data } = await this.#target.must<{ data: { url: string }[] }>('GET', path)
      return data.filter(({ url }) => url === this.#receiver.url).length
    }
    for (let hours = 0; hours < 12 && (await pending('pending')) > 0; hours++)
      await this.#target.must('POST', `/_sim/workspaces/${id}/clock/advance`, {
        duration: 'PT1H',
        waitMs: 20_000,
      })
    const left = (await pending('pending')) + (await pending('dead'))
    if (left > 0) this.problems.push(`${String(left)} deliveries were still pending or dead in the end`)
    this.#lookAtArrivals()
    await this.#target.server.stop('SIGTERM')
    this.#receiver.close()
  }

  #lookAtArrivals(): void {
    const { arrivals } = this.#receiver
    const bodies = arrivals.map(({ body }) => body).join('\n')
    for (const { maker, id } of this.#made) {
      if (this.#tellers.has(maker) && !bodies.includes(`"${id}"`))
        this.problems.push(`nobody was told of ${id} by ${maker.make.title}`)
    }
    /** The time of the last event of each record. */
    const last = new Map<string, string>()
    const seen = new Set<string>()
    for (const { id, body } of arrivals) {
      if (seen.has(id)) continue
      seen.add(id)
      const {
        data,
        createdAt,
        created_at = createdAt,
      } = JSON.parse(body) as Record<string, string | undefined>
      const record = idIn(recordOf(data))
      if (record === undefined || created_at === undefined) continue
      const before = last.get(record) ?? ''
      if (created_at < before)
        this.problems.push(`${record} was told of what happened at ${created_at} after ${before}`)
      last.set(record, created_at)
    }
  }
}

/** The record that orders an event. Those of executions also contain the automation. */
const recordOf = (data: unknown): unknown => (data as { execution?: unknown } | undefined)?.execution ?? data

const addressOf = (operation: Operation, prey: AttackedWorkspace, id: string): string => {
  const [parameter] = operation.parameters.filter((each) => each.in === 'path')
  return pathOf(operation, prey, { [parameter?.name ?? '']: id })
}

function makersIn(operations: readonly Operation[]): Maker[] {
  return operations
    .filter(
      (each) =>
        each.method === 'POST' &&
        !each.isControl &&
        !each.path.includes('{') &&
        // The URLs of their examples are unreachable.
        !each.path.endsWith('/webhooks') &&
        each.takes?.isForm === false,
    )
    .map((make) => {
      const of = (...methods: string[]): Operation | undefined =>
        operations.find(
          (each) =>
            methods.includes(each.method) &&
            each.path.replace(/\/\{\w+\}$/, '') === make.path &&
            each.path !== make.path,
        )
      return { make, read: of('GET'), change: of('PATCH', 'PUT') }
    })
}
