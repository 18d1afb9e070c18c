/** The report of a run: questions to the vendor, what was confirmed, what was covered, and scores. */
import type { Report as VerifyReport } from '@suite-sim/verify/report/report'
import { VERSION } from '@suite-sim/kit/version'
import type { Note, Part, Reliance } from './part.ts'
import { costOf, weightOf } from './questions.ts'
import {
  REPORT_FORMAT,
  type Confirmed,
  type Covered,
  type ExamScore,
  type MutateScore,
  type Question,
  type RunReport,
  type Share,
} from './runReport.ts'

export interface Measured {
  readonly verify?: Pick<VerifyReport, 'run' | 'claims'> | undefined
  readonly exams?: readonly ExamScore[]
  readonly mutate?: MutateScore | undefined
}

/** Makes the report of one or several parts. `createdAt` is the time of the report. */
export function reportOf(parts: readonly Part[], measured: Measured, createdAt: string): RunReport {
  const covered = coveredIn(parts)
  const isMet = (each: { readonly calls?: number; readonly count?: number }): boolean =>
    (each.calls ?? each.count ?? 0) > 0
  const share = (all: readonly { readonly calls?: number; readonly count?: number }[]): Share => ({
    met: all.filter(isMet).length,
    of: all.length,
  })
  const { questions, confirmed } = judged(parts, measured)
  const { verify, exams = [], mutate = null } = measured
  return {
    format: REPORT_FORMAT,
    version: VERSION,
    createdAt,
    workspaces: parts.map(({ workspace }) => workspace),
    summary: {
      calls: covered.operations.reduce((sum, { calls }) => sum + calls, 0),
      examined: parts.reduce((sum, { examined }) => sum + examined, 0),
      questions: questions.length,
      confirmed: confirmed.length,
      operations: share(covered.operations),
      transitions: share(covered.transitions),
      events: share(covered.events),
    },
    questions,
    confirmed,
    notes: mergedNotes(parts),
    covered: {
      operations: covered.operations.filter(isMet),
      transitions: covered.transitions.filter(isMet),
      events: covered.events.filter(isMet),
    },
    verify: verify ? { service: verify.run.baseUrl, at: verify.run.endedAt } : null,
    exams,
    mutate,
  }
}

/** Separates what is still open from what was measured. */
function judged(parts: readonly Part[], { verify }: Measured) {
  const observedAt = parts.find((each) => each.observedAt !== null)?.observedAt ?? null
  const verdicts = new Map(verify?.claims.map((each) => [`${each.interface} ${each.claim}`, each.verdict]))
  const questions: Question[] = []
  const confirmed: Confirmed[] = []
  for (const each of mergedReliances(parts)) {
    const found = each.claims.map((claim) => verdicts.get(`${each.interface} ${claim}`) ?? 'not_checked')
    const agrees = found.filter((verdict) => verdict === 'agrees').length
    if (each.isObserved) confirmed.push({ ...each, by: 'observed', at: observedAt })
    else if (found.length > 0 && agrees === found.length)
      confirmed.push({ ...each, by: 'verify', at: verify?.run.endedAt ?? null })
    else {
      const verified = found.includes('differs') ? 'differs' : agrees > 0 ? 'in part' : undefined
      questions.push({ ...each, cost: costOf(each), ...(verified && { verified }) })
    }
  }
  // What is known to be wrong comes first. Equal weights keep the order in which the run met them.
  const rank = (each: Question): number => (each.verified === 'differs' ? Infinity : weightOf(each))
  questions.sort((one, other) => (rank(one) === rank(other) ? 0 : rank(other) - rank(one)))
  return { questions, confirmed }
}

/** The maximum number of requests of a question. */
const MAX_REQUESTS = 25

/** Ids are those of one workspace. Of several tests, each has one entry: "pays twice: req_8, req_11". */
function mergedReliances(parts: readonly Part[]): Reliance[] {
  const all = new Map<string, Reliance>()
  for (const { workspace, reliances } of parts) {
    for (const each of reliances) {
      const known = all.get(each.key)
      const own = parts.length === 1 ? each.requests : [`${workspace.name}: ${idsOf(each)}`]
      all.set(each.key, {
        ...(known ?? each),
        count: (known?.count ?? 0) + each.count,
        requests: [...(known?.requests ?? []), ...own].slice(0, MAX_REQUESTS),
        claims: [...new Set([...(known?.claims ?? []), ...each.claims])],
      })
    }
  }
  return [...all.values()]
}

/** The maximum number of ids of one test. */
const MAX_IDS = 3

const idsOf = ({ requests }: Reliance): string =>
  [...requests.slice(0, MAX_IDS), ...(requests.length > MAX_IDS ? ['…'] : [])].join(', ')

function mergedNotes(parts: readonly Part[]): Note[] {
  const all = new Map<string, Note>()
  for (const each of parts.flatMap(({ notes }) => notes)) {
    const key = `${each.interface} ${each.operation}`
    all.set(key, { ...each, calls: (all.get(key)?.calls ?? 0) + each.calls })
  }
  return [...all.values()]
}

function coveredIn(parts: readonly Part[]): Covered {
  const all = parts.map(({ covered }) => covered)
  return {
    operations: summed(
      all.flatMap(({ operations }) => operations),
      (each) => `${each.interface} ${each.operation}`,
      (one, other) => ({
        ...one,
        calls: one.calls + other.calls,
        statuses: sumOf(one.statuses, other.statuses),
      }),
    ),
    transitions: summed(
      all.flatMap(({ transitions }) => transitions),
      (each) => `${each.machine} ${each.move} ${each.from} ${each.to}`,
      (one, other) => ({ ...one, count: one.count + other.count }),
    ),
    events: summed(
      all.flatMap(({ events }) => events),
      (each) => `${each.interface} ${each.event}`,
      (one, other) => ({ ...one, count: one.count + other.count }),
    ),
  }
}

function summed<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  add: (one: Entry, other: Entry) => Entry,
): Entry[] {
  const all = new Map<string, Entry>()
  for (const each of entries) {
    const key = keyOf(each)
    const known = all.get(key)
    all.set(key, known === undefined ? each : add(known, each))
  }
  return [...all.values()]
}

type Counts = Readonly<Record<string, number>>

const sumOf = (one: Counts, other: Counts): Record<string, number> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((each) => [
      each,
      (one[each] ?? 0) + (other[each] ?? 0),
    ]),
  )
