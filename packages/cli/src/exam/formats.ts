/** The formats of a report: text, JUnit and Markdown. */
import { escapeXml } from '@suite-sim/kit/text/escaping'
import { paint, type Color } from '@suite-sim/kit/terminal/output'
import type { CallerGrade } from './options.ts'

export const REPORTS = ['text', 'json', 'junit', 'markdown'] as const
export type ReportFormat = (typeof REPORTS)[number]

export interface ReportedProperty {
  readonly name: string
  readonly title: string
  readonly grade: CallerGrade
  readonly reason: string
  readonly seconds: number
  /** The lines that prove a failure. */
  readonly evidence: readonly string[]
  /** All that the exam has of it, as JSON. */
  readonly details: string
}

export interface Reported {
  /** What was examined, such as the URL of a receiver. */
  readonly examined: string
  /** A line of Markdown below the heading. */
  readonly about: string
  /** The second part of the class names of JUnit. */
  readonly suite: string
  readonly properties: readonly ReportedProperty[]
}

type Graded = readonly Pick<ReportedProperty, 'grade'>[]

/** Counts the properties by grade. */
export function countGrades(properties: Graded) {
  const count = (grade: CallerGrade): number => properties.filter((each) => each.grade === grade).length
  return {
    passed: count('pass'),
    failed: count('fail'),
    notMet: count('not met'),
    notJudged: count('not judged'),
  }
}

export function summaryOf(properties: Graded): string {
  const { passed, failed, notMet, notJudged } = countGrades(properties)
  const unmet = notMet === 0 ? '' : `, ${String(notMet)} not met`
  return `${String(passed)} passed, ${String(failed)} failed${unmet}, ${String(notJudged)} not judged`
}

const WRITERS: Readonly<Record<Exclude<ReportFormat, 'json'>, (reported: Reported) => string>> = {
  text: textReport,
  junit: junitReport,
  markdown: markdownReport,
}

export const writeReported = (format: keyof typeof WRITERS, reported: Reported): string =>
  WRITERS[format](reported)

const COLORS: Readonly<Record<CallerGrade, Color>> = {
  pass: 'green',
  fail: 'red',
  'not met': 'yellow',
  'not judged': 'yellow',
}

function textReport({ properties }: Reported): string {
  const lines = properties.flatMap(({ name, title, grade, reason, evidence }) => {
    const head = `${paint(COLORS[grade], grade.padEnd(10))}  ${name.padEnd(15)}  ${title}`
    const indent = ' '.repeat(12)
    const proof = grade === 'fail' ? evidence : []
    return [head, ...[reason, ...proof].map((line) => `${indent}${line}`)]
  })
  return `${[...lines, '', summaryOf(properties)].join('\n')}\n`
}

export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function junitReport({ properties, examined, suite }: Reported): string {
  const { failed, notMet, notJudged } = countGrades(properties)
  const counts = `tests="${String(properties.length)}" failures="${String(failed)}" errors="0" skipped="${String(notMet + notJudged)}"`
  const cases = properties.map(({ name, title, grade, reason, seconds, evidence, details }) => {
    const head = `    <testcase classname="exam.${suite}" name="${escapeXml(`${name}: ${title}`)}" time="${String(seconds)}"`
    const output = `      <system-out>${escapeXml([reason, details].join('\n'))}</system-out>`
    if (grade === 'pass') return [`${head}>`, output, '    </testcase>'].join('\n')
    const outcome =
      grade === 'fail'
        ? `      <failure message="${escapeXml(reason)}">${escapeXml(evidence.join('\n'))}</failure>`
        : `      <skipped message="${escapeXml(reason)}"/>`
    return [`${head}>`, outcome, output, '    </testcase>'].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(`suite-sim exam ${examined}`)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function markdownReport({ examined, about, properties }: Reported): string {
  const rows = properties.map(
    ({ name, title, grade, reason }) => `| ${grade} | \`${name}\` | ${cell(title)} | ${cell(reason)} |`,
  )
  const failed = properties.filter(({ grade }) => grade === 'fail')
  const details = failed.flatMap(({ name, reason, evidence }) => {
    const fence = '````'
    const lines = evidence.map((line) => line.replaceAll('````', "''''"))
    return ['', `## ${name}`, '', reason, '', `${fence}text`, ...lines, fence]
  })
  return [
    `# Exam of ${examined}`,
    '',
    about,
    '',
    '| grade | property | what must hold | what was found |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...details,
    '',
  ].join('\n')
}

const cell = (text: string): string => onOneLine(text).replaceAll('|', String.raw`\|`)
