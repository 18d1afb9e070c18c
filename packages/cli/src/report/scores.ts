/** The scores of `exam` and `mutate`, from the JSON that they write. */
import type { CallerExamReport } from '../exam/caller/options.ts'
import type { ExamReport } from '../exam/options.ts'

export interface ExamScore {
  /** The receiver or the command that was examined. */
  readonly examined: string
  readonly result: 'passed' | 'failed'
  readonly passed: number
  readonly of: number
  /** The titles of the properties that failed. */
  readonly failed: readonly string[]
}

/** What the report reads of a score of `mutate`: a share from 0 to 1, and the changes that no test found. */
export interface MutateScore {
  readonly score: number
  readonly survivors: readonly string[]
}

/** Reads a report of `exam --report json`. Throws an Error whose message says what the text must be. */
export function examScore(text: string): ExamScore {
  const value = parsed(text) as Partial<ExamReport & CallerExamReport>
  const examined = value.receiver ?? value.caller
  const { result, properties } = value
  if (examined === undefined || !Array.isArray(properties) || (result !== 'passed' && result !== 'failed'))
    throw new Error('must be a report of suite-sim exam --report json')
  const all = properties as readonly { readonly title: string; readonly grade: string }[]
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
