/** Collects what a run relied on: assumed claims and readings. */
import type { Claim } from '@suite-sim/verify/model/claims'
import type { Facts, UsedInterface } from '../facts.ts'
import type { Reliance } from '../part.ts'
import { questionAbout, type Subject } from '../questions.ts'

/** The maximum number of requests of a reliance. */
const MAX_REQUESTS = 25

/** What was relied on: the subject of a question, and the claims of docs/fidelity that it is about. */
export interface Relied {
  readonly subject: Subject
  readonly interface: string
  readonly why: string
  readonly sentence: string | null
  readonly claim?: string
  readonly isObserved?: boolean
}

/** Collects what was relied on, each once. */
export class Reliances {
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

/** Returns a function that adds each assumed claim of one call or delivery once. */
export function adder(found: Reliances, used: UsedInterface, request: string | undefined) {
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
export const placeIn = ({ key, kind, detail }: Claim): string =>
  key.slice(kind.length + 1, detail === null ? undefined : -(detail.length + 1))

export type Add = ReturnType<typeof adder>

export function addReading(
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
