/** Parameters of reports have an effect: what they change in the simulator's own answers differs in those of a service, too. */
import type { Exchange } from '../exchanges/exchange.ts'
import { differencesOf } from '../differential/compare.ts'
import type { Answers } from '../crawl/answers.ts'
import { record, type CheckContext } from './context.ts'
import { withoutVolatile } from './volatile.ts'

/** The places that a value changes, by "crm getPipelineReport group_by=owner". */
export type Effects = ReadonlyMap<string, readonly string[]>

/** Leaves out places that differ between any two reads, such as the end of a period that ends now. */
export function mineEffects(answers: Answers, moving: ReadonlySet<string>): Effects {
  const effects = new Map<string, readonly string[]>()
  for (const exchange of answers.exchanges) {
    const key = keyOf(exchange)
    const { interface: name, id } = exchange.probe.operation
    const places = placesOf(exchange).filter((place) => !moving.has(`${name} ${id} ${place}`))
    if (key !== null) effects.set(key, places)
  }
  return effects
}

export function checkEffects(context: CheckContext, effects: Effects): void {
  for (const exchange of context.answers.exchanges) {
    const { purpose, operation } = exchange.probe
    const key = keyOf(exchange)
    const usual = key === null ? [] : (effects.get(key) ?? [])
    if (purpose.kind !== 'variant' || usual.length === 0) continue
    const places = new Set(placesOf(exchange))
    const claim = context.claims.at(`${operation.address} ?${purpose.parameter}`, 'parameter')
    record(context, 'invariants', exchange, {
      aspect: 'effect',
      place: '',
      isEqual: usual.some((place) => places.has(place)),
      message: `${purpose.parameter}=${purpose.value} changes nothing of what it changes in the simulator.`,
      expected: usual,
      actual: [...places],
      ...(claim && { claim: claim.key }),
    })
  }
}

/** Returns null for a call that tries no value, or failed. */
function keyOf({ probe: { purpose, operation }, status }: Exchange): string | null {
  if (purpose.kind !== 'variant' || status >= 300 || purpose.of.status >= 300) return null
  return `${operation.interface} ${operation.id} ${purpose.parameter}=${purpose.value}`
}

/** Returns where fields appear or disappear, or have another text. Numbers follow from records. */
function placesOf({ probe: { purpose }, body }: Exchange): string[] {
  if (purpose.kind !== 'variant') return []
  return differencesOf(withoutVolatile(purpose.of.body), withoutVolatile(body))
    .filter(({ place }) => !place.includes('[]'))
    .filter(
      ({ expected, actual }) => expected === undefined || actual === undefined || areTexts(expected, actual),
    )
    .map(({ place }) => place)
}

const areTexts = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string')
