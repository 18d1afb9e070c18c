/** A kind of mutation: where it is possible in what a run met, and what it does there. */
import type { Answer, Half, Mutation, Place, Sending } from '../mutation.ts'
import type { MetInterface } from '../met.ts'

/** One mutation of a kind. */
export interface Target {
  readonly subject: string
  readonly operations: readonly string[]
  readonly places: readonly Place[]
  readonly from?: string
  readonly to?: string | number
}

export interface Kind {
  /** "amount-times-100" */
  readonly name: string
  readonly half: Half
  /** What the vendor changes, for reports: "is a hundred times as large". */
  readonly words: string
  /** 1 for the kinds that tell most, which run first. */
  readonly rank: number
  readonly targets: (met: MetInterface) => readonly Target[]
  readonly answer?: (answer: Answer, mutation: Mutation) => Answer
  readonly event?: (sending: Sending, mutation: Mutation) => Sending
  /** True for a kind that acts before the answer is made: a limit, or an id. */
  readonly isEarly?: true
}

export const operationsIn = (places: readonly Place[]): string[] => [
  ...new Set(places.map((place) => ('operation' in place ? place.operation : place.event))),
]
