/** Which entries of an overlay a run contradicts: the simulator follows them, and the service answers otherwise there. */
import type { Entry } from '../../../../src/published.ts'
import type { Tally } from '../checks/checks.ts'
import { isPlaceIn, placeOf } from '../model/shapes.ts'
import type { CheckContext } from '../checks/context.ts'
import type { ReadingValue } from './alternatives.ts'
import { below, pathOf } from './inferEntries.ts'
import type { Refused } from './refusals.ts'

/** Checks that compare the service with the simulator, and not with itself. */
const COMPARING: ReadonlySet<string> = new Set(['contract', 'invariants', 'differential', 'errors'])

/** Returns true if a difference is at the place of an entry, and of its kind. */
export function contradicts(
  { name, claims }: CheckContext,
  tally: Tally,
  entry: Entry,
  explained: ReadonlyMap<Tally, ReadingValue>,
): boolean {
  const [difference] = tally.differences
  if (!difference || entry.interface !== name) return false
  const { aspect, oracle } = tally
  const { operation, purpose } = difference.exchange.probe
  if (entry.kind === 'reading') {
    const reading = explained.get(tally)
    return reading?.name === entry.name && reading.value !== entry.value
  }
  const { operation: one, operations = one === undefined ? undefined : [one] } = entry as {
    operation?: string
    operations?: readonly string[]
  }
  if (!COMPARING.has(oracle) || operations?.includes(operation.id) === false) return false
  const isAt = (path: string): boolean => {
    const own = pathOf(below(tally))
    return own === path || own.startsWith(`${path}/`)
  }
  switch (entry.kind) {
    case 'refusal':
      return (
        aspect === 'refusal' &&
        (difference.expected as Refused).status === (entry.status ?? entry.when.status)
      )
    case 'field':
    case 'nullability': {
      if (entry.component === undefined) return isAt(entry.path)
      const key = `field ${entry.component}${placeOf(entry.path)}`
      return claims.get(tally.claim)?.kind === 'field' && isPlaceIn(tally.claim, key)
    }
    case 'precision':
      return entry.path === undefined
        ? aspect === 'time_form'
        : isAt(entry.path) && ['time_form', 'decimals', 'body'].includes(aspect)
    case 'order':
      return aspect === 'order' || (aspect === 'rows' && purpose.kind === 'plain')
    case 'page':
      return (
        (entry.default !== undefined && aspect === 'default_size') ||
        (entry.maximum !== undefined && aspect === 'maximum_size')
      )
    case 'header':
      return ['header', 'header_extra'].some((each) => aspect === `${each}:${entry.name.toLowerCase()}`)
    case 'rateLimit':
      return aspect === 'rate_limit'
    case 'eventField':
      return false
  }
}
