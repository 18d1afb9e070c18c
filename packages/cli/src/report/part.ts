/** What a run in one workspace covered and relied on. Parts of several workspaces, such as those of tests, make one report. */
import type { Schema } from '@suite-sim/client/calling'

/** What an assumption is about. */
export type SubjectKind =
  | 'operation'
  | 'request'
  | 'response'
  | 'field'
  | 'value'
  | 'default'
  | 'parameter'
  | 'status'
  | 'refusal'
  | 'move'
  | 'event'
  | 'payload'
  | 'reading'

/** What a wrong assumption costs. */
export type Cost = 'money' | 'fiscal' | 'security' | 'state' | 'data' | 'wording'

export interface Reliance {
  /** The same in all parts for one assumption. */
  readonly key: string
  readonly interface: string
  readonly kind: SubjectKind
  readonly question: string
  /** "GET /payment-links/{link_id} 200" */
  readonly place: string
  /** What the simulator assumes, or the alternative of a reading that it follows. */
  readonly why: string
  /** The sentence of the specification that leaves it open; of a reading, its section. Null if it is silent. */
  readonly sentence: string | null
  /** Whether the simulator follows an observation of the real service here. */
  readonly isObserved: boolean
  readonly count: number
  /** Ids of calls, triggers and jobs that met it first, at most 25. */
  readonly requests: readonly string[]
  /** The keys of its claims in docs/fidelity and in reports of verify. */
  readonly claims: readonly string[]
}

/** A documented operation that the run called, and what the simulator assumes of its details. */
export interface Note {
  readonly interface: string
  readonly operation: string
  readonly why: string
  readonly calls: number
}

export interface Part {
  readonly workspace: { readonly id: string; readonly name: string }
  /** When the service was measured that the server follows; null if it follows none. */
  readonly observedAt: string | null
  /** Number of calls in the journal, which has the last 1,000. */
  readonly examined: number
  readonly reliances: readonly Reliance[]
  readonly notes: readonly Note[]
  /** The coverage of the interfaces that the run used. */
  readonly covered: Pick<Schema<'Coverage'>, 'operations' | 'transitions' | 'events'>
}
