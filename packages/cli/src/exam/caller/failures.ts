/** The properties of the exam whose weather is an answer that fails: lost, late or refused. */
import { counted } from '@suite-sim/kit/text/counted'
import { groupBy, kindOf, textOf, type Call } from './calls.ts'
import {
  countMet,
  eachWrite,
  endOf,
  fail,
  gradeRecords,
  kindsOf,
  metBy,
  notMet,
  pass,
  worstOf,
  writesIn,
  type CallerProperty,
  type Plan,
  type Verdict,
} from './property.ts'
import type { Fault, Run } from './run.ts'

const NO_WRITE = 'The client writes nothing.'

/** The calls of a run can differ from those of the undisturbed one. */
const unmet = (run: Run | undefined): Verdict =>
  notMet(`No call of this run met it. ${run ? endOf(run) : ''}`.trim())

/** The work of each write is done, and its answer fails once. */
const afterEachWrite = (
  name: string,
  title: string,
  fault: Partial<Fault>,
  words: (run: Run) => string,
): CallerProperty => ({
  name,
  title,
  plan(base, documents) {
    const planOf = (those: readonly Fault[]): Plan => ({
      weather: [{ faults: those.map((each) => ({ ...each, ...fault })) }],
      judge: ([run]) =>
        run && metBy(run).length > 0 ? gradeRecords(run, base, { words: words(run) }) : unmet(run),
    })
    const kinds = kindsOf(writesIn(base.calls), documents)
    if (kinds.length === 0) return NO_WRITE
    const firstOfEach = kinds.map((kind): Fault => ({ ...kind, times: 1 }))
    // A client that chooses values anew in each run makes other writes now.
    return { ...planOf(eachWrite(base, documents)), otherwise: planOf(firstOfEach) }
  },
})

export const lostAnswer = afterEachWrite(
  'lost_answer',
  'After a lost answer of a write, no record exists twice, and none is missing',
  { after: true, reset: true },
  (run) => `The answers of ${countMet(run, 'write')} were lost after the work`,
)

export const gatewayTimeout = afterEachWrite(
  'gateway_timeout',
  'After a 504 for a write that was done, no record exists twice, and none is missing',
  { after: true, status: 504 },
  (run) => `The answers of ${countMet(run, 'write')} became 504 after the work`,
)

/** Seconds of Retry-After. */
const RETRY_AFTER = 1
/** What the clocks of both sides may differ by. */
const TOLERANCE_MS = 50
/** Calls that are on their way when the client gets a 429. */
const ON_THE_WAY_MS = 500

export const waits: CallerProperty = {
  name: 'waits',
  isLong: true,
  title: 'After a 429, no call of its kind comes before Retry-After, and the work gets done',
  plan(base, documents) {
    const headers = { 'retry-after': String(RETRY_AFTER) }
    const kinds = kindsOf(base.calls, documents)
    const faults = kinds.map((kind): Fault => ({ ...kind, status: 429, headers, times: 1 }))
    return {
      weather: [{ faults }],
      judge([run]) {
        const refused = run ? metBy(run) : []
        if (!run || refused.length === 0) return unmet(run)
        for (const call of refused) {
          const early = run.calls.find((other) => isEarly(other, call))
          if (!early) continue
          const ms = Math.max(0, Math.round(early.start - call.end))
          const words = `${call.method} ${call.path} got 429 with Retry-After: ${String(RETRY_AFTER)}, and the next call of this kind came after ${String(ms)} ms.`
          return fail(words, run, [call, early])
        }
        const words = `${counted(refused.length, 'call')} got 429 with Retry-After: ${String(RETRY_AFTER)}`
        return gradeRecords(run, base, { words })
      },
    }
  },
}

function isEarly(other: Call, refused: Call): boolean {
  const ms = other.start - refused.end
  if (kindOf(other) !== kindOf(refused) || ms >= RETRY_AFTER * 1000 - TOLERANCE_MS) return false
  return textOf(other) === textOf(refused) ? other.end > refused.end : ms > ON_THE_WAY_MS
}

/** Repeats of one call after which a client counts as one that never gives up. */
const MAX_REPEATS = 20

/** Pauses below it are none. */
const NO_PAUSE_MS = 50

/** The last pause divided by the first one. What a client and the exam do in between makes both longer. */
const LEAST_GROWTH = 1.15

export const serverErrors: CallerProperty = {
  name: 'server_errors',
  isLong: true,
  title: 'A 500 and a 503 are repeated with growing pauses, but not forever, and the work gets done',
  plan(base, documents) {
    const kinds = kindsOf(base.calls, documents)
    const faults = kinds.flatMap((kind): Fault[] =>
      [500, 503].map((status) => ({ ...kind, status, times: 1 })),
    )
    const last = kindsOf(writesIn(base.calls), documents).at(-1) ?? kinds.at(-1)
    return {
      weather: [{ faults }, { faults: last ? [{ ...last, status: 503 }] : [] }],
      judge([run, outage]) {
        if (!run || metBy(run).length === 0) return unmet(run)
        const repeated = gradeRepeats(run, base)
        if (repeated.grade === 'fail') return repeated
        const paused = gradePauses([run, ...(outage ? [outage] : [])])
        const ended = outage ? gradeOutage(outage) : repeated
        if (ended.grade === 'fail') return ended
        return paused ?? pass(`${repeated.reason} ${ended.reason}`)
      },
    }
  },
}

function gradeRepeats(run: Run, base: Run): Verdict {
  for (const [first] of groupBy(metBy(run), kindOf).values()) {
    if (!first) continue
    if (
      !run.calls.some((other) => other !== first && other.end >= first.end && kindOf(other) === kindOf(first))
    )
      return fail(
        `${first.method} ${first.path} got ${String(first.status)} before the work, and was not repeated. ${endOf(run)}`,
        run,
        [first],
      )
  }
  return gradeRecords(run, base, { words: `${countMet(run, 'call')} got 500 or 503 before the work` })
}

/** A call with its repeats, and the ms before each. */
interface Chain {
  readonly run: Run
  readonly calls: readonly Call[]
  readonly pauses: readonly number[]
}

/** Returns a failure if the pauses before the repeats of calls do not grow; else null. */
function gradePauses(runs: readonly Run[]): Verdict | null {
  const chains = runs.flatMap((run): Chain[] =>
    [...groupBy(run.calls, textOf).values()].flatMap((calls) => {
      const pauses = calls.flatMap((call, index) => {
        const next = calls[index + 1]
        return call.fault !== null && next ? [Math.max(0, next.start - call.end)] : []
      })
      return pauses.length > 1 ? [{ run, calls, pauses }] : []
    }),
  )
  const growsIn = ({ pauses }: Chain): boolean => grows(pauses[0] ?? 0, pauses.at(-1) ?? 0)
  const constant = chains.filter((chain) => !growsIn(chain))
  const least = (of: (chain: Chain) => number | undefined): number =>
    Math.min(...chains.map((chain) => of(chain) ?? 0))
  const [one] = constant
  // A busy machine makes pauses longer, never shorter: one alone proves nothing.
  if (!one || constant.length < chains.length / 2) return null
  if (
    grows(
      least(({ pauses }) => pauses[0]),
      least(({ pauses }) => pauses.at(-1)),
    )
  )
    return null
  const texts = one.pauses.map((ms) => `${String(Math.round(ms))} ms`)
  return fail(`The pauses before the repeats do not grow: ${texts.join(', then ')}.`, one.run, one.calls)
}

const grows = (first: number, last: number): boolean => last > NO_PAUSE_MS && last >= LEAST_GROWTH * first

/** Grades a run in which a call fails forever. */
function gradeOutage(run: Run): Verdict {
  const failed = metBy(run)
  const longest =
    [...groupBy(failed, textOf).values()].toSorted((one, other) => other.length - one.length)[0] ?? []
  const repeats = longest.length - 1
  const [first] = longest
  if (!first) return pass('No call failed forever.')
  if (repeats > MAX_REPEATS) {
    const words = `${first.method} ${first.path} failed each time, and was repeated ${counted(repeats, 'time')}.`
    return fail(`${words} ${endOf(run)}`, run, longest)
  }
  return pass(`A call that failed each time was repeated ${counted(Math.max(0, repeats), 'time')}.`)
}

export const clientErrors: CallerProperty = {
  name: 'client_errors',
  title: 'A call that is refused with 422 is not repeated',
  plan(base, documents) {
    const writes = kindsOf(writesIn(base.calls), documents)
    const kinds = writes.length > 0 ? writes : kindsOf(base.calls, documents)
    return {
      weather: [{ faults: kinds.map((kind): Fault => ({ ...kind, status: 422 })) }],
      judge([run]) {
        if (!run || metBy(run).length === 0) return unmet(run)
        const repeated = [...groupBy(metBy(run), textOf).values()].find(({ length }) => length > 1)
        const [call] = repeated ?? []
        if (repeated && call)
          return fail(
            `${call.method} ${call.path} got 422, and came ${counted(repeated.length - 1, 'more time')}. ${endOf(run)}`,
            run,
            repeated,
          )
        if (run.stopped !== null) return fail(endOf(run), run, metBy(run))
        return pass(`${countMet(run, 'call')} got 422, and none was repeated.`)
      },
    }
  },
}

/** Ms of a slow answer: the first of each kind of call. */
const SLOW_MS = 3000
/** Kinds of calls that are slow, each in a run of its own. */
const SLOW_KINDS = 4

export const slow: CallerProperty = {
  name: 'slow',
  isLong: true,
  title: 'If answers take 3 s, the client ends, or gives up with a clear failure, and nothing exists twice',
  plan(base, documents) {
    const writes = kindsOf(writesIn(base.calls), documents)
    const reads = kindsOf(base.calls, documents).filter(({ method }) => method === 'GET')
    const kinds = [...writes, ...reads].slice(0, SLOW_KINDS)
    return {
      weather: kinds.map((kind) => ({
        faults: [{ ...kind, after: true, delayMs: SLOW_MS, times: 1 }],
      })),
      judge: (runs) =>
        worstOf(
          runs.map((run) =>
            metBy(run).length === 0
              ? unmet(run)
              : gradeRecords(run, base, {
                  words: `The answers of ${countMet(run, 'call')} took 3 s`,
                  mayFail: true,
                }),
          ),
        ),
    }
  },
}
