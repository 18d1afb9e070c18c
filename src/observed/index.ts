/**
 * Follows what was observed on the real service: the extension of a server with an overlay. Only a server with one loads
 * more than this file and the call that lists what is followed.
 */
import { createRequire } from 'node:module'
import type { Extension, Resource } from '../http/definition/definition.ts'
import type { Observed } from './follow.ts'
import type { BuildApp, LoadReadings, ObservingOptions } from './observe.ts'

export type { ObservingOptions } from './observe.ts'

/** Returns the call that lists what is followed. */
const calls =
  (observed: Observed | null): Resource =>
  async (app) => {
    const { mountListing } = await import('./listing.ts')
    mountListing(app, observed)
  }

/** Changes nothing: the extension of a server without an overlay. */
export const UNCHANGED: Extension = {
  readings: {},
  extend: (definition) => definition,
  outbox: (outbox) => outbox,
  calls: calls(null),
}

/**
 * Returns the extension of a server, changed by the module in SUITE_SIM_EXTENSION if a tool has set it
 * (docs/decisions/0034-mutations-in-the-simulator.md). Throws an ObservedError.
 */
export async function observe(
  options: ObservingOptions,
  build: BuildApp,
  loadReadings: LoadReadings,
): Promise<Extension> {
  const extension = await following(options, build, loadReadings)
  const file = process.env['SUITE_SIM_EXTENSION']
  return file ? (createRequire(file)(file) as (base: Extension) => Extension)(extension) : extension
}

async function following(
  options: ObservingOptions,
  build: BuildApp,
  loadReadings: LoadReadings,
): Promise<Extension> {
  if (options.observed === undefined) return UNCHANGED
  const [{ readObserved }, { summaryOf }] = await Promise.all([import('./observe.ts'), import('./follow.ts')])
  const observed = await readObserved(options, build, loadReadings)
  return { ...UNCHANGED, ...observed, calls: calls(observed), summary: summaryOf(observed) }
}
