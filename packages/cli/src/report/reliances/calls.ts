/** What calls relied on: what they sent, and what they got. */
import type { Schema } from '@suite-sim/client/calling'
import { visitPlaces } from '@suite-sim/verify/model/claims'
import type { Operation } from '@suite-sim/verify/model/operation'
import type { Facts, UsedInterface } from '../facts.ts'
import { adder, addReading, placeIn, type Add, type Reliances } from './collecting.ts'
import { READINGS_OF_REFUSALS } from './refusals.ts'

export function addCall(
  { interfaces, readings, workspace }: Facts,
  call: Schema<'JournalEntry'>,
  found: Reliances,
): void {
  const used = interfaces.get(call.interface)
  const operation = call.operation === null ? undefined : used?.operations.get(call.operation)
  // What a fault answered is no claim of anybody.
  if (!used || !operation || (call.fault !== undefined && call.status >= 400 && !call.refusal)) return
  const add = adder(found, used, call.id)
  const { claims } = used
  const { address, published } = operation
  const isAccepted = call.status < 400
  const whole = claims.at(address, 'operation')
  if (whole && isAccepted) add(whole, { kind: 'operation', operation })
  addBody(used, `${address} body`, call.request.body, isAccepted, operation, add)
  addQuery(used, operation, call.request.query, isAccepted, add)
  const place = `${address} ${String(call.status)}`
  if (isAccepted) {
    for (const kind of ['status', 'response'] as const) {
      const claim = claims.at(place, kind)
      if (claim) add(claim, { kind, operation, status: call.status })
    }
    addAnswer(used, place, call.response.body, add)
    for (const name of (published['x-reading'] ?? []) as readonly string[]) {
      if (!READINGS_OF_REFUSALS.includes(name)) addReading({ readings, workspace }, name, call, found)
    }
    return
  }
  const error = claims.at('Error', 'response')
  if (error) add(error, { kind: 'response', operation, status: call.status })
  addAnswer(used, 'Error', call.response.body, add)
}

export function addAnswer({ claims }: UsedInterface, place: string, body: unknown, add: Add): void {
  visitPlaces(claims, body, place, (value, at) => {
    const field = claims.at(at, 'field')
    if (field) add(field, { kind: 'field', isRead: true })
    const claim = isScalar(value) ? claims.at(at, 'value', String(value)) : undefined
    if (claim) add(claim, { kind: 'value', detail: String(value) })
  })
}

/** A refused body shows nothing of its fields: the hints of the call say what was refused. */
function addBody(
  used: UsedInterface,
  place: string,
  body: unknown,
  isAccepted: boolean,
  operation: Operation,
  add: Add,
): void {
  const { claims } = used
  if (!isAccepted) return
  const request = body === null ? undefined : claims.at(place, 'request')
  if (request) add(request, { kind: 'request', operation })
  const sent = new Set<string>()
  visitPlaces(claims, body, place, (value, at) => {
    sent.add(at)
    const field = claims.at(at, 'field')
    if (field) add(field, { kind: 'field', isRead: false })
    const claim = isScalar(value) ? claims.at(at, 'value', String(value)) : undefined
    if (claim) add(claim, { kind: 'value', detail: String(value) })
  })
  addDefaults(
    used,
    (at) => at.startsWith(`${place}.`) && !sent.has(at) && sent.has(outerOf(at)),
    operation,
    add,
  )
}

const outerOf = (place: string): string => place.slice(0, place.lastIndexOf('.'))

function addQuery(
  used: UsedInterface,
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
  isAccepted: boolean,
  add: Add,
): void {
  if (!isAccepted) return
  const { claims } = used
  for (const [name, value] of Object.entries(query)) {
    const place = `${operation.address} ?${name}`
    const parameter = claims.at(place, 'parameter')
    if (parameter) add(parameter, { kind: 'parameter', operation, detail: name })
    for (const each of [value].flat()) {
      const claim = claims.at(place, 'value', String(each))
      if (claim) add(claim, { kind: 'value', detail: String(each) })
    }
  }
  const prefix = `${operation.address} ?`
  addDefaults(
    used,
    (at) => at.startsWith(prefix) && !Object.hasOwn(query, at.slice(prefix.length)),
    operation,
    add,
  )
}

function addDefaults(
  { claims }: UsedInterface,
  isLeftOut: (at: string) => boolean,
  operation: Operation,
  add: Add,
) {
  for (const claim of claims.all) {
    if (claim.kind !== 'default' || claim.fidelity === 'documented') continue
    // Without a field or parameter that is itself assumed, a call relies on nothing about it.
    const isOfAssumed = ['field', 'parameter'].some(
      (kind) => claims.get(`${kind} ${placeIn(claim)}`)?.label?.why === claim.label?.why,
    )
    if (isOfAssumed) continue
    if (claim.at.some(isLeftOut))
      add(claim, { kind: 'default', operation, ...(claim.detail !== null && { detail: claim.detail }) })
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
