/** The scores of `exam` and `mutate`, from the JSON that they write. */
import { bySubject, having, sentenceOf, type Report } from '@suite-sim/mutate/report/report'
import type { Verdict } from '@suite-sim/mutate/run/outcome'
import type { MutateReport, ReportedChange } from './options.ts'
import type { ExamScore, MutateScore, VendorChange } from './runReport.ts'

/** Reads a report of `exam --report json`. Throws an Error whose message says what the text must be. */
export const examScore = (text: string): ExamScore => examScoreOf(parsed(text))

/** A report of a receiver or of a client. */
interface Examined {
  readonly receiver?: string
  readonly caller?: string
  readonly result?: string
  readonly properties?: readonly { readonly title: string; readonly grade: string }[]
}

/** Returns the score of a report. Throws an Error whose message says what it must be. */
export function examScoreOf({ receiver, caller, result, properties }: Examined): ExamScore {
  const examined = receiver ?? caller
  if (examined === undefined || !Array.isArray(properties) || (result !== 'passed' && result !== 'failed'))
    throw new Error('must be a report of suite-sim exam --report json')
  const all = properties as NonNullable<Examined['properties']>
  const failed = all.flatMap(({ title, grade }) => (grade === 'fail' ? [title] : []))
  const passed = all.filter(({ grade }) => grade === 'pass').length
  return { examined, result, passed, of: passed + failed.length, failed }
}

/** Reads a report of `mutate --report json`. Throws an Error whose message says what the text must be. */
export const mutateScore = (text: string): MutateScore => mutateScoreOf(parsed(text))

/** Returns the score of a report, and the changes that the tests got wrong. Throws an Error whose message says what it must be. */
export function mutateScoreOf(report: object): MutateScore {
  if (!isReport(report)) throw new Error('must be a report of suite-sim mutate --report json')
  const changesOf = (verdict: Verdict): VendorChange[] =>
    bySubject(having(report, verdict)).flatMap(({ subject, mutations }) =>
      mutations.map((each) => ({ interface: each.interface, subject, sentence: sentenceOf(each) })),
    )
  const { harmful, noticed, harmless, tolerated, share } = report.score
  return {
    ...{ harmful, noticed, harmless, tolerated, share },
    survived: changesOf('survived'),
    refused: changesOf('refused'),
    notRun: having(report, 'not run').length,
  }
}

const COUNTS = ['harmful', 'noticed', 'harmless', 'tolerated', 'share'] as const
const TEXTS = ['interface', 'subject', 'kind', 'change', 'verdict'] as const

/** The compiler checks here that the type of the library has what mutate writes. */
function isReport(given: Partial<MutateReport>): given is Report {
  const { version, score, mutations } = given
  return (
    version === 1 &&
    COUNTS.every((name) => typeof score?.[name] === 'number') &&
    Array.isArray(mutations) &&
    mutations.every(
      (each: Partial<ReportedChange> | null) =>
        TEXTS.every((name) => typeof each?.[name] === 'string') && typeof each?.example === 'object',
    )
  )
}

function parsed(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('must be JSON')
  }
  if (typeof value !== 'object' || value === null) throw new Error('must be a JSON object')
  return value
}
