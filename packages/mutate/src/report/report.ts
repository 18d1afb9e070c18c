/** The report of a run, as JSON; all other formats are written from it. */
import { counted } from '@suite-sim/kit/text/counted'
import { KINDS } from '../kinds/index.ts'
import { guardsOf, scoreOf, type Outcome, type Score, type Verdict } from '../run/outcome.ts'
import type { MutateResult } from '../run/mutate.ts'
import { compare } from '../met.ts'
import type { Half } from '../mutation.ts'
import { excerptOf, type Excerpt } from './excerpt.ts'

export interface ReportedMutation {
  readonly id: string
  readonly kind: string
  readonly half: Half
  readonly interface: string
  /** The field, the operation or the event. */
  readonly subject: string
  readonly operations: readonly string[]
  /** "is larger by one cent" */
  readonly change: string
  readonly verdict: Verdict
  /** What was answered instead of what; null if the run did not get so far. */
  readonly example: Excerpt | null
  readonly failedTests: readonly string[]
  readonly durationMs: number
}

export interface Report {
  readonly version: 1
  readonly command: readonly string[]
  readonly seed: string
  readonly score: Score
  /** Why the command exits with 1; empty if it does not. */
  readonly problems: readonly string[]
  readonly isInterrupted: boolean
  readonly undisturbedMs: number
  readonly interfaces: readonly string[]
  readonly mutations: readonly ReportedMutation[]
  /** The tests that alone notice changes. */
  readonly guards: readonly { readonly test: string; readonly mutations: readonly string[] }[]
  /** The mutations whose runs failed by chance: tests that fail now and then also notice what they should not. */
  readonly unsteady: readonly { readonly mutation: string; readonly failedTests: readonly string[] }[]
}

export interface ReportOptions {
  readonly command: readonly string[]
  readonly seed: string
  /** The smallest share that is enough; null for any. */
  readonly minScore: number | null
}

export function reportOf(result: MutateResult, { command, seed, minScore }: ReportOptions): Report {
  const score = scoreOf(result.outcomes)
  const strict = score.harmless - score.tolerated
  const problems = [
    ...(minScore !== null && score.share < minScore
      ? [`${percent(score.share)} of the harmful changes were noticed, less than ${percent(minScore)}`]
      : []),
    ...(strict > 0 ? [`${String(strict)} of ${String(score.harmless)} harmless changes failed a test`] : []),
  ]
  return {
    version: 1,
    command,
    seed,
    score,
    problems,
    isInterrupted: result.isInterrupted,
    undisturbedMs: Math.round(result.undisturbedMs),
    interfaces: [...new Set(result.outcomes.map(({ mutation }) => mutation.interface))].toSorted(),
    mutations: result.outcomes.map(reported),
    guards: guardsOf(result.outcomes).map(({ test, mutations }) => ({
      test,
      mutations: mutations.map(({ id }) => id),
    })),
    unsteady: result.outcomes.flatMap(({ mutation, failedByChance }) =>
      failedByChance ? [{ mutation: mutation.id, failedTests: failedByChance }] : [],
    ),
  }
}

const reported = ({ mutation, verdict, example, failed, durationMs }: Outcome): ReportedMutation => ({
  id: mutation.id,
  kind: mutation.kind,
  half: mutation.half,
  interface: mutation.interface,
  subject: mutation.subject,
  operations: mutation.operations,
  change: wordsOf(mutation.kind),
  verdict,
  example: example && excerptOf(mutation, example),
  failedTests: failed,
  durationMs: Math.round(durationMs),
})

const wordsOf = (kind: string): string => KINDS.find(({ name }) => name === kind)?.words ?? kind

/** Rounded down, so that 100% means all. */
export const percent = (share: number): string => `${String(Math.floor(share * 100))}%`

export const having = (
  { mutations }: Pick<Report, 'mutations'>,
  verdict: Verdict,
): readonly ReportedMutation[] => mutations.filter((each) => each.verdict === verdict)

/** "62%: 5 of 8 harmful changes were noticed, 5 of 5 harmless ones passed" */
export const headlineOf = ({ score }: Pick<Report, 'score'>): string =>
  `${percent(score.share)}: ${String(score.noticed)} of ${counted(score.harmful, 'harmful change')} were noticed, ${String(score.tolerated)} of ${counted(score.harmless, 'harmless one')} passed`

/** "is larger by one cent; getLink had 44901 instead of 44900" */
export function sentenceOf({ subject, change, example }: ReportedMutation): string {
  const [, value] = subject.split('=')
  const what = value === undefined ? change : `${value} ${change}`
  return example === null
    ? what
    : `${what}; ${example.where} had ${example.after} instead of ${example.before}`
}

/** "3 runs failed without a change, so the grade may be too good: cart.test.ts pays"; empty if all runs were steady. */
export function chanceOf({ unsteady }: Pick<Report, 'unsteady'>): string {
  if (unsteady.length === 0) return ''
  const tests = [...new Set(unsteady.flatMap(({ failedTests }) => failedTests))].toSorted()
  const named = tests.length === 0 ? '' : `: ${tests.join(', ')}`
  return `${counted(unsteady.length, 'run')} failed without a change, so the grade may be too good${named}`
}

export interface SubjectGroup {
  /** "payments Link.amount" */
  readonly title: string
  /** "Link.amount" */
  readonly subject: string
  readonly mutations: readonly ReportedMutation[]
}

/** Returns mutations by interface and subject, in the order of their names. */
export function bySubject(mutations: readonly ReportedMutation[]): SubjectGroup[] {
  const groups = new Map<string, { subject: string; mutations: ReportedMutation[] }>()
  for (const mutation of mutations) {
    const [subject = ''] = mutation.subject.split('=')
    const title = `${mutation.interface} ${subject}`
    const group = groups.get(title) ?? { subject, mutations: [] }
    groups.set(title, group)
    group.mutations.push(mutation)
  }
  return [...groups]
    .map(([title, { subject, mutations: all }]) => ({
      title,
      subject,
      mutations: all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    }))
    .toSorted((one, other) => compare(one.title, other.title))
}

const placeOf = ({ kind }: ReportedMutation): number => KINDS.findIndex(({ name }) => name === kind)
