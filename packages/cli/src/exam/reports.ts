/** The report of the exam: text, JSON, JUnit and Markdown. */
import { counted } from '@suite-sim/kit/text/counted'
import { escapeXml } from '@suite-sim/kit/text/escaping'
import { SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import { paint, type Color } from '@suite-sim/kit/terminal/output'
import type { ExamResult, PropertyResult } from './examine.ts'
import type { ExamDelivery, ExamReport } from './options.ts'
import type { Exchange } from './relay.ts'

export const REPORTS = ['text', 'json', 'junit', 'markdown'] as const
export type ReportFormat = (typeof REPORTS)[number]

export interface Examined extends ExamResult {
  readonly receiver: string
  readonly interface: string
  readonly observe: string | null
}

/** Deliveries of a property that a report has. */
const MAX_DELIVERIES = 20
/** Characters of a body that a report has. */
const BODY_START = 200
/** Characters of a signature that a report has. */
const SIGNATURE_START = 'sha256='.length + 8

/** Headers that a URL or a proxy may add, and that a reader of the report must not learn. */
const SECRET = /^(?:authorization|cookie|proxy-authorization)$|token|secret|key$/

const WRITERS: Readonly<Record<ReportFormat, (examined: Examined) => string>> = {
  text: textReport,
  json: (examined) => `${JSON.stringify(jsonReport(examined), null, 2)}\n`,
  junit: junitReport,
  markdown: markdownReport,
}

export const writeReport = (format: ReportFormat, examined: Examined): string => WRITERS[format](examined)

/** Counts the properties by grade. */
export function countGrades({ properties }: Pick<ExamResult, 'properties'>) {
  const count = (grade: PropertyResult['grade']): number =>
    properties.filter((each) => each.grade === grade).length
  return { passed: count('pass'), failed: count('fail'), notJudged: count('not judged') }
}

const summaryOf = (examined: Examined): string => {
  const { passed, failed, notJudged } = countGrades(examined)
  return `${String(passed)} passed, ${String(failed)} failed, ${String(notJudged)} not judged`
}

/** Returns up to `max` deliveries in order: first those without a 2xx, last those that the receiver did not get. */
function choose(exchanges: readonly Exchange[], max: number): readonly Exchange[] {
  if (exchanges.length <= max) return exchanges
  const rankOf = ({ isForwarded, answer: { status } }: Exchange): number =>
    isForwarded ? (status === null || status < 200 || status > 299 ? 0 : 1) : 2
  const chosen = new Set(exchanges.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, max))
  return exchanges.filter((each) => chosen.has(each))
}

function deliveriesOf({ exchanges }: PropertyResult, max = MAX_DELIVERIES): ExamDelivery[] {
  return choose(exchanges, max).map(
    ({ event, attempt, headers, body, answer: { status, error, durationMs, body: response } }) => ({
      event,
      attempt,
      status,
      error,
      durationMs,
      request: { headers: redacted(headers), body: startOf(body) },
      response,
    }),
  )
}

const startOf = (body: string): string =>
  body.length <= BODY_START ? body : `${body.slice(0, BODY_START)}… (${String(body.length)} characters)`

const redacted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === SIGNATURE) return [name, `${value.slice(0, SIGNATURE_START)}…`]
      return [name, SECRET.test(name) ? '[redacted]' : value]
    }),
  )

/** Returns the report as an object. */
export function jsonReport(examined: Examined): ExamReport {
  const { receiver, interface: of, events, observe, properties, observeError } = examined
  const summary = countGrades(examined)
  return {
    receiver,
    interface: of,
    events,
    observe,
    result: summary.failed === 0 && observeError === null ? 'passed' : 'failed',
    summary,
    properties: properties.map((property) => {
      const { name, title, grade, reason, exchanges } = property
      return { name, title, grade, reason, count: exchanges.length, deliveries: deliveriesOf(property) }
    }),
  }
}

const COLORS: Readonly<Record<PropertyResult['grade'], Color>> = {
  pass: 'green',
  fail: 'red',
  'not judged': 'yellow',
}

function textReport(examined: Examined): string {
  const lines = examined.properties.flatMap((property) => {
    const { name, title, grade, reason } = property
    const head = `${paint(COLORS[grade], grade.padEnd(10))}  ${name.padEnd(15)}  ${title}`
    const indent = ' '.repeat(12)
    return [head, `${indent}${reason}`, ...(grade === 'fail' ? evidence(property, indent) : [])]
  })
  return `${[...lines, '', summaryOf(examined)].join('\n')}\n`
}

/** Deliveries that text shows of a failed property. */
const MAX_LINES = 8

/** Describes the deliveries of a property: `payment.completed, attempt 2: 500 in 3 ms`. */
function evidence(property: PropertyResult, indent: string): string[] {
  const shown = deliveriesOf(property, MAX_LINES).map((each) => `${indent}${lineOf(each)}`)
  const more = property.exchanges.length - shown.length
  return more > 0 ? [...shown, `${indent}${counted(more, 'more delivery')}`] : shown
}

function lineOf({ event, attempt, status, error, durationMs, request, response }: ExamDelivery): string {
  const answer = [status === null ? '' : String(status), error ?? ''].filter((each) => each !== '').join(', ')
  const id = request.headers['x-service-delivery'] ?? ''
  const said = response === '' ? '' : `: ${onOneLine(response)}`
  return `${event} ${id}, attempt ${String(attempt)}: ${answer} in ${String(durationMs)} ms${said}`
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function junitReport(examined: Examined): string {
  const { failed, notJudged } = countGrades(examined)
  const { properties, receiver } = examined
  const counts = `tests="${String(properties.length)}" failures="${String(failed)}" errors="0" skipped="${String(notJudged)}"`
  const cases = properties.map((property) => {
    const { title, grade, reason, exchanges } = property
    const ms = exchanges.reduce((sum, { answer }) => sum + answer.durationMs, 0)
    const head = `    <testcase classname="exam.${examined.interface}" name="${escapeXml(`${property.name}: ${title}`)}" time="${String(ms / 1000)}"`
    const output = `      <system-out>${escapeXml(detailsOf(property))}</system-out>`
    if (grade === 'pass') return [`${head}>`, output, '    </testcase>'].join('\n')
    const outcome =
      grade === 'fail'
        ? `      <failure message="${escapeXml(reason)}">${escapeXml(evidence(property, '').join('\n'))}</failure>`
        : `      <skipped message="${escapeXml(reason)}"/>`
    return [`${head}>`, outcome, output, '    </testcase>'].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(`suite-sim exam ${receiver}`)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const detailsOf = (property: PropertyResult): string =>
  [property.reason, JSON.stringify(deliveriesOf(property), null, 2)].join('\n')

function markdownReport(examined: Examined): string {
  const { receiver, interface: of, properties } = examined
  const rows = properties.map(
    ({ name, title, grade, reason }) => `| ${grade} | \`${name}\` | ${cell(title)} | ${cell(reason)} |`,
  )
  const failed = properties.filter(({ grade }) => grade === 'fail')
  const details = failed.flatMap((property) => {
    const fence = '````'
    const lines = evidence(property, '').map((line) => line.replaceAll('````', "''''"))
    return ['', `## ${property.name}`, '', property.reason, '', `${fence}text`, ...lines, fence]
  })
  return [
    `# Exam of ${receiver}`,
    '',
    `Interface ${of}. ${summaryOf(examined)}.`,
    '',
    '| grade | property | what must hold | what was found |',
    '| --- | --- | --- | --- |',
    ...rows,
    ...details,
    '',
  ].join('\n')
}

const cell = (text: string): string => onOneLine(text).replaceAll('|', String.raw`\|`)
