/**
 * Reads a service: lists, the records in them, then pages, filters, sorts, repeated reads, unknown ids and bad values. The
 * same crawl reads the target and the simulator. Stages go from the most to the least valuable, over all operations, so
 * that a small budget still sees every operation.
 */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { NEEDED } from '../differential/loaders/index.ts'
import { ServiceError, type ServiceClient } from '../exchanges/serviceClient.ts'
import type { Exchange, Probe, Purpose } from '../exchanges/exchange.ts'
import type { Operation, Parameter } from '../model/operation.ts'
import { BUDGET_SPENT } from '../report/report.ts'
import { addressesOf, allAddressesOf, type Address, type KnownValues } from './addresses.ts'
import { filterProbes } from './filters.ts'
import { Answers, withAnswers } from './answers.ts'
import { badValueProbes, pageProbes, sizeProbes, sortProbes, unknownIdProbe, wholeProbes } from './probes.ts'
import { requiredQuery } from './values.ts'

export interface CrawlOptions {
  readonly client: ServiceClient
  readonly operations: readonly Operation[]
  readonly known: KnownValues
  /** Whether to call without a key and with a wrong key. */
  readonly probesAuth: boolean
  readonly onStage?: (stage: string) => void
}

/** Operations that were not called, and why. */
export type Uncalled = ReadonlyMap<Operation, string>

export interface Crawl {
  readonly answers: Answers
  readonly uncalled: Uncalled
  /** Why the crawl ended before its plan. */
  readonly endedEarly: string | null
}

/** Operations that left calls without an answer: how many, and why. */
type Silent = Map<Operation, { readonly calls: number; readonly why: string }>

/** Calls without an answer after which an operation is not called again: each takes half a minute or more. */
const MAX_SILENT = 2

/** Rounds of plain reads: lists of lists of records need one for each level. */
const LEVELS = 3

export async function crawl(options: CrawlOptions): Promise<Crawl> {
  const { client, operations, known } = options
  const readable = operations.filter(({ method }) => method === 'GET')
  const answers = new Answers(readable)
  const silent: Silent = new Map()
  const failure = await readAll(options, readable, answers, silent).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError) return error.message
      throw error
    },
  )
  const endedEarly =
    failure ?? (client.isStopped ? 'the run was stopped' : client.remaining === 0 ? BUDGET_SPENT : null)
  const refused = refusedOf(answers)
  const accepted = withAnswers(
    readable,
    answers.exchanges.filter(({ probe }) => !refused.has(probe.operation.interface)),
    silent.keys(),
  )
  return {
    answers: accepted,
    uncalled: uncalledOf(readable, accepted, known, endedEarly, refused, silent),
    endedEarly:
      endedEarly ??
      (refused.size > 0 && accepted.exchanges.length === 0 ? ([...refused.values()][0] ?? null) : null),
  }
}

/** Returns the interfaces that refuse every call with the key, and why nothing can be said of them. */
function refusedOf(answers: Answers): ReadonlyMap<InterfaceName, string> {
  const statuses = new Map<InterfaceName, Set<number>>()
  for (const { probe, status } of answers.exchanges) {
    const { operation, purpose } = probe
    if (purpose.kind === 'auth') continue
    const known = statuses.get(operation.interface) ?? new Set()
    statuses.set(operation.interface, known.add(status))
  }
  return new Map(
    [...statuses].flatMap(([name, [status = 0, ...others]]): [InterfaceName, string][] =>
      others.length === 0 && [401, 403, 404].includes(status)
        ? [[name, `the service refuses every call with ${String(status)}: check the key and the base URL`]]
        : [],
    ),
  )
}

async function readAll(
  { client, known, probesAuth, onStage = () => undefined }: CrawlOptions,
  readable: readonly Operation[],
  answers: Answers,
  silent: Silent,
): Promise<void> {
  const sent = new Set<string>()
  /** Lists that were read to their last row. */
  const read = new Set<Exchange>()

  const send = async (probe: Probe): Promise<Exchange | null> => {
    const exchange = await client.send(probe).catch((error: unknown) => {
      if (error instanceof ServiceError) note(error.exchange)
      throw error
    })
    if (exchange && exchange.status > 0) answers.add(exchange)
    else if (exchange) note(exchange)
    return exchange
  }
  const note = ({ probe: { operation }, text }: Exchange): void => {
    silent.set(operation, { calls: (silent.get(operation)?.calls ?? 0) + 1, why: text })
  }
  const isSilent = (operation: Operation): boolean => (silent.get(operation)?.calls ?? 0) >= MAX_SILENT
  /** Sends each probe of each operation: one probe of every operation before the second one of any. */
  const stage = async (name: string, probesOf: (operation: Operation) => Iterable<Probe>): Promise<void> => {
    onStage(name)
    const waiting = readable.map((operation) => ({
      operation,
      probes: probesOf(operation)[Symbol.iterator](),
    }))
    for (let open = waiting; open.length > 0;) {
      const unfinished: typeof open = []
      for (const each of open) {
        const next = isSilent(each.operation) ? null : each.probes.next()
        if (!next || next.done === true) continue
        if ((await send(next.value)) === null) return
        unfinished.push(each)
      }
      open = unfinished
    }
  }

  function* probesAt(
    operation: Operation,
    query: Probe['query'],
    addresses: readonly Address[],
  ): Generator<Probe> {
    for (const { path, row, of } of addresses) {
      const key = `${operation.interface} ${operation.address} ${JSON.stringify([path, query])}`
      if (sent.has(key)) continue
      sent.add(key)
      const isRecord = operation.inPath.length > 0 && answers.listOf(operation) === null
      const purpose: Purpose = isRecord ? { kind: 'record', of, row } : { kind: 'plain' }
      yield { operation, path, query, purpose }
    }
  }

  for (let level = 1; level <= LEVELS; level++) {
    await stage(`lists and records ${String(level)}`, function* (operation) {
      const query = requiredQuery(operation, answers, known)
      if (!query) return
      yield* probesAt(operation, query, addressesOf(operation, answers, known))
    })
  }
  const successes = (operation: Operation): Exchange[] =>
    [...answers.of(operation, 'plain'), ...answers.of(operation, 'record')].filter(
      ({ status }) => status >= 200 && status < 300,
    )
  const first = (operation: Operation): Exchange | undefined => fullest(successes(operation), answers)

  await stage('unknown ids', function* (operation) {
    const probe = unknownIdProbe(operation, successes(operation)[0])
    if (probe) yield probe
  })
  await stage('repeated reads', function* (operation) {
    const of = first(operation)
    if (of) yield { ...of.probe, purpose: { kind: 'repeat', of } }
  })
  await stage('pages', function* (operation) {
    yield* pageProbes(operation, first(operation), answers)
  })
  await stage('page sizes', function* (operation) {
    yield* sizeProbes(operation, first(operation), answers)
  })
  await stage('sorts', function* (operation) {
    yield* sortProbes(operation, first(operation), answers)
  })
  await stage('all rows', function* (operation) {
    for (const of of answers.plain(operation)) {
      read.add(of)
      yield* wholeProbes(of, answers)
    }
  })
  await stage('filters', function* (operation) {
    yield* filterProbes(operation, first(operation), answers)
  })
  await stage('bad values', function* (operation) {
    yield* badValueProbes(operation, first(operation), answers)
  })
  // Records of lists of records need one round for each level.
  for (const level of [1, 2]) {
    await stage(`every record ${String(level)}`, function* (operation) {
      const query = requiredQuery(operation, answers, known)
      const needed = NEEDED.get(`${operation.interface} ${operation.id}`)
      if (!query || !needed) return
      yield* probesAt(operation, { ...query, ...needed }, allAddressesOf(operation, answers, known))
      for (const of of answers.plain(operation)) {
        if (!read.has(of)) yield* wholeProbes(of, answers)
        read.add(of)
      }
    })
  }
  if (probesAuth) {
    await stage('keys', function* (operation) {
      const of = first(operation)
      if (!of) return
      for (const key of ['none', 'wrong'] as const) yield { ...of.probe, purpose: { kind: 'auth', key } }
    })
  }
}

/** Returns the answer with the most rows, so that pages and filters have something to show. */
function fullest(exchanges: readonly Exchange[], answers: Answers): Exchange | undefined {
  return exchanges.toSorted((a, b) => answers.rows(b).length - answers.rows(a).length)[0]
}

function uncalledOf(
  operations: readonly Operation[],
  answers: Answers,
  known: KnownValues,
  endedEarly: string | null,
  refused: ReadonlyMap<InterfaceName, string>,
  silent: Silent,
): Uncalled {
  const reasons = operations
    .filter((operation) => answers.of(operation).length === 0)
    .map((operation): [Operation, string] => [
      operation,
      refused.get(operation.interface) ??
        whySilent(silent.get(operation)) ??
        whyUnasked(operation, answers, known, endedEarly),
    ])
  return new Map(reasons)
}

const whySilent = (call: { readonly why: string } | undefined): string | null =>
  call ? `the service did not answer: ${call.why}` : null

function whyUnasked(
  operation: Operation,
  answers: Answers,
  known: KnownValues,
  endedEarly: string | null,
): string {
  const missing = (parameters: readonly Parameter[]): string =>
    parameters.map(({ name }) => `--with ${operation.interface}.${name}=VALUE`).join(' ')
  const query = operation.inQuery.filter(({ isRequired }) => isRequired)
  if (endedEarly !== null) return endedEarly
  if (!requiredQuery(operation, answers, known)) return `no call shows a value; give one: ${missing(query)}`
  return `the service shows no such record; create one, or give one: ${missing(operation.inPath.slice(-1))}`
}
