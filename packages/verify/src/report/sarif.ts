/** A report as SARIF 2.1.0, for tools that follow findings from run to run. */
import { createHash } from 'node:crypto'
import { byReason, keyOf, operationOf } from './keys.ts'
import type { Difference, Report } from './report.ts'
import { writtenLines } from './text.ts'
import { counted, jsonFile, percent, safeLines, shortText, shortValue } from './values.ts'

const MAX_VALUE = 1000

/** What the words of the rules mean. */
const ORACLES: Readonly<Record<Difference['oracle'], string>> = {
  contract: 'An answer of the service does not fit the published document',
  errors: 'The service refuses a request in another way',
  relations: 'Answers of the service do not relate to each other as those of the simulator do',
  invariants: 'What holds in all answers of the simulator does not hold in those of the service',
  differential: 'The service answers differently from the simulator with the same data',
  story: 'The service answers a step of a story differently from the simulator',
}

export function reportAsSarif(report: Report): string {
  const ids = [...new Set(report.differences.map(ruleOf))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'suite-sim verify',
            version: report.version,
            rules: ids.map((id) => ({
              id,
              name: nameOf(id),
              shortDescription: { text: `${ORACLES[oracleOf(id)]}: ${aspectOf(id)}.` },
            })),
          },
        },
        automationDetails: { id: `suite-sim verify/${report.run.mode}/` },
        invocations: [invocationOf(report)],
        results: report.differences.map((difference) => resultOf(report, difference, ids)),
        properties: { run: report.run, summary: report.summary },
      },
    ],
  }
  return jsonFile(log)
}

/** Returns "contract/status". */
const ruleOf = ({ oracle, aspect }: Difference): string => `${oracle}/${aspect}`

const oracleOf = (rule: string): Difference['oracle'] => rule.split('/')[0] as Difference['oracle']

const aspectOf = (rule: string): string => rule.slice(rule.indexOf('/') + 1)

/** Returns "ContractExtraField". */
const nameOf = (rule: string): string =>
  rule
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Begins with what was not checked: each reason is a notification. */
function invocationOf(report: Report): object {
  const { run, summary, written, notes } = report
  const caused = writtenLines(written, notes).map((line) => line.trim())
  const ended = run.endedEarly === null ? [] : [`Ended early: ${shortText(run.endedEarly)}`]
  const reasons = byReason(report).map(
    ({ why, claims }) => `Not checked: ${shortText(why, MAX_VALUE)} (${counted(claims, 'claim')})`,
  )
  const coverage = `Checked ${String(summary.checked)} of ${counted(summary.checkable, 'checkable claim')} (${percent(summary.coverage)}).`
  return {
    executionSuccessful: run.endedEarly === null,
    startTimeUtc: run.startedAt,
    endTimeUtc: run.endedAt,
    toolExecutionNotifications: [...ended, ...reasons, coverage, ...caused].map((text) => ({
      level: 'note',
      message: { text },
    })),
  }
}

function resultOf({ since }: Report, difference: Difference, ids: readonly string[]): object {
  const { interface: name, claim, place, message, expected, actual, evidence } = difference
  const rule = ruleOf(difference)
  const key = keyOf(difference)
  const lines = [
    `${shortText(claim)} at ${shortText(place)}: ${shortText(message, MAX_VALUE)}`,
    `simulator: ${shortValue(expected, MAX_VALUE)}`,
    `service: ${shortValue(actual, MAX_VALUE)}`,
  ]
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: levelOf(difference),
    message: { text: withoutPlaceholders(lines.join('\n')) },
    locations: [
      {
        logicalLocations: [
          {
            name: operationOf(difference),
            fullyQualifiedName: `${name} ${place}`,
            kind: 'resource',
          },
        ],
      },
    ],
    partialFingerprints: { 'suiteSimVerify/v1': createHash('sha256').update(key).digest('hex') },
    ...(since && { baselineState: since.added.includes(key) ? 'new' : 'unchanged' }),
    occurrenceCount: Math.max(1, difference.samples.deviating),
    properties: {
      interface: name,
      claim,
      fidelity: difference.fidelity,
      status: difference.status,
      samples: difference.samples,
      firstSeen: difference.firstSeen,
      lastSeen: difference.lastSeen,
      followedBy: difference.followedBy,
      ...(difference.reading && { reading: difference.reading }),
      curl: evidence.map(({ curl }) => safeLines(curl.trimEnd()).join('\n')),
    },
  }
}

/** A contradiction of the specification is an error; one of an assumption is what `verify` looks for. */
function levelOf({ status, fidelity }: Difference): 'error' | 'warning' | 'note' {
  if (status === 'flaky') return 'note'
  return fidelity === 'documented' ? 'error' : 'warning'
}

/** SARIF reads {0} as a placeholder and [text](1) as a link. */
const withoutPlaceholders = (text: string): string =>
  text
    .replaceAll('{', '{{')
    .replaceAll('}', '}}')
    .replaceAll(/[[\]\\]/g, String.raw`\$&`)
