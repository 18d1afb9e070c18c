/** Which assumed claims and which readings a run relied on: what it sent, what it got, which moves and deliveries it met. */
import type { Schema } from '@suite-sim/client/calling'
import { visitPlaces, type Claim } from '@suite-sim/verify/model/claims'
import type { Operation } from '@suite-sim/verify/model/operation'
import type { Facts, UsedInterface } from './facts.ts'
import type { Part, Reliance } from './part.ts'
import { questionAbout, type Subject } from './questions.ts'
import { causesIn } from './causes.ts'

/** The maximum number of requests of a reliance. */
const MAX_REQUESTS = 25

/**
 * Readings that decide only whether and how a call is refused. A hint of a refused call names its reading; the others decide
 * what their operations and events do.
 */
export const READINGS_OF_REFUSALS: readonly string[] = [
  'scopes.unlisted',
  'catalog.products_module',
  'integration-payments.invalid_state',
  'integration-payments.unknown_key',
]

/** What was relied on: the subject of a question, and the claims of docs/fidelity that it is about. */
interface Relied {
  readonly subject: Subject
  readonly interface: string
  readonly why: string
  readonly sentence: string | null
  readonly claim?: string
  readonly isObserved?: boolean
}

/** Collects what was relied on, each once. */
class Reliances {
  readonly #all = new Map<string, Reliance>()

  /** `request` is undefined if the call or the trigger is not known any more. */
  add(relied: Relied, request: string | undefined, count = 1): void {
    const { subject, interface: of, why, sentence, claim, isObserved = false } = relied
    const key = JSON.stringify([of, subject.key, why])
    const known = this.#all.get(key)
    const requests = known?.requests ?? []
    const isNew = request !== undefined && !requests.includes(request) && requests.length < MAX_REQUESTS
    const claims = known?.claims ?? []
    this.#all.set(key, {
      key,
      interface: of,
      kind: subject.kind,
      question: known?.question ?? questionAbout(subject),
      place: subject.place,
      why,
      sentence,
      isObserved,
      count: (known?.count ?? 0) + count,
      requests: isNew ? [...requests, request] : requests,
      claims: claim === undefined || claims.includes(claim) ? claims : [...claims, claim],
    })
  }

  get all(): Reliance[] {
    return [...this.#all.values()]
  }
}

/** Returns what a run in one workspace covered and relied on. */
export function partOf(facts: Facts): Part {
  const { workspace, calls, coverage, interfaces } = facts
  const found = new Reliances()
  for (const call of calls.toReversed()) addCall(facts, call, found)
  addRefusals(facts, found)
  addMoves(facts, found)
  addDeliveries(facts, found)
  const isUsed = (each: { readonly interface: string }): boolean => interfaces.has(each.interface)
  const machineIsUsed = ({ machine }: { readonly machine: string }): boolean =>
    interfaces.has(machine.split('.')[0] ?? '')
  return {
    workspace: { id: workspace.id, name: workspace.name },
    observedAt: facts.observed.measured?.at ?? null,
    examined: calls.length,
    reliances: found.all,
    notes: notesIn(facts),
    covered: {
      operations: coverage.operations.filter(isUsed),
      transitions: coverage.transitions.filter(machineIsUsed),
      events: coverage.events.filter(isUsed),
    },
  }
}

/** Returns a function that adds each assumed claim of one call or delivery once. */
function adder(found: Reliances, used: UsedInterface, request: string | undefined) {
  const met = new Set<string>()
  return (claim: Claim, subject: Omit<Subject, 'key' | 'place'> & { readonly place?: string }): void => {
    const { label, key, fidelity } = claim
    if (!label || fidelity === 'documented') return
    const { kind, place = label.place } = subject
    // Bodies of several events often have one form, and then one reason.
    const isShared = kind === 'payload'
    // A label covers everything below it, which is then one assumption. Only values and defaults have several of their own.
    const whole = `${place} ${label.why}`
    const own =
      subject.detail !== undefined && label.place === placeIn(claim) ? `${place} ${subject.detail}` : place
    const once = `${own} ${label.why}`
    if (met.has(whole) || met.has(once)) return
    met.add(once)
    found.add(
      {
        subject: { ...subject, key: isShared ? kind : own, place },
        interface: used.name,
        why: label.why,
        sentence: used.sentenceOf(`${kind} ${place}`),
        claim: key,
        isObserved: fidelity === 'observed',
      },
      request,
    )
  }
}

/** Returns the place in the key of a claim: "Link.amount" of "bound Link.amount maximum 100". */
const placeIn = ({ key, kind, detail }: Claim): string =>
  key.slice(kind.length + 1, detail === null ? undefined : -(detail.length + 1))

type Add = ReturnType<typeof adder>

function addCall(
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

function addAnswer({ claims }: UsedInterface, place: string, body: unknown, add: Add): void {
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

function addReading(
  { readings, workspace }: Pick<Facts, 'readings' | 'workspace'>,
  name: string,
  { id, interface: of }: { readonly id: string | undefined; readonly interface: string },
  found: Reliances,
  count = 1,
): void {
  const reading = readings.find((each) => each.name === name)
  if (!reading) return
  const chosen = (workspace.readings as Readonly<Record<string, string>>)[name] ?? reading.default
  const titles = reading.alternatives.map(({ value, title }) => ({ value, title }))
  const why = titles.find(({ value }) => value === chosen)?.title ?? chosen
  const subject: Subject = {
    kind: 'reading',
    key: name,
    place: name,
    title: reading.title,
    alternatives: titles.map(({ title }) => title),
  }
  found.add({ subject, interface: of, why, sentence: reading.section }, id, count)
}

/** What a hint of a refusal says before its assumptions. */
const REFUSAL_HINT = 'The specification does not fully show this refusal. '

function addRefusals(facts: Facts, found: Reliances): void {
  const byId = new Map(facts.calls.map((call) => [call.id, call]))
  for (const { code, message, count, requests } of facts.hints) {
    const calls = requests.flatMap((id) => byId.get(id) ?? []).toReversed()
    // The group names the newest requests only. They stand for the others.
    const rest = (index: number): number => (index === 0 ? count - calls.length : 0)
    for (const [index, call] of calls.entries()) {
      const times = 1 + rest(index)
      if (code === 'reading') {
        const reading = facts.readings.find(({ name }) => message.includes(` ${name} = `))
        if (reading) addReading(facts, reading.name, call, found, times)
      } else if (code === 'assumed_refusal') addRefusal(facts, call, message, times, found)
    }
  }
}

function addRefusal(
  { interfaces }: Facts,
  { id, interface: of, operation: name, method, path, status, refusal }: Schema<'JournalEntry'>,
  message: string,
  times: number,
  found: Reliances,
): void {
  const used = interfaces.get(of)
  const operation = name === null ? undefined : used?.operations.get(name)
  const address = operation?.address ?? `${method} ${path}`
  const place = `${address} ${String(status)}`
  // "It" is the specification, which the first sentence of the hint names.
  const why = message
    .replace(REFUSAL_HINT, '')
    .replaceAll(/(?<=^|\. )It (?=does not |gives no )/g, 'The specification ')
  const subject: Subject = {
    kind: 'refusal',
    key: `refusal ${place}`,
    place,
    status,
    ...(operation && { operation }),
    ...(refusal && { message: refusal.message }),
  }
  const sentence = used?.sentenceOf(`status ${place}`) ?? used?.sentenceOf(`operation ${address}`) ?? null
  const claim = used?.claims.at(place, 'status') ?? used?.claims.at(String(status), 'status')
  found.add({ subject, interface: of, why, sentence, ...(claim && { claim: claim.key }) }, id, times)
}

function addMoves(facts: Facts, found: Reliances): void {
  const { machines, interfaces } = facts
  const { moves } = causesIn(facts)
  for (const machine of machines) {
    const of = machine.name.split('.')[0] ?? ''
    const used = interfaces.get(of)
    for (const move of machine.moves) {
      if (move.fidelity.status !== 'assumed') continue
      const place = `${machine.name} ${move.name}`
      const own = moves.filter((each) => isMoveOf(each, machine, move, facts))
      for (const from of new Set(own.map((each) => each.from))) {
        const subject: Subject = {
          kind: 'move',
          key: `move ${place} ${from}`,
          place,
          title: machine.title,
          from,
          to: move.to,
          by: move.by,
        }
        const relied: Relied = {
          subject,
          interface: of,
          why: move.fidelity.why ?? '',
          sentence: used?.sentenceOf(`move ${place}`) ?? null,
          claim: `move ${place}`,
        }
        for (const each of own) if (each.from === from) found.add(relied, each.root)
      }
    }
  }
}

/** What became of a delivery: its machine belongs to no interface, and its moves are not in the timeline. */
function addOutcome({ machines }: Facts, status: string, request: string, found: Reliances): void {
  const machine = machines.find(({ name }) => name === DELIVERY)
  const move = machine?.moves.find(({ to }) => to === status)
  if (!machine || move?.fidelity.status !== 'assumed') return
  const place = `${machine.name} ${move.name}`
  const [from = ''] = move.from
  found.add(
    {
      subject: {
        kind: 'move',
        key: `move ${place} ${from}`,
        place,
        title: machine.title,
        from,
        to: move.to,
        by: move.by,
      },
      interface: 'webhooks',
      why: move.fidelity.why ?? '',
      sentence: null,
      claim: `move ${place}`,
    },
    request,
  )
}

const DELIVERY = 'webhooks.delivery'

type Machine = Facts['machines'][number]
type Move = Machine['moves'][number]

const lettersOf = (name: string): string => name.replaceAll(/[^a-z.]/gi, '').toLowerCase()

/** The timeline names the section of a record: "payments.links" for the machine "payments.link". */
function isMoveOf(
  { section, move: name, from, to }: ReturnType<typeof causesIn>['moves'][number],
  machine: Machine,
  move: Move,
  { machines }: Facts,
): boolean {
  const isMove = (each: Move): boolean =>
    each.name === name && each.to === to && [...each.from, ...(each.under?.from ?? [])].includes(from)
  if (!isMove(move)) return false
  const [of] = section.split('.')
  const candidates = machines.filter((each) => each.name.split('.')[0] === of && each.moves.some(isMove))
  const named = candidates.filter((each) =>
    lettersOf(section).startsWith(lettersOf(each.name).replace(/y$/, '')),
  )
  return (named.length > 0 ? named : candidates).includes(machine)
}

interface PublishedEvent {
  readonly summary?: string
  readonly 'x-reading'?: readonly string[]
}

function addDeliveries(facts: Facts, found: Reliances): void {
  const { rootOf } = causesIn(facts)
  for (const { id, interface: of, event, attempts, payload, status } of facts.deliveries.toReversed()) {
    const used = facts.interfaces.get(of)
    const root = rootOf(id)
    // Fixtures have deliveries, too. And no receiver has met one without an attempt.
    if (!used || attempts.length === 0 || root === undefined) continue
    addOutcome(facts, status, root, found)
    const add = adder(found, used, root)
    const post = used.document.webhooks?.[event]?.['post'] as PublishedEvent | undefined
    const title = post?.summary ?? event
    const claim = used.claims.at(event, 'event')
    if (claim) add(claim, { kind: 'event', title })
    const body = used.claims.at(event, 'response')
    if (body) add(body, { kind: 'payload', title })
    addAnswer(used, event, payload, add)
    for (const name of post?.['x-reading'] ?? []) addReading(facts, name, { id: root, interface: of }, found)
  }
}

/** Returns what the simulator assumes of documented operations that the run called. */
function notesIn({ coverage, interfaces }: Facts): Part['notes'] {
  return coverage.operations.flatMap(({ interface: of, operation: id, calls }) => {
    const operation = calls > 0 ? interfaces.get(of)?.operations.get(id) : undefined
    const why = operation?.published['x-fidelity-why']
    return operation?.published['x-fidelity'] === 'documented' && typeof why === 'string'
      ? [{ interface: of, operation: operation.address, why, calls }]
      : []
  })
}
