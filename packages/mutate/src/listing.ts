/** The mutations of what a run met, the most telling first; the same for the same run and seed. */
import { createHash } from 'node:crypto'
import { KINDS } from './kinds/index.ts'
import type { Kind } from './kinds/kind.ts'
import { compare, type MetInterface } from './met.ts'
import type { Mutation } from './mutation.ts'

export interface ListingOptions {
  readonly seed: string
  /** Names of kinds, or parts of fields, operations and events; all by default. */
  readonly only?: readonly string[] | undefined
  /** Names of the same kind that are left out; none by default. */
  readonly except?: readonly string[] | undefined
}

export function mutationsOf(
  met: readonly MetInterface[],
  { seed, only, except }: ListingOptions,
): Mutation[] {
  const all = met.flatMap((each) => KINDS.flatMap((kind) => mutationsOfKind(kind, each)))
  const isAmong = (mutation: Mutation, names: readonly string[]): boolean =>
    names.some((name) => isNamed(mutation, name))
  const wanted = all.filter((each) => (!only || isAmong(each, only)) && !(except && isAmong(each, except)))
  return inOrder(wanted, seed)
}

const mutationsOfKind = (kind: Kind, met: MetInterface): Mutation[] =>
  kind.targets(met).map((target) => ({
    id: `${kind.name} ${met.name} ${target.subject}`,
    kind: kind.name,
    half: kind.half,
    interface: met.name,
    ...target,
  }))

const isNamed = ({ kind, id, subject, operations }: Mutation, name: string): boolean =>
  kind === name ||
  id === name ||
  subject === name ||
  subject.startsWith(`${name}.`) ||
  subject.startsWith(`${name}=`) ||
  operations.includes(name)

/** Mutations of a kind that run before the next rank. */
const AT_ONCE = 8

/**
 * By rank, and the kinds of a rank take turns, so that a short budget has some of each. A kind with many mutations goes on
 * beside the next rank. The seed decides which subjects of a kind come first.
 */
function inOrder(mutations: readonly Mutation[], seed: string): Mutation[] {
  const turns = new Map<string, number>()
  const placed = mutations
    .map((mutation) => ({ mutation, drawn: digestOf(`${seed} ${mutation.id}`) }))
    .toSorted((one, other) => compare(one.drawn, other.drawn))
    .map(({ mutation }) => {
      const turn = turns.get(mutation.kind) ?? 0
      turns.set(mutation.kind, turn + 1)
      const kind = KINDS.findIndex(({ name }) => name === mutation.kind)
      return { mutation, turn, kind, rank: (KINDS[kind]?.rank ?? 0) + Math.floor(turn / AT_ONCE) }
    })
  return placed
    .toSorted((one, other) => one.rank - other.rank || one.turn - other.turn || one.kind - other.kind)
    .map(({ mutation }) => mutation)
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
