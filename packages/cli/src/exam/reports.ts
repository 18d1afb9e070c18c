/** The report on a receiver: its deliveries as evidence. */
import { counted } from '@suite-sim/kit/text/counted'
import { SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import type { ExamResult, PropertyResult } from './examine.ts'
import { countGrades, onOneLine, summaryOf, writeReported, type ReportFormat } from './formats.ts'
import type { ExamDelivery, ExamReport } from './options.ts'
import type { Exchange } from './relay.ts'

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

export function writeReport(format: ReportFormat, examined: Examined): string {
  if (format === 'json') return `${JSON.stringify(jsonReport(examined), null, 2)}\n`
  const { receiver, interface: of, properties } = examined
  return writeReported(format, {
    examined: receiver,
    about: `Interface ${of}. ${summaryOf(properties)}.`,
    suite: of,
    properties: properties.map((property) => ({
      ...property,
      seconds: property.exchanges.reduce((sum, { answer }) => sum + answer.durationMs, 0) / 1000,
      evidence: evidence(property),
      details: JSON.stringify(deliveriesOf(property), null, 2),
    })),
  })
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
  const { passed, failed, notJudged } = countGrades(properties)
  return {
    receiver,
    interface: of,
    events,
    observe,
    result: failed === 0 && observeError === null ? 'passed' : 'failed',
    summary: { passed, failed, notJudged },
    properties: properties.map((property) => {
      const { name, title, grade, reason, exchanges } = property
      return { name, title, grade, reason, count: exchanges.length, deliveries: deliveriesOf(property) }
    }),
  }
}

/** Deliveries that text shows of a failed property. */
const MAX_LINES = 8

/** Describes the deliveries of a property: `payment.completed, attempt 2: 500 in 3 ms`. */
function evidence(property: PropertyResult): string[] {
  const shown = deliveriesOf(property, MAX_LINES).map(lineOf)
  const more = property.exchanges.length - shown.length
  return more > 0 ? [...shown, counted(more, 'more delivery')] : shown
}

function lineOf({ event, attempt, status, error, durationMs, request, response }: ExamDelivery): string {
  const answer = [status === null ? '' : String(status), error ?? ''].filter((each) => each !== '').join(', ')
  const id = request.headers['x-service-delivery'] ?? ''
  const said = response === '' ? '' : `: ${onOneLine(response)}`
  return `${event} ${id}, attempt ${String(attempt)}: ${answer} in ${String(durationMs)} ms${said}`
}
