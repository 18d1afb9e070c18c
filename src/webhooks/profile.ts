/** How each interface delivers, as data: what is sent for an event, and when it is tried again. */
import { iso } from '../state/clock.ts'
import type { AppendedEvent } from '../state/workspace.ts'
import { EVENT } from './headers.ts'
import { DEFAULT_SCHEDULE, type Schedule } from './schedule.ts'

export interface DeliveryProfile {
  /** "pos" */
  readonly interface: string
  /** What a delivery calls the time of its event: "createdAt". */
  readonly eventTime: string
  /** What is sent as JSON; rendered once, so that each attempt sends the same bytes. */
  readonly envelope: (event: AppendedEvent) => object
  /** The headers that tell the event's name, beside those that every delivery carries. */
  readonly headers: (event: string) => Readonly<Record<string, string>>
  readonly schedule: Schedule
}

/** Specification part 2, "Point-of-sale webhook": "Delivered event: id, event, createdAt, data (object)". */
const envelopeWith =
  (eventTime: string) =>
  ({ id, name, at, data }: AppendedEvent): object => ({ id, event: name, [eventTime]: iso(at), data })

const headers = (event: string): Readonly<Record<string, string>> => ({ [EVENT]: event })

/** What holds unless an interface says otherwise: the form of the point of sale, the one that is shown (assumed). */
export function profile(of: Partial<DeliveryProfile> & Pick<DeliveryProfile, 'interface'>): DeliveryProfile {
  const { eventTime = 'createdAt' } = of
  return { eventTime, envelope: envelopeWith(eventTime), headers, schedule: DEFAULT_SCHEDULE, ...of }
}

/** The profile of each interface; one that has none of its own delivers as most do. */
export class Profiles {
  readonly #known: Map<string, DeliveryProfile>

  constructor(known: readonly DeliveryProfile[]) {
    this.#known = new Map(known.map((one) => [one.interface, one]))
  }

  of(name: string): DeliveryProfile {
    let found = this.#known.get(name)
    if (!found) this.#known.set(name, (found = profile({ interface: name })))
    return found
  }
}
