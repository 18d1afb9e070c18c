/** The report in Markdown, for the summary of a CI job. */
import { counted } from '@suite-sim/kit/text/counted'
import {
  chanceOf,
  headlineOf,
  having,
  sentenceOf,
  survivorsOf,
  type Report,
  type ReportedMutation,
} from './report.ts'

export function markdownReport(report: Report): string {
  const refused = having(report, 'refused')
  const { told, unread } = survivorsOf(report)
  const parts = [
    `## ${headlineOf(report)}`,
    ...section(
      'Would not be noticed',
      told.flatMap(({ title, mutations }) =>
        mutations.map((each) => [code(title), code(each.kind), cell(sentenceOf(each))]),
      ),
      ['subject', 'change', 'example'],
    ),
    ...section(
      'Fields that no test reads',
      unread.map((title) => [code(title)]),
      ['field'],
    ),
    ...section(
      'Over-strict: a harmless change fails tests',
      refused.map((each) => [code(each.subject), code(each.kind), cell(each.failedTests.join(', '))]),
      ['subject', 'change', 'failed tests'],
    ),
    ...section(
      'The only test that notices',
      report.guards.map(({ test, mutations }) => [
        cell(test),
        counted(mutations.length, 'change'),
        mutations.map(code).join('<br>'),
      ]),
      ['test', 'number', 'changes'],
    ),
    ...restOf(report),
  ]
  return `${parts.join('\n\n')}\n`
}

function section(title: string, rows: readonly (readonly string[])[], headers: readonly string[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    `### ${title} (${String(rows.length)})`,
    [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n'),
  ]
}

function restOf(report: Report): string[] {
  const count = (verdict: ReportedMutation['verdict']): number => having(report, verdict).length
  const rest = [
    ...(count('not met') > 0 ? [`${counted(count('not met'), 'change')} not met again`] : []),
    ...(count('not run') > 0 ? [`${counted(count('not run'), 'change')} not run`] : []),
  ]
  const chance = chanceOf(report)
  return [
    ...(rest.length === 0 ? [] : [`Without a verdict: ${rest.join(', ')}.`]),
    ...(chance === '' ? [] : [`${cell(chance)}.`]),
  ]
}

const cell = (text: string): string =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')

const code = (text: string): string => `\`${cell(text).replaceAll('`', "'")}\``
