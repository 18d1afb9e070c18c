/** The options of a report, as the library has them. */
import type { Report } from '@suite-sim/verify/report/report'
import type { CallerExamReport } from '../exam/caller/options.ts'
import type { ExamReport } from '../exam/options.ts'
import type { MutateCounts } from './runReport.ts'

/** What is read of a report of `suite-sim mutate --report json`. */
export interface MutateReport {
  readonly version: 1
  readonly score: MutateCounts
  readonly mutations: readonly ReportedChange[]
}

export interface ReportedChange {
  readonly interface: string
  readonly subject: string
  readonly kind: string
  readonly change: string
  readonly verdict: string
  /** What was answered instead of what. */
  readonly example: { readonly where: string; readonly before: string; readonly after: string } | null
}

export interface ReportOptions {
  /** The report of `verify()`: what agrees is no question any more. */
  readonly verify?: Report | undefined
  /** The reports of `exam()` and `examCaller()`, for their scores. */
  readonly exams?: readonly (ExamReport | CallerExamReport)[]
  /** The report of `suite-sim mutate --report json`, for the score of the tests. */
  readonly mutate?: MutateReport | undefined
}
