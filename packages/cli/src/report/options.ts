/** The options of a report, as the library has them. */
import type { Report } from '@suite-sim/verify/report/report'
import type { CallerExamReport } from '../exam/caller/options.ts'
import type { ExamReport } from '../exam/options.ts'
import type { MutateScore } from './runReport.ts'

export interface ReportOptions {
  /** The report of `verify()`: what agrees is no question any more. */
  readonly verify?: Report | undefined
  /** The reports of `exam()` and `examCaller()`, for their scores. */
  readonly exams?: readonly (ExamReport | CallerExamReport)[]
  /** The score of the tests. */
  readonly mutate?: MutateScore | undefined
}
