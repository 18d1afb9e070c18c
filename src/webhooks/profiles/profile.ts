/** The delivery profile of each interface: envelope, headers and retry schedule. */
import { iso } from '@suite-sim/kit/time/instants'
import type { AppendedEvent, Workspace } from '../../state/workspace/workspace.ts'
import { EVENT } from '@suite-sim/kit/webhooks/headers'
import { DEFAULT_SCHEDULE, type Schedule } from './schedule.ts'

export interface DeliveryProfile {
  /** "pos" */
  readonly interface: string
  /** The name of the event time in the envelope: "createdAt". */
  readonly eventTime: string
  /** Returns the JSON body; called once, so that each attempt sends the same bytes. */
  readonly envelope: (event: AppendedEvent) => object
  /** Returns the JSON body if the workspace chose one without the envelope; null otherwise. Called once, too. */
  readonly otherBody?: (event: AppendedEvent, workspace: Workspace) => object | null
  /** The headers with the event name, in addition to those of every delivery. */
  readonly headers: (event: string) => Readonly<Record<string, string>>
  readonly schedule: Schedule
}

/** Specification part 2, "Point-of-sale webhook": "Delivered event: id, event, createdAt, data (object)". */
const envelopeWith =
  (eventTime: string) =>
  ({ id, name, at, data }: AppendedEvent): object => ({ id, event: name, [eventTime]: iso(at), data })

const headers = (event: string): Readonly<Record<string, string>> => ({ [EVENT]: event })

/** Creates a profile with defaults: the format of the point of sale, the only one in the specification (assumed). */
export function profile(of: Partial<DeliveryProfile> & Pick<DeliveryProfile, 'interface'>): DeliveryProfile {
  const { eventTime = 'createdAt' } = of
  return { eventTime, envelope: envelopeWith(eventTime), headers, schedule: DEFAULT_SCHEDULE, ...of }
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
