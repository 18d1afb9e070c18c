/** Removes credentials from all foreign texts of a report. */
import { redactedText, redactedValue, type Secrets } from '../exchanges/redaction.ts'
import type { Difference, Evidence, Report } from './report.ts'

/** Returns the report without the secrets, other credentials, card numbers and e-mail addresses. */
export const withoutSecrets = (report: Report, secrets: Secrets): Report => ({
  ...report,
  run: {
    ...report.run,
    endedEarly: report.run.endedEarly === null ? null : redactedText(report.run.endedEarly, secrets),
  },
  notChecked: report.notChecked.map((each) => ({ ...each, why: redactedText(each.why, secrets) })),
  ...(report.written && {
    written: {
      ...report.written,
      remaining: report.written.remaining.map(({ record, why }) => ({
        record: redactedText(record, secrets),
        why: redactedText(why, secrets),
      })),
    },
  }),
  differences: report.differences.map((difference) => redactedDifference(difference, secrets)),
})

/** The last field of a place: "email" of "GET /contacts 200.data[].email". */
const FIELD = /([\w-]{1,80})(?:\[\])?$/

function redactedDifference(difference: Difference, secrets: Secrets): Difference {
  const { place, message, expected, actual, evidence } = difference
  const field = FIELD.exec(place.slice(-100))?.[1] ?? ''
  return {
    ...difference,
    message: redactedText(message, secrets),
    expected: redactedValue(expected, secrets, field),
    actual: redactedValue(actual, secrets, field),
    evidence: evidence.map(({ har, curl }) => ({
      har: redactedValue(har, secrets) as Evidence['har'],
      curl: redactedText(curl, secrets),
    })),
  }
}
