/** Checks what a caller chose about the specification: readings, and what was observed. */
import type { Observed } from '../observed/follow.ts'
import type { BuildApp } from './observing.ts'
import type { AppOptions } from './options.ts'

/** Returns what the server follows of an overlay; null without one. Throws a ReadingError or an ObservedError. */
export async function checkChoices(options: AppOptions, build: BuildApp): Promise<Observed | null> {
  if (options.readings) {
    const { mustBeReadings } = await import('../control/shared/readings.ts')
    mustBeReadings(options.readings)
  }
  if (options.observed === undefined) return null
  const { observe } = await import('./observing.ts')
  return observe(options, build)
}
