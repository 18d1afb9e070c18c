/**
 * Runs scenarios on the service and in a workspace of the simulator, in step. What a scenario created is deleted at its
 * end, also if it ends early.
 */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { ServiceClient, ServiceError } from '../exchanges/serviceClient.ts'
import type { Exchange, Probe } from '../exchanges/exchange.ts'
import type { Difference } from '../differential/compare.ts'
import { codes } from '../differential/differential.ts'
import type { Operation } from '../model/operation.ts'
import type { VerifyHooks } from '../options.ts'
import type { PublishedInterface, Reference } from '../reference.ts'
import { BUDGET_SPENT } from '../report/report.ts'
import { textOf } from '../crawl/rowValues.ts'
import { withDerived } from './derived.ts'
import { isAllowed } from './guard.ts'
import type { Created, Intent, Ledger } from './ledger.ts'
import { Pairing } from './pairing.ts'
import { filled, filledTexts, valueIn, withValues } from './placeholders.ts'
import { SCENARIOS } from './scenarios/index.ts'
import type { Creation, Step, Scenario } from './scenario.ts'
import { differencesIn, type ComparedSides } from './stepDifferences.ts'
import { undo, type Unanswered } from './undo.ts'

/** A step that both sides answered. */
export interface StepResult {
  readonly scenario: Scenario
  readonly step: Step
  readonly exchange: Exchange
  readonly simulated: Exchange
  /**
   * Where the answers differ; null if they cannot be compared, because only one side refused or a row is on another
   * page.
   */
  readonly differences: readonly Difference[] | null
}

export interface Written {
  readonly steps: readonly StepResult[]
  /** Operations that write and were not called, and why. */
  readonly unwritten: ReadonlyMap<Operation, string>
  /** Those of them that this run could not call at all: without a scenario, not allowed, or not confirmed. */
  readonly impossible: ReadonlySet<Operation>
  readonly deleted: readonly string[]
  readonly remaining: readonly { readonly record: string; readonly why: string }[]
  /** What the service did beside the records. */
  readonly sideEffects: readonly string[]
  readonly endedEarly: string | null
}

export interface ScenarioOptions {
  readonly run: string
  readonly published: readonly PublishedInterface[]
  readonly allow: readonly string[]
  /** Calls the service. It stops by itself neither for a signal nor in the middle of a call. */
  readonly client: ServiceClient
  readonly ledger: Ledger
  readonly reference: Reference
  readonly timezone: string | undefined
  /** Values of parameters of the service, such as its account. */
  readonly known: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly confirm?: VerifyHooks['confirm']
  readonly onStage?: (stage: string) => void
}

/** Calls that are kept for each record that must be deleted: the call may have to be prepared and repeated. */
const RESERVE = 3

/** The run ends here; the message says why. */
class Ended extends Error {
  override readonly name = 'Ended'
}

/** The scenario ends here, and the next one can begin. */
class ScenarioEnded extends Error {
  override readonly name = 'ScenarioEnded'
}

export async function runScenarios(options: ScenarioOptions): Promise<Written> {
  const runner = new ScenarioRunner(options)
  const endedEarly = await runner.runAll()
  return { ...runner.result, endedEarly }
}

class ScenarioRunner {
  readonly #options: ScenarioOptions
  readonly #steps: StepResult[] = []
  readonly #whyNot = new Map<Operation, string>()
  readonly #impossible = new Set<Operation>()
  readonly #reached = new Set<Operation>()
  readonly #deleted: string[] = []
  readonly #remaining: { record: string; why: string }[] = []
  readonly #sideEffects = new Set<string>()
  /** Values of enums that were sent in another case. */
  readonly #tried = new Set<string>()
  #n = 0

  constructor(options: ScenarioOptions) {
    this.#options = options
  }

  get result(): Omit<Written, 'endedEarly'> {
    const { published } = this.#options
    const unwritten = published.flatMap(({ name, operations }) =>
      operations.flatMap((operation): [Operation, string][] => {
        if (operation.method === 'GET' || this.#reached.has(operation)) return []
        const uncovered = SCENARIOS[name].uncovered[operation.id]
        if (uncovered !== undefined) this.#impossible.add(operation)
        return [[operation, uncovered ?? this.#whyNot.get(operation) ?? 'no story calls it']]
      }),
    )
    return {
      steps: this.#steps,
      unwritten: new Map(unwritten),
      impossible: this.#impossible,
      deleted: this.#deleted,
      remaining: this.#remaining,
      sideEffects: [...this.#sideEffects],
    }
  }

  /** Returns why the scenarios ended early; null if all ran. */
  async runAll(): Promise<string | null> {
    const { published, allow, onStage = () => undefined } = this.#options
    let endedEarly: string | null = null
    for (const each of published) {
      const { name, operations } = each
      onStage(`writes ${name}`)
      for (const scenario of SCENARIOS[name].scenarios) {
        const why =
          endedEarly ?? (isAllowed(name, scenario, allow) ? null : `it needs --allow ${scenario.resource}`)
        if (why === null) endedEarly = await this.#runScenario(each, scenario)
        else this.#leaveOut(operations, scenario.steps, why, endedEarly === null)
      }
    }
    return endedEarly
  }

  #leaveOut(
    operations: readonly Operation[],
    steps: readonly Step[],
    why: string,
    isImpossible = false,
  ): void {
    for (const { operation: id } of steps) {
      const operation = operations.find((each) => each.id === id)
      if (!operation || this.#whyNot.has(operation)) continue
      this.#whyNot.set(operation, why)
      if (isImpossible) this.#impossible.add(operation)
    }
  }

  /** Returns why the run ends; null if it goes on. */
  async #runScenario(
    { name, operations, claims }: PublishedInterface,
    scenario: Scenario,
  ): Promise<string | null> {
    const { reference, timezone, run, known, client, ledger } = this.#options
    const scratch = await reference.scratch('none', { ...(timezone !== undefined && { timezone }) })
    const sides = {
      real: { run, ...known } as Record<string, unknown>,
      simulated: { run, account_id: String(scratch.accountId) } as Record<string, unknown>,
    }
    const simulator = new ServiceClient({
      service: scratch.service,
      budget: Infinity,
      intervalMs: 0,
      mayWrite: true,
    })
    const state: ScenarioState = {
      name,
      scenario,
      operations,
      sides,
      simulator,
      pairing: new Pairing(),
      created: [],
      unanswered: [],
      hasCreated: false,
    }
    state.pairing.pair(scratch.accountId, Number(sides.real['account_id']), 'account')
    let ends: string | null = null
    try {
      for (const [index, step] of withDerived(scenario, operations, claims, this.#tried).entries())
        await this.#runStep(state, step, index)
    } catch (error) {
      if (!(error instanceof Ended || error instanceof ScenarioEnded || error instanceof ServiceError))
        throw error
      if (!(error instanceof ScenarioEnded)) ends = error.message
      this.#leaveOut(operations, scenario.steps, error.message)
    } finally {
      const { created, unanswered } = state
      const { deleted, remaining } = await undo({ run, client, operations, ledger, created, unanswered })
      this.#deleted.push(...deleted)
      this.#remaining.push(...remaining)
      if (scenario.sideEffect !== undefined && state.hasCreated)
        this.#sideEffects.add(`${name}: ${scenario.sideEffect}`)
      await reference.delete(scratch)
    }
    return ends
  }

  async #runStep(state: ScenarioState, step: Step, index: number): Promise<void> {
    const { client, signal } = this.#options
    const { scenario, operations, sides, simulator, pairing, created, unanswered } = state
    const operation = operations.find(({ id }) => id === step.operation)
    if (!operation)
      throw new Error(`the scenario ${scenario.resource} calls ${step.operation}, which does not exist`)
    if (signal?.aborted) throw new Ended('the run was stopped')
    const open =
      created.filter((each) => each.undo).length +
      unanswered.length +
      (creationOf(scenario, step)?.undo ? 1 : 0)
    if (client.remaining <= open * RESERVE) throw new Ended(BUDGET_SPENT)
    const purpose = { kind: 'step', scenario: scenario.resource, step: index } as const
    const probeOf = (values: Readonly<Record<string, unknown>>): Probe => {
      const texts = filledTexts(step.path, values)
      return {
        operation,
        path: Object.fromEntries(
          operation.inPath.map(({ name }) => [name, texts[name] ?? String(filled(`{${name}}`, values))]),
        ),
        query: filledTexts(step.query, values),
        ...(step.body !== undefined && { body: filled(step.body, values) }),
        ...(step.file && { file: step.file }),
        purpose,
      }
    }
    const probes = withValues(() => ({ real: probeOf(sides.real), simulated: probeOf(sides.simulated) }))
    if (typeof probes === 'string') {
      const isAccount = probes === 'account_id'
      const why = isAccount ? 'it needs --account' : 'an earlier step of its story has no result'
      this.#leaveOut(operations, [step], why, isAccount)
      return
    }
    if (step.confirms !== undefined && !(await this.#isConfirmed(state, step))) {
      this.#leaveOut(operations, [step], `nobody confirmed "${step.confirms}"`, true)
      return
    }
    if (operation.method !== 'GET') await pairing.changeTimes.beforeChange()
    // Nothing is sent before the ledger has it.
    const intent = operation.method === 'GET' ? null : this.#intend(state, step, probes.real)
    const exchange = await client.send(probes.real).catch((error: unknown) => {
      // The last call may have created something, too.
      if (error instanceof ServiceError && intent) this.#answered(state, step, intent, error.exchange)
      throw error
    })
    if (intent) this.#answered(state, step, intent, exchange)
    if (!exchange) throw new Ended(BUDGET_SPENT)
    if (exchange.status === 0) throw new ScenarioEnded('the service did not answer')
    if ([401, 403, 429].includes(exchange.status))
      throw new ScenarioEnded(`the service answers ${String(exchange.status)} to ${operation.address}`)

    const simulated = await simulator.send(probes.simulated)
    if (!simulated) return
    this.#reached.add(operation)
    pairing.sent(probes.simulated.body)
    const haveSucceeded = isSuccess(exchange) && isSuccess(simulated)
    if (haveSucceeded) {
      this.#save(state, step, simulated, 'simulated')
      for (const name of Object.keys(step.save ?? {}))
        pairing.pair(sides.simulated[name], sides.real[name], name)
    }
    this.#steps.push({
      scenario,
      step,
      exchange,
      simulated,
      differences: haveSucceeded
        ? differencesIn(state, step, exchange, simulated)
        : exchange.status === simulated.status
          ? pairing.differences(step.operation, codes(simulated.body), codes(exchange.body))
          : null,
    })
  }

  readonly #confirmed = new Map<string, boolean>()

  async #isConfirmed({ name, scenario }: ScenarioState, step: Step): Promise<boolean> {
    const { confirm } = this.#options
    const word = step.confirms
    if (word === undefined || !confirm) return false
    const key = `${name} ${scenario.resource} ${word}`
    let isConfirmed = this.#confirmed.get(key)
    if (isConfirmed === undefined) {
      isConfirmed = await confirm(`${QUESTIONS[word]} (${name} ${scenario.resource})`, word)
      this.#confirmed.set(key, isConfirmed)
    }
    return isConfirmed
  }

  #intend({ name, scenario }: ScenarioState, step: Step, { path }: Probe): Intent {
    const intent: Intent = {
      n: ++this.#n,
      interface: name,
      resource: scenario.resource,
      operation: step.operation,
      path,
      creates: creationOf(scenario, step) !== null,
    }
    this.#options.ledger.intend(intent)
    return intent
  }

  /** Records the answer of the service, and what it created or deleted. */
  #answered(state: ScenarioState, step: Step, intent: Intent, exchange: Exchange | null): void {
    const { ledger } = this.#options
    const { created, unanswered, sides } = state
    const creation = creationOf(state.scenario, step)
    // A call without an answer, or with an error of the service, may have created a record.
    const isUnclear = exchange === null ? false : exchange.status === 0 || exchange.status >= 500
    if (exchange && isSuccess(exchange)) this.#save(state, step, exchange, 'real')
    const id = creation && exchange && isSuccess(exchange) ? valueIn(exchange.body, creation.idAt) : undefined
    if (creation && exchange && id !== undefined && id !== null) {
      const { undo: call } = creation
      const record: Created = {
        n: intent.n,
        interface: state.name,
        resource: state.scenario.resource,
        id: textOf(id),
        undo: call && {
          ...call,
          path: { ...intent.path, ...filledTexts(call.path, { ...sides.real, [creation.id]: id }) },
        },
      }
      ledger.created(record)
      created.push(record)
      state.hasCreated = true
    } else if (creation && exchange && (isUnclear || isSuccess(exchange)))
      unanswered.push({ ...intent, mayFollow: MAY_FOLLOW.has(exchange.status) })
    else ledger.answered(intent.n, exchange?.status ?? 0)
    if (exchange && (isSuccess(exchange) || exchange.status === 404)) this.#undone(state, intent)
  }

  /** Removes a record from what must be undone if the step was its undo. */
  #undone({ created }: ScenarioState, { operation, path }: Intent): void {
    const index = created.findIndex(
      ({ undo: call }) =>
        call?.operation === operation &&
        Object.entries(path).every(([name, value]) => call.path[name] === value),
    )
    const [record] = index < 0 ? [] : created.splice(index, 1)
    if (!record) return
    this.#options.ledger.undone(record.n)
    this.#deleted.push(`${record.interface} ${record.resource} ${record.id}`)
  }

  #save({ sides }: ScenarioState, { save = {} }: Step, exchange: Exchange, side: 'real' | 'simulated'): void {
    for (const [name, place] of Object.entries(save)) sides[side][name] = valueIn(exchange.body, place)
  }
}

/**
 * Returns what a step creates, and where its answer has the id. A step that must be refused creates the same as the step of
 * the same operation if the service accepts it.
 */
function creationOf({ steps }: Scenario, step: Step): (Creation & { readonly idAt: string }) | null {
  const creating = step.creates
    ? step
    : steps.find((each) => each.operation === step.operation && each.creates)
  const { creates, save = {} } = creating ?? {}
  return creates ? { ...creates, idAt: save[creates.id] ?? '' } : null
}

/** The state of the scenario that runs. */
interface ScenarioState extends ComparedSides {
  readonly name: InterfaceName
  readonly scenario: Scenario
  readonly operations: readonly Operation[]
  readonly simulator: ServiceClient
  /** Records of the service that still exist. */
  readonly created: Created[]
  /** Calls that may have created a record. */
  readonly unanswered: Unanswered[]
  hasCreated: boolean
}

/** Answers after which the service may still create the record: none, 202, and those of a gateway that gave up. */
const MAY_FOLLOW: ReadonlySet<number> = new Set([0, 202, 502, 504])

const QUESTIONS = {
  stamp: 'Stamp a document at the tax authority? A stamped document stays',
  pay: 'Move money? Nothing undoes a payment',
  send: 'Send messages and invitations? They go to addresses at example.com',
} as const

const isSuccess = ({ status }: Exchange): boolean => status >= 200 && status < 300
