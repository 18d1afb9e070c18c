/** What the run of a mutation shows, and the numbers of all of them. */
import type { Example, Half, Mutation } from '../mutation.ts'

export type Verdict =
  /** A harmful change failed a test. */
  | 'noticed'
  /** A harmful change passed. */
  | 'survived'
  /** A harmless change passed. */
  | 'tolerated'
  /** A harmless change failed a test. */
  | 'refused'
  /** The run did not get as far as the change. */
  | 'not met'
  /** The time was over. */
  | 'not run'

export interface Outcome {
  readonly mutation: Mutation
  readonly verdict: Verdict
  readonly example: Example | null
  readonly failed: readonly string[]
  /** The failed tests of a run that failed although nothing had changed, or although it passed again; null otherwise. */
  readonly failedByChance: readonly string[] | null
  readonly durationMs: number
}

export interface Score {
  readonly harmful: number
  readonly noticed: number
  readonly harmless: number
  readonly tolerated: number
  /** The share of the harmful changes that were noticed; 1 if there are none. */
  readonly share: number
}

export function scoreOf(outcomes: readonly Pick<Outcome, 'verdict'>[]): Score {
  const count = (...verdicts: readonly Verdict[]): number =>
    outcomes.filter(({ verdict }) => verdicts.includes(verdict)).length
  const harmful = count('noticed', 'survived')
  const noticed = count('noticed')
  return {
    harmful,
    noticed,
    harmless: count('tolerated', 'refused'),
    tolerated: count('tolerated'),
    share: harmful === 0 ? 1 : noticed / harmful,
  }
}

export function verdictOf(half: Half, { isMet, hasFailed }: { isMet: boolean; hasFailed: boolean }): Verdict {
  if (!isMet) return 'not met'
  if (half === 'harmful') return hasFailed ? 'noticed' : 'survived'
  return hasFailed ? 'refused' : 'tolerated'
}

/** A test that alone notices changes. */
export interface Guard {
  readonly test: string
  readonly mutations: readonly Mutation[]
}

/** Returns the tests without which a change would pass, those that guard most first. */
export function guardsOf(outcomes: readonly Outcome[]): Guard[] {
  const found = new Map<string, Mutation[]>()
  for (const { verdict, failed, mutation } of outcomes) {
    const [test, ...others] = failed
    if (verdict !== 'noticed' || test === undefined || others.length > 0) continue
    found.set(test, [...(found.get(test) ?? []), mutation])
  }
  return [...found]
    .map(([test, mutations]) => ({ test, mutations }))
    .toSorted((one, other) => other.mutations.length - one.mutations.length)
}
