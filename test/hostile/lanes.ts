/** Runs cases sequentially on a connection, with several connections in parallel. */
import { Connection, exchange, type Outcome } from './connection.ts'
import type { Findings } from './findings.ts'
import type { Planner } from './generators/index.ts'
import { printable, type AttackedWorkspace } from './attackedWorkspace.ts'
import { bytesOf, NEW_RECORD_ID, type HostileRequest, type Plan, type Stage } from './request.ts'
import type { Operation } from './surface.ts'
import { idIn } from './target.ts'
import { framingProblems, noteForeign, problemsOf } from './verdict.ts'

/** One case. */
export interface Case {
  readonly operation: Operation
  readonly number: number
}

/** Counters over all lanes. */
export interface Tally {
  requests: number
  /** By the first digit of the status; "closed" if there was no response. */
  readonly classes: Map<string, number>
  slowest: { ms: number; what: string }
}

export const emptyTally = (): Tally => ({ requests: 0, classes: new Map(), slowest: { ms: 0, what: '' } })

/** The deadline of a response, in addition to the wait that the call requests. */
const DEADLINE_MS = 10_000

/** Calls that wait for events are abandoned after this time, which is hostile as well. */
const PATIENCE_MS = 300

export interface Done {
  readonly case: Case
  readonly ms: number
}

/** Runs the cases in this many lanes and returns the duration of each. */
export async function runCases(
  cases: readonly Case[],
  { planner, prey, port, lanes, findings, tally }: Work,
): Promise<Done[]> {
  const queue = [...cases]
  const done: Done[] = []
  const lane = async (): Promise<void> => {
    const connection = new Connection(port)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const started = performance.now()
      const plan = planner.plan(next.operation, next.number)
      await new Attempt(next, plan, { prey, port, connection, findings, tally }).run()
      done.push({ case: next, ms: performance.now() - started })
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

export interface Work {
  readonly planner: Planner
  readonly prey: AttackedWorkspace
  readonly port: number
  readonly lanes: number
  readonly findings: Findings
  readonly tally: Tally
}

interface Tools {
  readonly prey: AttackedWorkspace
  readonly port: number
  readonly connection: Connection
  readonly findings: Findings
  readonly tally: Tally
}

/** One running case. */
class Attempt {
  readonly #case: Case
  readonly #plan: Plan
  readonly #tools: Tools
  #madeId = 'unmade'

  constructor(of: Case, plan: Plan, tools: Tools) {
    this.#case = of
    this.#plan = plan
    this.#tools = tools
  }

  async run(): Promise<void> {
    for (const stage of this.#plan.stages) await this.#doStage(stage)
  }

  async #doStage({ requests, makes = false }: Stage): Promise<void> {
    const named = requests.map((each) => ({
      ...each,
      target: each.target.replace(NEW_RECORD_ID, this.#madeId),
    }))
    const [first, ...others] = named
    if (!first) return
    const [outcome] = await Promise.all([
      this.#send(first, this.#tools.connection),
      ...others.map(async (each) => {
        const connection = new Connection(this.#tools.port)
        await this.#send(each, connection)
        connection.close()
      }),
    ])
    if (makes && outcome?.kind === 'answered') this.#madeId = idOf(outcome.answer.text) ?? 'unmade'
  }

  /** Null if it was not a request or was abandoned. */
  async #send(request: HostileRequest, connection: Connection): Promise<Outcome | null> {
    const { operation } = this.#case
    if (request.wire) {
      const exchanged = await exchange(this.#tools.port, request.wire, DEADLINE_MS)
      this.#count(
        exchanged.answers.map(({ status }) => status),
        exchanged.ms,
      )
      this.#note(framingProblems(operation, exchanged), request)
      return null
    }
    noteForeign(this.#tools.prey, request)
    const waits = waitOf(request)
    const bytes = bytesOf(request, `127.0.0.1:${String(this.#tools.port)}`)
    const deadline = waits === null ? DEADLINE_MS : waits.abandons ? PATIENCE_MS : DEADLINE_MS + waits.ms
    const outcome = await connection.send(bytes, request.method, deadline)
    if (outcome.kind === 'hung' && waits?.abandons) {
      this.#count([], 0)
      return null
    }
    this.#count(outcome.kind === 'answered' ? [outcome.answer.status] : [], outcome.ms - (waits?.ms ?? 0))
    this.#note(problemsOf(operation, this.#tools.prey, request, outcome), request)
    return outcome
  }

  #count(statuses: readonly number[], ms: number): void {
    const { tally } = this.#tools
    tally.requests++
    const classes =
      statuses.length > 0 ? statuses.map((each) => `${String(Math.floor(each / 100))}xx`) : ['no answer']
    for (const each of classes) tally.classes.set(each, (tally.classes.get(each) ?? 0) + 1)
    if (ms > tally.slowest.ms) {
      const { operation, number } = this.#case
      tally.slowest = { ms, what: `${operation.title}, case ${String(number)} (${this.#plan.kind})` }
    }
  }

  #note(problems: readonly string[], request: HostileRequest): void {
    const { operation, number } = this.#case
    const { findings, prey } = this.#tools
    for (const problem of problems) {
      findings.add({
        operation: operation.title,
        number,
        kind: this.#plan.kind,
        problem,
        requests: [printable(request, prey)],
      })
    }
  }
}

/** The wait that a request to the control plane asks for; null if it asks for none. */
function waitOf({ target, body }: HostileRequest): { ms: number; abandons: boolean } | null {
  if (/[?&]wait(\[|=|\.)/.test(target)) return { ms: 0, abandons: true }
  if (!target.endsWith('/advance')) return null
  const waitMs = Number(/"waitMs":\s*([\d.e+]+)/.exec(body?.toString('latin1') ?? '')?.[1] ?? 5000)
  return { ms: Math.min(60_000, Number.isFinite(waitMs) ? waitMs : 0), abandons: false }
}

function idOf(text: string): string | undefined {
  try {
    return idIn(JSON.parse(text))
  } catch {
    return undefined
  }
}
