/** Compares a report with an earlier one. */
import { keyOf } from './keys.ts'
import { REPORT_FORMAT, type Report } from './report.ts'

/**
 * Returns the report with `since`, and with the instants at which its differences were first seen. A difference is gone
 * if its claim was checked again.
 */
export function comparedWith(report: Report, earlier: Report): Report {
  const before = new Map(earlier.differences.map((difference) => [keyOf(difference), difference]))
  const now = new Set(report.differences.map(keyOf))
  const checked = new Set(
    report.claims
      .filter(({ verdict }) => verdict !== 'not_checked')
      .map((each) => `${each.interface} ${each.claim}`),
  )
  const missing = [...before].filter(([key]) => !now.has(key))
  const isGone = ([, { interface: name, claim }]: (typeof missing)[number]): boolean =>
    checked.has(`${name} ${claim}`)
  return {
    ...report,
    differences: report.differences.map((difference) => {
      const known = before.get(keyOf(difference))
      return known && known.firstSeen < difference.firstSeen
        ? { ...difference, firstSeen: known.firstSeen }
        : difference
    }),
    since: {
      report: earlier.run.id,
      gone: missing.filter(isGone).map(([key]) => key),
      added: [...now].filter((key) => !before.has(key)),
      notChecked: missing.filter((each) => !isGone(each)).map(([key]) => key),
    },
  }
}

const TEXTS = ['interface', 'claim', 'aspect', 'place', 'firstSeen', 'lastSeen'] as const

/** Parses a report in JSON. Throws an Error whose message says what the text must be. */
export function parseReport(text: string): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('must be JSON')
  }
  if (!isObject(value) || value['format'] !== REPORT_FORMAT) {
    throw new Error(`must be a report of suite-sim verify --report json (format: ${REPORT_FORMAT})`)
  }
  const { run, differences } = value
  if (!isObject(run) || typeof run['id'] !== 'string') throw new Error('run.id must be a string')
  if (!Array.isArray(differences)) throw new Error('differences must be an array')
  for (const [index, difference] of differences.entries()) {
    for (const name of TEXTS) {
      if (!isObject(difference) || typeof difference[name] !== 'string') {
        throw new Error(`differences[${String(index)}].${name} must be a string`)
      }
    }
  }
  return value as unknown as Report
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
