/** The report on a client: its calls as evidence. */
import { counted } from '@suite-sim/kit/text/counted'
import { iso } from '@suite-sim/kit/time/instants'
import { countGrades, onOneLine, summaryOf, writeReported, type ReportFormat } from '../formats.ts'
import { targetOf } from './calls.ts'
import type { CallerResult } from './examineCaller.ts'
import type { CallerCall, CallerExamReport } from './options.ts'
import type { Proof } from './property.ts'
import type { Fault, Run } from './run.ts'

export interface ExaminedCaller {
  /** The command; "function" in the library. */
  readonly caller: string
  readonly seed: string
  /** The server that goes on; null if it has ended with the exam. */
  readonly url: string | null
  readonly results: readonly CallerResult[]
}

/** Calls of a property that a report has, and that text shows. */
const MAX_CALLS = 20
const MAX_LINES = 8

/** Characters of a body that a report has. */
const BODY_START = 200

export function callerJson({ caller, seed, url, results }: ExaminedCaller): CallerExamReport {
  const summary = countGrades(results)
  return {
    caller,
    seed,
    result: summary.failed === 0 ? 'passed' : 'failed',
    summary,
    properties: results.map(({ name, title, grade, reason, runs, proof }) => ({
      name,
      title,
      grade,
      reason,
      count: callsIn(runs).length,
      calls: proof.slice(0, MAX_CALLS).map((each) => callOf(each, url)),
    })),
  }
}

export function writeCallerReport(format: ReportFormat, examined: ExaminedCaller): string {
  if (format === 'json') return `${JSON.stringify(callerJson(examined), null, 2)}\n`
  const { caller, seed, url, results } = examined
  return writeReported(format, {
    examined: caller,
    about: `Seed ${seed}. ${summaryOf(results)}.`,
    suite: 'caller',
    properties: results.map((result) => {
      const calls = result.proof.map((each) => callOf(each, url))
      return {
        ...result,
        seconds: secondsOf(result.runs),
        evidence: [...linesOf(calls), ...linksOf(result, url)],
        details: JSON.stringify(calls.slice(0, MAX_CALLS), null, 2),
      }
    }),
  })
}

const callsIn = (runs: readonly Run[]) => runs.flatMap(({ calls }) => calls)

const secondsOf = (runs: readonly Run[]): number =>
  Math.round(runs.reduce((sum, { durationMs }) => sum + durationMs, 0)) / 1000

function callOf({ run, call }: Proof, url: string | null): CallerCall {
  const { id, method, status, start, end, fault, body } = call
  const met = run.faults.find((each) => each.id === fault)
  return {
    id,
    at: iso(Math.round(start)),
    method,
    path: targetOf(call),
    status,
    durationMs: Math.round(end - start),
    weather: met ? weatherOf(met) : null,
    body: body === null || body === undefined ? null : startOf(body),
    link: url === null ? null : linkTo(url, { workspace: run.workspace.id, open: id }),
  }
}

function startOf(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length <= BODY_START ? text : `${text.slice(0, BODY_START)}…`
}

/** Describes what a fault did to a call. */
function weatherOf({ after, reset, status, delayMs, lag }: Fault): string {
  if (after === true && reset === true) return 'answer lost'
  if (after === true && status !== undefined) return `answered ${String(status)}`
  if (lag !== undefined) return 'without new records'
  if (typeof delayMs === 'number') return `answered after ${String(delayMs / 1000)} s`
  return 'answered by the exam'
}

const linkTo = (url: string, query: Readonly<Record<string, string>>): string =>
  `${url}/_sim/#/calls?${new URLSearchParams(query).toString()}`

function linesOf(calls: readonly CallerCall[]): string[] {
  const lines = calls.slice(0, MAX_LINES).map(lineOf)
  const more = calls.length - lines.length
  return more > 0 ? [...lines, counted(more, 'more call')] : lines
}

function lineOf({ at, method, path, status, weather, body }: CallerCall): string {
  const outcome = [status === 0 ? 'no answer' : String(status), weather ?? '']
    .filter((each) => each !== '')
    .join(', ')
  return `${at.slice(11, 23)} ${method} ${path}: ${outcome}${body === null ? '' : ` ${onOneLine(body)}`}`
}

/** Links to the calls of the runs that prove a failure. */
const linksOf = ({ proof }: CallerResult, url: string | null): string[] =>
  url === null
    ? []
    : [...new Set(proof.map(({ run }) => run.workspace.id))].map((workspace) => linkTo(url, { workspace }))
