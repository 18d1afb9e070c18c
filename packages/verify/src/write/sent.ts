/** What an accepted or refused body shows of the claims of requests: fields, values, bounds and defaults. */
import { visitPlaces, type Claim, type Claims } from '../model/claims.ts'
import { record, type CheckContext } from '../checks/context.ts'
import { textOf } from '../crawl/rowValues.ts'
import type { StepResult } from './runScenarios.ts'

/** Envelopes around the record of an answer. */
const ENVELOPES = ['data', 'payload', 'result', 'contact', 'customer', 'webhook', 'meeting']

export function checkSent(context: CheckContext, { exchange, simulated }: StepResult): void {
  const { claims } = context
  const { operation, body } = exchange.probe
  if (body === undefined) return
  const root = `${operation.address} body`
  const agree = (aspect: string, claim: string): void => {
    record(context, 'story', exchange, { aspect, place: '', isEqual: true, claim })
  }
  const haveAccepted = exchange.status < 300 && simulated.status < 300
  const haveRefused = exchange.status >= 400 && exchange.status === simulated.status
  if (haveAccepted) {
    for (const claim of shownBy(claims, body, root)) agree('sent', claim)
    checkDefaults(context, { exchange, simulated }, root)
  } else if (haveRefused) for (const claim of violatedBy(claims, body, root)) agree('bound', claim)
}

/** Returns the claims of the fields and values that were sent. */
function shownBy(claims: Claims, body: unknown, root: string): ReadonlySet<string> {
  const found = new Set<string>()
  visitPlaces(claims, body, root, (value, place) => {
    for (const { kind, key, detail } of claims.allAt(place))
      if (kind === 'request' || kind === 'field' || (kind === 'value' && detail === String(value)))
        found.add(key)
  })
  return found
}

/** Returns the claims of the bounds that a refused body breaks. */
function violatedBy(claims: Claims, body: unknown, root: string): ReadonlySet<string> {
  const found = new Set<string>()
  visitPlaces(claims, body, root, (value, place) => {
    for (const claim of claims.allAt(place))
      if (claim.kind === 'bound' && isViolated(claim, value)) found.add(claim.key)
  })
  return found
}

function isViolated({ detail }: Claim, value: unknown): boolean {
  const [word = '', limit = ''] = (detail ?? '').split(' ')
  const bound = Number(limit)
  if (!Number.isFinite(bound)) return false
  if (typeof value === 'number') {
    return (
      (word === 'minimum' && value < bound) ||
      (word === 'maximum' && value > bound) ||
      (word === 'exclusiveMinimum' && value <= bound) ||
      (word === 'exclusiveMaximum' && value >= bound)
    )
  }
  const [least, most] = Array.isArray(value) ? ['minItems', 'maxItems'] : ['minLength', 'maxLength']
  if (typeof value !== 'string' && !Array.isArray(value)) return false
  return (word === least && value.length < bound) || (word === most && value.length > bound)
}

/** Compares the values that the answer has for fields that were not sent. */
function checkDefaults(
  context: CheckContext,
  { exchange, simulated }: Pick<StepResult, 'exchange' | 'simulated'>,
  root: string,
): void {
  const sent = exchange.probe.body as Readonly<Record<string, unknown>>
  const [realRecord, simulatedRecord] = [recordIn(exchange.body), recordIn(simulated.body)]
  for (const { kind, key, detail, at } of context.claims.all) {
    const place = kind === 'default' ? at.find((each) => each.startsWith(`${root}.`)) : undefined
    const name = place?.slice(root.length + 1) ?? ''
    if (place === undefined || !/^\w+$/.test(name) || Object.hasOwn(sent, name)) continue
    const [expected, actual] = [simulatedRecord[name], realRecord[name]]
    // The record can have the value in another form than the request.
    if (expected === undefined || textOf(expected) !== detail) continue
    record(context, 'story', exchange, {
      aspect: 'default',
      place: '',
      isEqual: actual !== undefined && textOf(actual) === detail,
      message: `The default of ${name} is another one.`,
      expected,
      actual,
      claim: key,
    })
  }
}

/** Returns the record inside the envelopes of an answer. */
function recordIn(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const fields = body as Record<string, unknown>
  const name = ENVELOPES.find((each) => isObject(fields[each]))
  return name !== undefined && !Object.hasOwn(fields, 'id') ? recordIn(fields[name]) : fields
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
