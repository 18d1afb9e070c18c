/** The mutation score: which kinds of drift `verify` finds, and with which oracle. */
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Oracle } from '@suite-sim/verify/checks/checks'
import type { Difference } from '@suite-sim/verify/report/report'
import { groupBy } from './instances.ts'
import { titleOf, type Mutation } from './kind.ts'
import { KINDS } from './kinds/index.ts'
import { startMutatingProxy } from './proxy.ts'

/** What a run of `verify` against a URL found. */
export type Run = (
  url: string,
  name: InterfaceName,
) => Promise<readonly Pick<Difference, 'status' | 'oracle' | 'operation' | 'firstSeen'>[]>

/** What became of one mutation. */
export interface Outcome {
  readonly title: string
  readonly kind: string
  readonly interface: InterfaceName
  /** "crm GET /deals" */
  readonly operation: string
  /** Number of answers that the mutation changed. Without any, nothing could be found, and it is not counted. */
  readonly changed: number
  /** The oracles with a difference at the operation, in the order in which they found it. */
  readonly oracles: readonly Oracle[]
  /** Differences at other operations. */
  readonly atOtherOperations: number
}

/** Runs `verify` against the simulator with one mutation. */
export async function tryMutation(target: string, mutation: Mutation, run: Run): Promise<Outcome> {
  const proxy = await startMutatingProxy({ target, mutation })
  try {
    const found = (await run(proxy.url, mutation.readable.interface)).filter(
      ({ status }) => status === 'differs',
    )
    const here = found.filter(({ operation }) => isNear(operation, mutation))
    const order = here.toSorted((one, other) => (one.firstSeen < other.firstSeen ? -1 : 1))
    return {
      title: titleOf(mutation),
      kind: mutation.kind.name,
      interface: mutation.readable.interface,
      operation: mutation.readable.title,
      changed: proxy.journal.changed,
      oracles: [...new Set(order.map(({ oracle }) => oracle))],
      atOtherOperations: found.length - here.length,
    }
  } finally {
    await proxy.close()
  }
}

/** True for the operation itself, and for the list and the record with which its answers are compared. */
function isNear(address: string, { readable: { operation } }: Mutation): boolean {
  return withoutId(address) === withoutId(operation.address)
}

const withoutId = (address: string): string => address.replace(/\/\{[^}]+\}$/, '')

/** Mutations that changed an answer, and how many of them were found. */
export interface Share {
  readonly name: string
  readonly mutations: number
  readonly found: number
}

export interface Score {
  /** Mutations that changed at least one answer. */
  readonly mutations: number
  readonly found: number
  /** Operations with at least one of them. */
  readonly operations: number
  readonly byKind: readonly Share[]
  readonly byInterface: readonly Share[]
  /** How many mutations each oracle found: as the first, at all, and as the only one. */
  readonly byOracle: readonly {
    readonly oracle: Oracle
    readonly first: number
    readonly any: number
    readonly only: number
  }[]
  /** Mutations that were not found. */
  readonly survivors: readonly string[]
  /** Mutations that changed no answer of the run. They are not counted. */
  readonly unchanged: readonly string[]
}

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const counted = outcomes.filter(({ changed }) => changed > 0)
  const isFound = ({ oracles }: Outcome): boolean => oracles.length > 0
  const shares = (keyOf: (outcome: Outcome) => string): Share[] =>
    [...groupBy(counted, keyOf)].map(([name, group]) => ({
      name,
      mutations: group.length,
      found: group.filter(isFound).length,
    }))
  const oracles = [...new Set(counted.flatMap((outcome) => outcome.oracles))].toSorted()
  const order = KINDS.map(({ name }) => name)
  return {
    mutations: counted.length,
    found: counted.filter(isFound).length,
    operations: new Set(counted.map(({ operation }) => operation)).size,
    byKind: shares(({ kind }) => kind).toSorted(
      (one, other) => order.indexOf(one.name) - order.indexOf(other.name),
    ),
    byInterface: shares((outcome) => outcome.interface),
    byOracle: oracles.map((oracle) => ({
      oracle,
      first: counted.filter((outcome) => outcome.oracles[0] === oracle).length,
      any: counted.filter((outcome) => outcome.oracles.includes(oracle)).length,
      only: counted.filter((outcome) => outcome.oracles.length === 1 && outcome.oracles[0] === oracle).length,
    })),
    survivors: titles(counted.filter((outcome) => !isFound(outcome))),
    unchanged: titles(outcomes.filter(({ changed }) => changed === 0)),
  }
}

const titles = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ title }) => title).toSorted()

/** The share of mutations that were found, from 0 to 1. */
export const shareOf = ({ mutations, found }: Pick<Share, 'mutations' | 'found'>): number =>
  mutations === 0 ? 1 : found / mutations
