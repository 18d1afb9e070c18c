/** A report as JSON: the format that `--since` reads. */
import type { Report } from './report.ts'
import { jsonFile, jsonLine, jsonText, shortText } from './values.ts'

/** Characters of a value as JSON. */
const MAX_VALUE = 4000

/** Returns the report as JSON, with "notChecked" before the differences. Long values become the beginning of their JSON text. */
export function reportAsJson(report: Report): string {
  const text = jsonFile({
    format: report.format,
    version: report.version,
    run: report.run,
    ...(report.written && { written: report.written }),
    ...(report.notes && { notes: report.notes }),
    notChecked: report.notChecked,
    differences: report.differences.map((difference) => ({
      ...difference,
      expected: shortened(difference.expected),
      actual: shortened(difference.actual),
      message: shortText(difference.message, MAX_VALUE),
    })),
    ...(report.since && { since: report.since }),
    summary: report.summary,
  })
  // One line for each of thousands of claims.
  const claims = report.claims.map((claim) => `\n    ${jsonLine(claim)}`).join(',')
  return text.replace(/\n\}\n$/, () => `,\n  "claims": [${claims}${claims === '' ? '' : '\n  '}]\n}\n`)
}

function shortened(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = jsonText(value)
  return text.length > MAX_VALUE
    ? `${text.slice(0, MAX_VALUE)}… (${String(text.length)} characters)`
    : JSON.parse(text)
}
