/** Readings that explain differences: under the other value, the simulator answers as the service does. */
import type { Overlay } from '../../../../src/published.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import type { Exchange } from '../exchanges/exchange.ts'
import type { Tally } from '../checks/checks.ts'
import { differencesOf } from '../differential/compare.ts'
import { simulatedExchangesOf } from '../differential/differential.ts'
import type { SimulatedExchanges } from '../differential/replay.ts'
import type { CheckContext } from '../checks/context.ts'
import { withoutVolatile } from '../checks/volatile.ts'
import { Reference, type PublishedReading, type StartServer } from '../reference.ts'
import { below } from './inferEntries.ts'

export interface ReadingValue {
  readonly name: string
  readonly value: string
}

interface AlternativesOptions {
  readonly context: CheckContext
  readonly name: InterfaceName
  /** The answers of the simulator under its own readings. */
  readonly simulatedExchanges: SimulatedExchanges
  readonly deviating: readonly Tally[]
  readonly readings: readonly PublishedReading[]
  readonly start: StartServer
  /** The overlay that the simulator follows. */
  readonly observed: Overlay | undefined
  readonly timezone: string | undefined
}

/** Returns the reading that explains each difference. Starts a simulator for each value of each reading. */
export async function alternativesOf({
  context,
  name,
  simulatedExchanges: usual,
  deviating,
  readings,
  start,
  observed,
  timezone,
}: AlternativesOptions): Promise<ReadonlyMap<Tally, ReadingValue>> {
  const found = new Map<Tally, ReadingValue>()
  const own = readings.filter((reading) => reading.name.startsWith(`${name}.`))
  if (deviating.length === 0) return found
  const chosen = new Map(
    (observed?.entries ?? []).flatMap((entry) =>
      entry.kind === 'reading' ? [[entry.name, entry.value] as const] : [],
    ),
  )
  for (const reading of own) {
    for (const { value } of reading.alternatives) {
      if (value === (chosen.get(reading.name) ?? reading.default)) continue
      const reference = await Reference.start(start, { readings: { [reading.name]: value } })
      try {
        const exchanges = new Set(
          deviating.flatMap(({ differences }) => differences.map(({ exchange }) => exchange)),
        )
        const { simulatedExchanges } = await simulatedExchangesOf(context, { reference, name, timezone }, [
          ...exchanges,
        ])
        for (const tally of deviating) {
          const explains = tally.differences.every(({ exchange }) => {
            const place = below(tally)
            return (
              isSame(simulatedExchanges.get(exchange), exchange, place) &&
              !isSame(usual.get(exchange), exchange, place)
            )
          })
          if (explains && !found.has(tally)) found.set(tally, { name: reading.name, value })
        }
      } finally {
        await reference.close()
      }
    }
  }
  return found
}

/** True if both answers have the same status, and the same at the place. */
function isSame(simulated: Exchange | undefined, exchange: Exchange, place: string): boolean {
  if (simulated?.status !== exchange.status) return false
  const different = differencesOf(withoutVolatile(simulated.body), withoutVolatile(exchange.body))
  return !different.some(
    (each) => each.place === place || each.place.startsWith(place) || place.startsWith(each.place),
  )
}
