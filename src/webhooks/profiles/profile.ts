/** The delivery profile of each interface: body and retry schedule. */
import { iso } from '@suite-sim/kit/time/instants'
import type { RetrySchedule } from '../../state/workspace/events.ts'
import type { AppendedEvent, Workspace } from '../../state/workspace/workspace.ts'
import { DEFAULT_SCHEDULE } from './schedule.ts'

export interface DeliveryProfile {
  /** "pos" */
  readonly interface: string
  /** The name of the event time in the body: "createdAt". */
  readonly eventTime: string
  /** Returns the JSON body if the workspace chose another one; null otherwise. */
  readonly otherBody?: (event: AppendedEvent, workspace: Workspace) => object | null
  readonly schedule: RetrySchedule
}

/** Creates a profile with defaults: the format of the point of sale, the only one in the specification (assumed). */
export const profile = (
  of: Partial<DeliveryProfile> & Pick<DeliveryProfile, 'interface'>,
): DeliveryProfile => ({ eventTime: 'createdAt', schedule: DEFAULT_SCHEDULE, ...of })

/**
 * Returns the JSON body; called once, so that each attempt sends the same bytes. Specification part 2, "Point-of-sale
 * webhook": "Delivered event: id, event, createdAt, data (object)".
 */
export function bodyOf(
  { eventTime, otherBody }: DeliveryProfile,
  event: AppendedEvent,
  workspace: Workspace,
): object {
  const { id, name, at, data } = event
  return otherBody?.(event, workspace) ?? { id, event: name, [eventTime]: iso(at), data }
}

/** The profiles of all interfaces; those without their own have the defaults. */
export class Profiles {
  readonly #profiles: Map<string, DeliveryProfile>

  constructor(profiles: readonly DeliveryProfile[]) {
    this.#profiles = new Map(profiles.map((one) => [one.interface, one]))
  }

  of(name: string): DeliveryProfile {
    let found = this.#profiles.get(name)
    if (!found) this.#profiles.set(name, (found = profile({ interface: name })))
    return found
  }
}
