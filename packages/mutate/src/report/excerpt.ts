/** The part of an answer or a webhook that a mutation changed, for people. */
import type { Example, Mutation, Place } from '../mutation.ts'
import { isObject, valuesAt } from '../places.ts'

export interface Excerpt {
  /** "createLink" or "payment.completed" */
  readonly where: string
  readonly before: string
  readonly after: string
}

const MAX = 60

export function excerptOf({ places }: Mutation, { where, before, after }: Example): Excerpt {
  const [one, other] = differing(places, where, before, after)
  return { where, before: short(one), after: short(other) }
}

/** The values at the first place that differs; the first difference of the whole if the mutation has no places. */
function differing(
  places: readonly Place[],
  where: string,
  before: unknown,
  after: unknown,
): [unknown, unknown] {
  const [one, other] = [bodyOf(before), bodyOf(after)]
  for (const place of places) {
    const isHere = 'operation' in place ? place.operation === where : place.event === where
    if (!isHere || place.at === '') continue
    const [values, changed] = [valuesAt(one, place.at), valuesAt(other, place.at)]
    const index = values.findIndex((value, at) => text(value) !== text(changed[at]))
    if (index >= 0) return firstDifference(values[index], changed[index])
  }
  for (const name of ['status', 'times']) {
    const [was, is] = [partOf(before, name), partOf(after, name)]
    if (text(was) !== text(is)) return [`${name} ${text(was)}`, `${name} ${text(is)}`]
  }
  return firstDifference(one, other)
}

/** Goes down to the first value that differs; of lists with other lengths, it is the length. */
function firstDifference(one: unknown, other: unknown): [unknown, unknown] {
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) {
    return [`rows ${String(one.length)}`, `rows ${String(other.length)}`]
  }
  const [was, is] = [entriesOf(one), entriesOf(other)]
  const name = Object.keys(was).find((each) => each in is && text(was[each]) !== text(is[each]))
  const hasSameNames = Object.keys(was).every((each) => each in is)
  return name === undefined || !hasSameNames ? [one, other] : firstDifference(was[name], is[name])
}

const entriesOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const partOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** The JSON of an answer, or the data of an event. */
const bodyOf = (value: unknown): unknown => partOf(value, 'json') ?? partOf(value, 'data') ?? value

const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

function short(value: unknown): string {
  const all = typeof value === 'string' && /^(?:status|times|rows) \d/.test(value) ? value : text(value)
  return all.length <= MAX ? all : `${all.slice(0, MAX - 1)}…`
}
