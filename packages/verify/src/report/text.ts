/** A report for a terminal. */
import { byInterface, byOperation, byReason, type Reason } from './keys.ts'
import type { Difference, Report } from './report.ts'
import { counted, percent, safeLines, shortText, shortValue, withCommas } from './values.ts'

export type Paint = (color: 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold', text: string) => string

/** Most names of what was not checked in a line. */
const MAX_NAMES = 6
const MAX_VALUE = 400
const MAX_LISTED = 50

const plain: Paint = (_color, text) => text

/** Returns a report that begins with what was not checked. */
export function reportAsText(report: Report, paint: Paint = plain): string {
  return `${[...headOf(report), ...notCheckedOf(report, paint), ...differencesOf(report, paint), ...summaryOf(report, paint)].join('\n')}\n`
}

/** Returns "read only, 312 of 400 requests, ended early: …". */
function headOf({ version, run, written, notes }: Report): string[] {
  const own = Object.entries(run.at).map(([name, url]) => `  ${name} at ${shortText(url)}`)
  return [
    `suite-sim verify ${version}: ${shortText(run.baseUrl)}`,
    ...own,
    `Run ${shortText(run.id)}, ${run.mode === 'read' ? 'only reads' : 'writes'}, ${run.startedAt} to ${run.endedAt}, ${withCommas(run.requests)} of ${counted(run.budget, 'request')}`,
    ...(run.endedEarly === null ? [] : [`Ended early: ${shortText(run.endedEarly)}`]),
    ...writtenLines(written, notes),
    '',
  ]
}

/** Returns what a run caused on the other side. */
export function writtenLines(written: Report['written'], notes: readonly string[] = []): string[] {
  const caused = notes.map((note) => `Note: ${shortText(note, MAX_VALUE)}`)
  if (!written) return caused
  const { ledger, deleted, remaining } = written
  return [
    `Wrote: ${counted(deleted, 'record')} deleted again, ${withCommas(remaining.length)} remain; ledger ${shortText(ledger)}`,
    ...remaining
      .slice(0, MAX_LISTED)
      .map(({ record, why }) => `  remains ${shortText(record)}: ${shortText(why)}`),
    ...caused,
  ]
}

function notCheckedOf(report: Report, paint: Paint): string[] {
  const { claims, checked } = report.summary
  const title = `Not checked: ${withCommas(claims - checked)} of ${counted(claims, 'claim')}`
  return [paint('bold', title), ...byReason(report).flatMap((reason) => reasonLines(reason, paint)), '']
}

function reasonLines({ why, claims, interfaces }: Reason, paint: Paint): string[] {
  return [
    `  ${paint('yellow', shortText(why, MAX_VALUE))} (${counted(claims, 'claim')})`,
    ...interfaces.map(([name, what]) => {
      const names = what.slice(0, MAX_NAMES).map((each) => shortText(each))
      const more = what.length - names.length
      return `    ${name}: ${names.join(', ')}${more > 0 ? ` and ${withCommas(more)} more` : ''}`
    }),
  ]
}

function differencesOf(report: Report, paint: Paint): string[] {
  const groups = byOperation(report)
  if (groups.length === 0) return [paint('bold', 'Differences: none'), '']
  return [
    paint('bold', `Differences: ${withCommas(report.differences.length)}`),
    ...groups.flatMap(([operation, differences]) => [
      '',
      `  ${paint('cyan', shortText(operation))}`,
      ...differences.flatMap((difference, index) =>
        differenceLines(difference, paint, callOf(difference) === callOf(differences[index - 1])),
      ),
    ]),
    '',
  ]
}

const callOf = (difference: Difference | undefined): string | undefined => difference?.evidence[0]?.curl

function differenceLines(difference: Difference, paint: Paint, isSameCall: boolean): string[] {
  const { claim, status, fidelity, message, expected, actual } = difference
  const mark = status === 'flaky' ? paint('yellow', 'flaky') : paint('red', 'differs')
  return [
    `    ${mark} ${shortText(claim)} (${fidelity})`,
    `      ${shortText(message, MAX_VALUE)}`,
    `      simulator  ${shortValue(expected, MAX_VALUE)}`,
    `      service    ${shortValue(actual, MAX_VALUE)}`,
    ...detailsOf(difference, isSameCall).map((line) => paint('dim', `      ${line}`)),
  ]
}

/** Returns how often and where a difference was seen, what follows it, and its call unless that is the one above. */
export function detailsOf(difference: Difference, isSameCall = false): string[] {
  const { samples, firstSeen, lastSeen, place, oracle, aspect, reading, followedBy, evidence } = difference
  const [first] = evidence
  return [
    `${withCommas(samples.deviating)} of ${counted(samples.total, 'sample')}, first seen ${firstSeen}, last seen ${lastSeen}`,
    `at ${shortText(place)} (${oracle}: ${shortText(aspect)})`,
    ...(reading
      ? [`the value ${shortText(reading.value)} of the reading ${shortText(reading.name)} explains it`]
      : []),
    followedBy === null
      ? 'no entry of an overlay can follow it'
      : `an overlay follows it: ${shortText(followedBy)}`,
    ...(first ? (isSameCall ? ['the same call'] : safeLines(first.curl.trimEnd())) : []),
  ]
}

function summaryOf(report: Report, paint: Paint): string[] {
  const { summary, run } = report
  return [
    paint('bold', 'Summary'),
    ...tableOf(report),
    '',
    `  ${counted(summary.claims, 'claim')}`,
    `  ${withCommas(summary.checkable)} checkable${run.mode === 'read' ? ' with reads' : ''}`,
    `  ${withCommas(summary.checked)} checked, ${percent(summary.coverage)} of those that are checkable`,
    `  ${paint('green', `${withCommas(summary.agrees)} agree`)}, ${paint(summary.differs > 0 ? 'red' : 'green', `${withCommas(summary.differs)} differ`)}, ${withCommas(summary.flaky)} flaky`,
    ...sinceLines(report, paint),
  ]
}

function tableOf(report: Report): string[] {
  const rows = [
    ['', 'claims', 'checkable', 'checked', 'differ'],
    ...byInterface(report).map((each) => [
      each.interface,
      ...[each.claims, each.checkable, each.checked, each.differs].map(withCommas),
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => {
    const [name = '', ...figures] = row
    const right = figures.map((figure, index) => figure.padStart(widths[index + 1] ?? 0))
    return `  ${[name.padEnd(widths[0] ?? 0), ...right].join('  ')}`
  })
}

function sinceLines({ since }: Report, paint: Paint): string[] {
  if (!since) return []
  const listed = (title: string, keys: readonly string[]): string[] => [
    `  ${withCommas(keys.length)} ${title}`,
    ...keys.slice(0, MAX_LISTED).map((key) => `    ${shortText(key)}`),
    ...(keys.length > MAX_LISTED ? [`    and ${withCommas(keys.length - MAX_LISTED)} more`] : []),
  ]
  return [
    '',
    paint('bold', `Since the run ${shortText(since.report)}`),
    ...listed('new', since.added),
    ...listed('gone', since.gone),
    ...listed('not checked again', since.notChecked),
  ]
}
