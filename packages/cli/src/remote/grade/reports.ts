/** Prints grades and self-tests: as text, as JSON, and as JUnit XML. */
import { counted } from '@suite-sim/kit/text/counted'
import { paint } from '@suite-sim/kit/terminal/output'
import type { SelfTestRun } from './grading.ts'
import { FINDINGS, type Finding, type Grade } from './task.ts'
import { escapeXml } from '@suite-sim/kit/text/escaping'

export const REPORTS = ['text', 'json', 'junit'] as const
export type ReportFormat = (typeof REPORTS)[number]

export function gradeReport(format: ReportFormat, grade: Grade): string {
  if (format === 'json') return JSON.stringify(grade, null, 2)
  const { task, passed, findings, calls, budget } = grade
  if (format === 'junit') {
    return suites([
      {
        name: task,
        cases: FINDINGS.map((kind) => ({
          name: kind,
          failures: findings.filter((each) => each.kind === kind).map(textOfFinding),
        })),
      },
    ])
  }
  const head = `${mark(passed)} ${task}, ${String(calls)} of ${counted(budget, 'call')}`
  return [head, ...findings.map((each) => `  ${textOfFinding(each)}`)].join('\n')
}

export function selfTestReport(format: ReportFormat, runs: readonly SelfTestRun[]): string {
  const passed = runs.filter((run) => run.passed).length
  if (format === 'json') return JSON.stringify({ passed: passed === runs.length, trials: runs }, null, 2)
  const tasks = [...new Set(runs.map(({ task }) => task))]
  if (format === 'junit') {
    return suites(
      tasks.map((name) => ({
        name,
        cases: runs
          .filter(({ task }) => task === name)
          .map(({ run, problems }) => ({ name: run, failures: problems })),
      })),
    )
  }
  const lines = runs.flatMap((run) => [
    `${mark(run.passed)} ${run.task}: ${run.run}${reasonOf(run)}`,
    ...run.problems.map((problem) => `  ${problem}`),
  ])
  return [...lines, `${String(passed)} of ${String(runs.length)} runs are as the tasks say`].join('\n')
}

/** Returns the kinds of findings of a saboteur that failed as it must. */
const reasonOf = ({ passed, findings }: SelfTestRun): string =>
  passed && findings.length > 0 ? ` fails: ${[...new Set(findings.map(({ kind }) => kind))].join(', ')}` : ''

const mark = (passed: boolean): string => (passed ? paint('green', 'pass') : paint('red', 'fail'))

function textOfFinding({ kind, message, causes }: Finding): string {
  const by = causes.map(({ title, id }) => `\n    by ${title} (${id})`).join('')
  return `${kind}: ${message}${by}`
}

interface Suite {
  readonly name: string
  readonly cases: readonly { readonly name: string; readonly failures: readonly string[] }[]
}

function suites(all: readonly Suite[]): string {
  const lines = all.flatMap(({ name, cases }) => {
    const failures = cases.filter((each) => each.failures.length > 0).length
    return [
      `  <testsuite name="${escapeXml(name)}" tests="${String(cases.length)}" failures="${String(failures)}" errors="0">`,
      ...cases.flatMap((each) => caseLines(name, each)),
      '  </testsuite>',
    ]
  })
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...lines, '</testsuites>'].join('\n')
}

function caseLines(suite: string, { name, failures }: Suite['cases'][number]): string[] {
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}" time="0"`
  if (failures.length === 0) return [`${head}/>`]
  const [first = ''] = (failures[0] ?? '').split('\n')
  return [
    `${head}>`,
    `      <failure type="${escapeXml(first.split(':')[0] ?? '')}" message="${escapeXml(first)}">${escapeXml(failures.join('\n'))}</failure>`,
    '    </testcase>',
  ]
}
