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
    ...(result.failedAtLast
      ? [
          `the command failed without a change at the end, so the grade says nothing${namesOf(result.failedAtLast)}`,
        ]
      : []),
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

/** "62%: 5 of 8 harmful changes were noticed, 5 of 5 harmless changes passed" */
export function headlineOf({ score }: Pick<Report, 'score'>): string {
  const { harmful, noticed, harmless, tolerated, share } = score
  const passed = `${String(tolerated)} of ${counted(harmless, 'harmless change')} passed`
  if (harmful === 0) return `No harmful change was tried, ${passed}`
  const verb = harmful === 1 ? 'was' : 'were'
  return `${percent(share)}: ${String(noticed)} of ${counted(harmful, 'harmful change')} ${verb} noticed, ${passed}`
}

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
  return `${counted(unsteady.length, 'run')} failed without a change, so the grade may be too good${namesOf(tests)}`
}

const namesOf = (tests: readonly string[]): string => (tests.length === 0 ? '' : `: ${tests.join(', ')}`)

export interface SubjectGroup {
  /** "payments Link.amount" */
  readonly title: string
  /** "Link.amount" */
  readonly subject: string
  readonly mutations: readonly ReportedMutation[]
}

/** Returns mutations by interface and subject, those with the most telling kind first, and then in the order of their names. */
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
    .toSorted((one, other) => leastPlace(one) - leastPlace(other) || compare(one.title, other.title))
}

const leastPlace = ({ mutations: [first] }: SubjectGroup): number => (first ? placeOf(first) : 0)

/** Kinds that only a test which reads a field notices. */
const OF_READERS = ['field-gone', 'field-null', 'field-type', 'enum-new', 'webhook-field-gone']

export interface Survivors {
  readonly told: readonly SubjectGroup[]
  /** Fields that tests do not read: one line for all of them, because each would only say so again. */
  readonly unread: readonly string[]
}

export function survivorsOf(report: Pick<Report, 'mutations'>): Survivors {
  const groups = bySubject(having(report, 'survived'))
  const isUnread = ({ mutations }: SubjectGroup): boolean =>
    mutations.some(({ kind }) => kind === 'field-gone') &&
    mutations.every(({ kind }) => OF_READERS.includes(kind))
  return {
    told: groups.filter((each) => !isUnread(each)),
    unread: groups.filter(isUnread).map(({ title }) => title),
  }
}

const BY_RANK = KINDS.toSorted((one, other) => one.rank - other.rank)

const placeOf = ({ kind }: ReportedMutation): number => BY_RANK.findIndex(({ name }) => name === kind)
