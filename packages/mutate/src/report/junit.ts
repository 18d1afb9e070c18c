/** The report as JUnit: a case for each change, which fails if the tests got it wrong. */
import { escapeXml } from '@suite-sim/kit/text/escaping'
import { headlineOf, sentenceOf, type Report, type ReportedMutation } from './report.ts'

export function junitReport(report: Report): string {
  const { mutations } = report
  const count = (isCounted: (mutation: ReportedMutation) => boolean): string =>
    String(mutations.filter(isCounted).length)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="suite-sim mutate">`,
    `  <testsuite name="${escapeXml(headlineOf(report))}" tests="${String(mutations.length)}" failures="${count(isWrong)}" skipped="${count(isOpen)}">`,
    ...mutations.map(caseOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const isWrong = ({ verdict }: ReportedMutation): boolean => verdict === 'survived' || verdict === 'refused'

const isOpen = ({ verdict }: ReportedMutation): boolean => verdict === 'not met' || verdict === 'not run'

function caseOf(mutation: ReportedMutation): string {
  const { interface: of, subject, kind, verdict, durationMs, failedTests } = mutation
  const head = `    <testcase classname="${escapeXml(`${of}.${subject}`)}" name="${escapeXml(kind)}" time="${(durationMs / 1000).toFixed(3)}"`
  if (isOpen(mutation)) return `${head}><skipped message="${verdict}"/></testcase>`
  if (!isWrong(mutation)) return `${head}/>`
  const message =
    verdict === 'survived'
      ? `not noticed: ${sentenceOf(mutation)}`
      : ['a harmless change failed', ...failedTests].join(': ')
  return `${head}><failure message="${escapeXml(message)}"/></testcase>`
}
