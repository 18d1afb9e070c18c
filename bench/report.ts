/** Formats the results as a Markdown table for docs/BENCHMARKS.md. */
import { median } from './rounds.ts'

export type Unit = '/s' | 'ms' | 'MB'

export interface Target {
  /** Whether the target is for the ratio or for the simulator's own figure. */
  readonly of: 'ratio' | 'figure'
  readonly limit: 'at least' | 'at most'
  readonly value: number
}

export const atLeast = (value: number): Target => ({ of: 'ratio', limit: 'at least', value })

/** Two measurements of the same differ by a quarter. */
const NOISE = 1.25

/**
 * The longest time among `many` products, compared with that among `few`: it may grow like the logarithm of their
 * number, as a search in a B-tree does.
 */
export const atMostLogarithmic = (few: number, many: number): Target => ({
  of: 'ratio',
  limit: 'at most',
  value: (NOISE * Math.log(many)) / Math.log(few),
})

export interface Row {
  readonly what: string
  readonly unit: Unit
  /** The simulator's figures, round by round. */
  readonly ours: readonly number[]
  /** The baseline, and its figures from the same rounds. */
  readonly beside: string
  readonly theirs: readonly number[]
  readonly target?: Target
}

/** Formats the table. Without `judged`, it does not say whether targets are reached. */
export function table(rows: readonly Row[], judged: boolean): string {
  const head = ['', 'simulator', 'beside', 'its figure', 'ratio', 'lowest to highest', 'target', '']
  const cells = [head, head.map(() => '---'), ...rows.map((row) => cellsOf(row, judged))]
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Returns the ratio of each round. */
export const ratiosOf = ({ ours, theirs }: Row): number[] =>
  ours.map((figure, round) => figure / (theirs[round] ?? NaN))

function cellsOf(row: Row, judged: boolean): string[] {
  const ratios = ratiosOf(row)
  return [
    row.what,
    figure(median(row.ours), row.unit),
    row.beside,
    figure(median(row.theirs), row.unit),
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    row.target ? targetText(row.target, row.unit) : '',
    row.target && judged ? verdict(row.target, median(row.target.of === 'ratio' ? ratios : row.ours)) : '',
  ]
}

function figure(value: number, unit: Unit): string {
  if (unit === '/s') return `${Math.round(value).toLocaleString('en')}/s`
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`
}

function targetText({ of, limit, value }: Target, unit: Unit): string {
  const sign = limit === 'at least' ? '>=' : '<='
  return `${sign} ${of === 'ratio' ? value.toFixed(2) : figure(value, unit)}`
}

const verdict = ({ limit, value }: Target, reached: number): string =>
  (limit === 'at least' ? reached >= value : reached <= value) ? 'reached' : 'missed'
