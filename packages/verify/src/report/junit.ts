/** A report as JUnit XML: a suite for each interface, a test case for each operation. Valid for Ant's and Jenkins' schemas. */
import { offsetInstantOf } from '@suite-sim/kit/time/instants'
import { addressIn, byReason, operationOf } from './keys.ts'
import type { ClaimVerdict, Difference, Report } from './report.ts'
import { detailsOf, writtenLines } from './text.ts'
import { counted, percent, safeLines, shortText, shortValue } from './values.ts'
import { escapeHtml } from '@suite-sim/kit/text/escaping'

/** Differences of one test case that are written in full. */
const MAX_DIFFERENCES = 50
const MAX_VALUE = 1000

interface Case {
  readonly name: string
  readonly claims: ClaimVerdict[]
  readonly differences: Difference[]
}

export function reportAsJunit(report: Report): string {
  const suites = report.run.interfaces.map((name, index) => suiteOf(report, name, index))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

function suiteOf(report: Report, name: string, index: number): string {
  const { run } = report
  const cases = casesOf(report, name)
  const failed = cases.filter(hasFailed)
  const skipped = cases.filter((each) => !failed.includes(each) && isSkipped(each))
  const attributes = attributesOf({
    name: `verify.${name}`,
    package: 'verify',
    id: String(index),
    // The schema allows no time zone.
    timestamp: run.startedAt.slice(0, 19),
    hostname: hostOf(run.at[name] ?? run.baseUrl),
    tests: String(cases.length),
    failures: String(failed.length),
    errors: '0',
    skipped: String(skipped.length),
    time: index === 0 ? secondsOf(run) : '0',
  })
  return [
    `  <testsuite ${attributes}>`,
    '    <properties>',
    ...Object.entries(propertiesOf(report)).map(
      ([property, value]) => `      <property ${attributesOf({ name: property, value })}/>`,
    ),
    '    </properties>',
    ...cases.map((each) => caseOf(each, `verify.${name}`, reasonOf(report, name, each))),
    `    <system-out>${xml(outputOf(report, name, cases, index === 0))}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>\n',
  ].join('\n')
}

const propertiesOf = ({ version, run, summary }: Report): Record<string, string> => ({
  version,
  run: run.id,
  mode: run.mode,
  baseUrl: run.baseUrl,
  requests: `${String(run.requests)} of ${String(run.budget)}`,
  endedEarly: run.endedEarly ?? 'no',
  checkable: `${String(summary.checkable)} of ${counted(summary.claims, 'claim')}`,
  checked: `${String(summary.checked)} (${percent(summary.coverage)} of those that are checkable)`,
})

/** Returns the operations with their claims, then the schemas, statuses, events and machines whose claims have none. */
function casesOf({ claims, differences }: Report, name: string): Case[] {
  const own = claims.filter((claim) => claim.interface === name)
  const events = own.flatMap(({ kind, claim }) => (kind === 'event' ? [subjectOf(claim)] : []))
  const operations = new Map<string, Case>()
  const others = new Map<string, Case>()
  const caseIn = (cases: Map<string, Case>, key: string): Case => {
    const known = cases.get(key) ?? { name: key, claims: [], differences: [] }
    cases.set(key, known)
    return known
  }
  for (const claim of own) {
    const address = addressIn(claim.claim)
    const found = address === null ? caseIn(others, otherNameOf(claim, events)) : caseIn(operations, address)
    found.claims.push(claim)
  }
  for (const difference of differences) {
    if (difference.interface === name)
      caseIn(operations, operationOf(difference)).differences.push(difference)
  }
  return [...operations.values(), ...others.values()]
}

/** Returns "Link.amount" of "field Link.amount minimum 1". */
const subjectOf = (claim: string): string => claim.split(' ')[1] ?? claim

/** Returns "schema Link", "event sale.completed", "machine payments.link" or "status 404". */
function otherNameOf({ kind, claim }: ClaimVerdict, events: readonly string[]): string {
  const subject = subjectOf(claim)
  if (kind === 'move') return `machine ${subject}`
  if (kind === 'status') return `status ${subject}`
  const event = events.find((each) => subject === each || subject.startsWith(`${each}.`))
  return event === undefined ? `schema ${subject.split(/[.[]/)[0] ?? subject}` : `event ${event}`
}

const isFailure = ({ status }: Difference): boolean => status === 'differs'

const hasFailed = ({ claims, differences }: Case): boolean =>
  differences.some(isFailure) || claims.some(({ verdict }) => verdict === 'differs')

const isSkipped = ({ claims, differences }: Case): boolean =>
  differences.length === 0 && claims.every(({ verdict }) => verdict === 'not_checked')

function reasonOf({ notChecked }: Report, name: string, { name: operation, claims }: Case): string {
  const whole = notChecked.find(({ interface: of, what }) => of === name && what === operation)?.why
  const reasons = claims.flatMap(({ why }) => (why === undefined ? [] : [why]))
  return [...new Set(whole === undefined ? reasons : [whole])].slice(0, 3).join('; ') || 'not checked'
}

function caseOf(one: Case, classname: string, reason: string): string {
  const attributes = attributesOf({ name: one.name, classname, time: '0' })
  const failures = one.differences.filter(isFailure)
  const [first] = failures
  if (first) {
    const failure = attributesOf({
      message: `${first.claim}: ${shortText(first.message)}${failures.length > 1 ? ` (and ${String(failures.length - 1)} more)` : ''}`,
      type: `${first.oracle}.${first.aspect}`,
    })
    const text = [countsOf(one), ...failures.slice(0, MAX_DIFFERENCES).map(differenceText)].join('\n\n')
    return `    <testcase ${attributes}>\n      <failure ${failure}>${xml(text)}</failure>\n    </testcase>`
  }
  // A claim of a schema differs in the answers of operations, whose cases have the evidence.
  const differing = one.claims.filter(({ verdict }) => verdict === 'differs')
  if (differing.length > 0) {
    const failure = attributesOf({
      message: `${counted(differing.length, 'claim')} of ${one.name} differ`,
      type: 'claims',
    })
    const text = differing.map(({ claim }) => shortText(claim)).join('\n')
    return `    <testcase ${attributes}>\n      <failure ${failure}>${xml(text)}</failure>\n    </testcase>`
  }
  return isSkipped(one)
    ? `    <testcase ${attributes}>\n      <skipped ${attributesOf({ message: shortText(reason) })}/>\n    </testcase>`
    : `    <testcase ${attributes}/>`
}

const differenceText = (difference: Difference): string =>
  [
    `${shortText(difference.claim)} (${difference.fidelity})`,
    shortText(difference.message, MAX_VALUE),
    `simulator: ${shortValue(difference.expected, MAX_VALUE)}`,
    `service:   ${shortValue(difference.actual, MAX_VALUE)}`,
    ...detailsOf(difference),
  ].join('\n')

/** Returns "12 claims: 9 agree, 1 differs, 2 not checked". */
function countsOf({ claims }: Case): string {
  const count = (verdict: ClaimVerdict['verdict']): number =>
    claims.filter((claim) => claim.verdict === verdict).length
  return `${counted(claims.length, 'claim')}: ${String(count('agrees'))} agree, ${String(count('differs'))} differ, ${String(count('not_checked'))} not checked`
}

/** Begins with what was not checked, as all reports do. The first suite also has what the whole run caused. */
function outputOf(report: Report, name: string, cases: readonly Case[], isFirst: boolean): string {
  const reasons = byReason({ notChecked: report.notChecked.filter((each) => each.interface === name) })
  const flaky = cases.flatMap(({ differences }) => differences.filter((each) => !isFailure(each)))
  return [
    ...reasons.map(({ why, claims }) => `Not checked: ${shortText(why)} (${counted(claims, 'claim')})`),
    ...cases.map((each) => `${each.name}: ${countsOf(each)}`),
    ...flaky.map((each) => `Flaky: ${each.claim}: ${shortText(each.message)}`),
    ...(isFirst ? writtenLines(report.written, report.notes) : []),
  ].join('\n')
}

/** The whole time is that of the first suite, because the interfaces are not called one by one. */
const secondsOf = ({ startedAt, endedAt }: Report['run']): string =>
  ((offsetInstantOf(endedAt) - offsetInstantOf(startedAt)) / 1000).toFixed(3)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '') || 'localhost'

const attributesOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${xml(shortText(value, MAX_VALUE))}"`)
    .join(' ')

/** Escapes a text of several lines. XML has no place for control characters, not even as entities. */
const xml = (text: string): string => escapeHtml(safeLines(text).join('\n'))
