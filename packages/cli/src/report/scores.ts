/** The scores of `exam` and `mutate`, from the JSON that they write. */
import type { ExamScore, MutateScore } from './runReport.ts'

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

/** Reads the score of `mutate`. A survivor is a text, or an object with a text that describes it. */
export function mutateScore(text: string): MutateScore {
  const { score, survivors } = parsed(text) as { readonly score?: unknown; readonly survivors?: unknown }
  if (typeof score !== 'number' || !Array.isArray(survivors) || score < 0 || score > 1)
    throw new Error('must be a report of suite-sim mutate: {"score": 0.9, "survivors": []}')
  return { score, survivors: survivors.map(nameOf) }
}

const NAMES = ['title', 'description', 'summary', 'name', 'id'] as const

function nameOf(survivor: unknown): string {
  if (typeof survivor === 'string') return survivor
  const words = (survivor ?? {}) as Readonly<Record<string, unknown>>
  const name = NAMES.map((each) => words[each]).find((each) => typeof each === 'string')
  return typeof name === 'string' ? name : JSON.stringify(survivor)
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
