/** Readings in the published documents: where an answer depends on one. */
import type { Reading } from '../../state/model/reading.ts'
import type { LoadedInterface, MountedRoute, PublishedEvent } from '../definition/definition.ts'
import { areaScope, unlistedScopes } from '../definition/unlistedScopes.ts'
import type { JsonObject } from './components.ts'
import { reasonsOf } from './reasons.ts'

/** Returns the readings on which the answers of an operation depend. */
export function readingsOf(
  { dialect }: LoadedInterface,
  route: MountedRoute,
  routes: readonly MountedRoute[],
): Reading[] {
  const { readings = [], moduleIf } = route.operation
  return [
    ...new Set([
      ...(areaScope(route, routes) === undefined ? [] : [unlistedScopes]),
      ...(moduleIf ? [moduleIf.reading] : []),
      ...readings,
      ...reasonsOf(route, dialect).flatMap((reason) => dialect.refusals[reason].reading ?? []),
    ]),
  ]
}

/** Returns the readings on which the deliveries of an event depend. */
export const readingsOfEvent = (
  { otherBody }: LoadedInterface,
  { readings = [] }: PublishedEvent,
): Reading[] => [...(otherBody ? [otherBody.when.reading] : []), ...readings]

/** Returns `x-reading` with the names of readings, if there are any. */
export const readingNames = (readings: readonly Reading[]): JsonObject =>
  readings.length === 0 ? {} : { 'x-reading': readings.map(({ name }) => name) }
