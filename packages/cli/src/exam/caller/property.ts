/** What the properties of the exam of a client share. */
import { counted } from '@suite-sim/kit/text/counted'
import { groupBy, hasSucceeded, isWrite, kindOf, textOf, type Call } from './calls.ts'
import type { Documents } from './documents.ts'
import type { CallerGrade } from '../options.ts'
import { callsOf, compare, describe, type Comparison } from './records.ts'
import type { Fault, Run, Weather } from './run.ts'

export interface Verdict {
  readonly grade: CallerGrade
  readonly reason: string
  /** The calls that prove it, with the run that made them. */
  readonly proof: readonly Proof[]
}

export interface Proof {
  readonly run: Run
  readonly call: Call
}

export interface Plan {
  /** One for each run. */
  readonly weather: readonly Weather[]
  /** Judges the runs, in the order of their weather. */
  judge(runs: readonly Run[]): Verdict
  /** For runs that did not meet the weather. */
  readonly otherwise?: Plan
}

export interface CallerProperty {
  /** "lost_answer" */
  readonly name: string
  readonly title: string
  /** Its runs wait for seconds, so that they start first. */
  readonly isLong?: true
  /** Plans the runs. A text says why no call of the client can meet the weather. */
  plan(base: Run, documents: Documents): Plan | string
}

export const pass = (reason: string): Verdict => ({ grade: 'pass', reason, proof: [] })
export const notMet = (reason: string): Verdict => ({ grade: 'not met', reason, proof: [] })
export const fail = (reason: string, run: Run, calls: Iterable<Call>): Verdict => ({
  grade: 'fail',
  reason,
  proof: [...new Set(calls)].sort((one, other) => one.end - other.end).map((call) => ({ run, call })),
})

/** Returns the first verdict of the worst grade. */
export const worstOf = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ grade }) => grade === 'fail') ??
  verdicts.find(({ grade }) => grade === 'pass') ??
  verdicts[0] ??
  notMet('No run of the client met it.')

/** The fields of a fault by which it finds the calls of one kind. */
type Kind = Pick<Fault, 'interface' | 'method' | 'path'>

/** Returns the kinds of calls that succeeded, in the order in which they came first. */
export function kindsOf(calls: readonly Call[], documents: Documents): Kind[] {
  return [...groupBy(calls.filter(hasSucceeded), kindOf).values()].flatMap(([call]) => {
    const path = call && documents.patternOf(call)
    return call && path !== null && path !== undefined
      ? [{ interface: call.interface, method: call.method as NonNullable<Kind['method']>, path }]
      : []
  })
}

export const writesIn = (calls: readonly Call[]): Call[] =>
  calls.filter((call) => isWrite(call) && hasSucceeded(call))

/** A body whose values do not depend on the run: the same in each. */
type Stable = Readonly<Record<string, unknown>>

/**
 * Returns the parts of faults that find each write of the undisturbed run once. Writes of a kind are told apart by fields
 * that are the same in each run; if that is not possible, only the first one is found.
 */
export function eachWrite(base: Run, documents: Documents): Fault[] {
  const created = new Set(base.changes.filter(({ change }) => change === 'added').map(({ id }) => id))
  const writes = writesIn(base.calls)
  return kindsOf(writes, documents).flatMap((kind): Fault[] => {
    const pattern = RegExp(
      `${(kind.path ?? '').replaceAll(/[.+?^$()[\]{}|\\]/g, String.raw`\$&`).replaceAll('*', '[^/]+')}$`,
    )
    const calls = writes.filter(
      ({ interface: of, method, path }) =>
        of === kind.interface && method === kind.method && pattern.test(path),
    )
    const bodies = calls.map(({ body }) => stableOf(body, created))
    const areApart = bodies.every(
      (body, index) =>
        Object.keys(body).length > 0 && bodies.every((other, at) => at === index || !contains(other, body)),
    )
    if (!areApart) return [{ ...kind, times: 1 }]
    return bodies.map((body) => ({ ...kind, when: { body }, times: 1 }))
  })
}

/** A time or a random id, which have other values in the next run. */
const VARYING = /^\d{4}-\d\d-\d\d|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}|\d{10}|[\da-f]{16}/i
const FIRST_MS = 1_000_000_000

function stableOf(body: unknown, created: ReadonlySet<string>): Stable {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter(([, value]: [string, unknown]) => {
      if (typeof value === 'number') return value < FIRST_MS
      if (typeof value !== 'string') return typeof value === 'boolean'
      return (
        !created.has(value) && !VARYING.test(value) && !value.includes('[redacted]') && value.length < 500
      )
    }),
  )
}

const contains = (whole: Stable, part: Stable): boolean =>
  Object.entries(part).every(([name, value]) => whole[name] === value)

/** Describes how a run ended. */
export function endOf({ stopped, exitCode, lastLine }: Run): string {
  if (stopped !== null) return `The client ${stopped}.`
  if (exitCode === 0) return 'The client ended with success.'
  const code = exitCode === null ? 'by a signal' : `with ${String(exitCode)}`
  return `The client ended ${code}${lastLine === '' ? ' and said nothing' : `: ${lastLine.replace(/\.$/, '')}`}.`
}

/** The calls that met a fault. */
export const metBy = ({ calls }: Run): Call[] => calls.filter(({ fault }) => fault !== null)

/** The calls that met a fault, and those that repeat them. */
export function metAndRepeated(run: Run): Call[] {
  const texts = new Set(metBy(run).map(textOf))
  return run.calls.filter((call) => texts.has(textOf(call)))
}

export interface RecordRules {
  /** What happened to the calls: "The answers of 3 writes were lost". */
  readonly words: string
  /** Whether a client that ends with a clear failure may leave work out. */
  readonly mayFail?: boolean
  readonly ignoresTwice?: boolean
}

/** Grades the records at the end of a run: each once. */
export function gradeRecords(run: Run, base: Run, rules: RecordRules): Verdict {
  const { words, mayFail = false, ignoresTwice = false } = rules
  const found = compare(base.changes, run.changes)
  const hasFailed = run.exitCode !== 0 && run.stopped === null
  const wrong: Comparison = {
    twice: ignoresTwice ? [] : found.twice,
    missing: mayFail && hasFailed ? [] : found.missing,
  }
  const problems = describe(wrong)
  if (problems.length > 0) {
    const writers = callsOf(wrong.twice)
    const proof = [...metAndRepeated(run), ...run.calls.filter(({ id }) => writers.has(id))]
    return fail(`${words}: ${problems.join(', ')}. ${endOf(run)}`, run, proof)
  }
  if (run.stopped !== null) return fail(`${words}. ${endOf(run)}`, run, metAndRepeated(run))
  if (hasFailed && mayFail && run.lastLine === '')
    return fail(`${words}. ${endOf(run)}`, run, metAndRepeated(run))
  const records = mayFail && hasFailed ? 'no record exists twice' : 'each record exists once'
  return pass(
    `${words}; ${ignoresTwice ? 'no record is missing' : records}.${hasFailed ? ` ${endOf(run)}` : ''}`,
  )
}

/** "3 calls", of those that met a fault. */
export const countMet = (run: Run, noun: string): string => counted(metBy(run).length, noun)
