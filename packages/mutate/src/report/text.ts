/** The report for a terminal. */
import { paint } from '@suite-sim/kit/terminal/output'
import { counted } from '@suite-sim/kit/text/counted'
import {
  chanceOf,
  having,
  headlineOf,
  sentenceOf,
  survivorsOf,
  type Report,
  type ReportedMutation,
} from './report.ts'

const MAX_OPERATIONS = 4

export function textReport(report: Report): string {
  const { guards, isInterrupted } = report
  const refused = having(report, 'refused')
  const notMet = having(report, 'not met')
  const notRun = having(report, 'not run').length
  const why = isInterrupted ? 'interrupted' : 'the budget was over'
  const lines = [
    paint('bold', headlineOf(report)),
    ...part('Would not be noticed', having(report, 'survived').length, survivors(report)),
    ...part('Over-strict: a harmless change fails tests', refused.length, refused.flatMap(strictLines)),
    ...part('The only test that notices', guards.length, guards.flatMap(guardLines)),
    ...part(
      'Not met again by the run with the change',
      notMet.length,
      notMet.map(({ id }) => `  ${id}`),
    ),
    ...(chanceOf(report) === '' ? [] : ['', `${chanceOf(report)}.`]),
    ...(notRun > 0 ? ['', `${counted(notRun, 'change')} did not run: ${why}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

const part = (title: string, count: number, lines: readonly string[]): string[] =>
  count === 0 ? [] : ['', paint('bold', `${title} (${String(count)}):`), ...lines]

function survivors(report: Report): string[] {
  const { told, unread } = survivorsOf(report)
  return [
    ...told.flatMap(({ title, mutations }) => [
      `  ${title}${operationsOf(mutations)}`,
      ...mutations.map((each) => `    ${paint('red', each.kind)}  ${sentenceOf(each)}`),
    ]),
    ...(unread.length === 0 ? [] : [`  ${counted(unread.length, 'field')} that no test reads:`]),
    ...unread.map((title) => `    ${title}`),
  ]
}

function operationsOf(mutations: readonly ReportedMutation[]): string {
  const all = [...new Set(mutations.flatMap(({ operations }) => operations))]
  const shown = all.slice(0, MAX_OPERATIONS)
  const rest = all.length - shown.length
  return paint('dim', `  in ${shown.join(', ')}${rest > 0 ? ` and ${String(rest)} more` : ''}`)
}

const strictLines = ({ id, change, failedTests }: ReportedMutation): string[] => [
  `  ${paint('yellow', id)}  ${change}`,
  ...failedTests.map((test) => `    failed: ${test}`),
]

const guardLines = ({ test, mutations }: Report['guards'][number]): string[] => [
  `  ${test}: ${counted(mutations.length, 'change')}`,
  ...mutations.slice(0, MAX_OPERATIONS).map((id) => `    ${id}`),
  ...(mutations.length > MAX_OPERATIONS ? [`    and ${String(mutations.length - MAX_OPERATIONS)} more`] : []),
]
