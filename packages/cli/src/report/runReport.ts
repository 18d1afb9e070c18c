/** The report of a run, as the command prints it in JSON and the library returns it. */
import type { Cost, Note, Part, Reliance } from './part.ts'

export const REPORT_FORMAT = 'suite-simulator-report/1' as const

export interface Question extends Reliance {
  readonly cost: Cost
  /** What `verify` found of its claims, if it checked one: the service does otherwise, or it checked only some. */
  readonly verified?: 'differs' | 'in part'
}

/** An assumption of the run that was measured on the real service. */
export interface Confirmed extends Reliance {
  /** "verify" if a report says so, or "observed" if the server follows an observation. */
  readonly by: 'verify' | 'observed'
  /** When; null if the server does not say it. */
  readonly at: string | null
}

export type Covered = Part['covered']

export interface RunReport {
  readonly format: typeof REPORT_FORMAT
  readonly version: string
  readonly createdAt: string
  readonly workspaces: readonly Part['workspace'][]
  readonly summary: {
    readonly calls: number
    /** Calls that the journals still had; older ones are only counted. */
    readonly examined: number
    readonly questions: number
    readonly confirmed: number
    readonly operations: Share
    readonly transitions: Share
    readonly events: Share
  }
  /** Most important first. */
  readonly questions: readonly Question[]
  readonly confirmed: readonly Confirmed[]
  readonly notes: readonly Note[]
  /** Of the interfaces that the run used; without what it did not cover. */
  readonly covered: Covered
  readonly verify: { readonly service: string; readonly at: string } | null
  readonly exams: readonly ExamScore[]
  readonly mutate: MutateScore | null
}

/** How many of them the run met. */
export interface Share {
  readonly met: number
  readonly of: number
}

export interface ExamScore {
  /** The receiver or the command that was examined. */
  readonly examined: string
  readonly result: 'passed' | 'failed'
  readonly passed: number
  readonly of: number
  /** The titles of the properties that failed. */
  readonly failed: readonly string[]
}

/** What `mutate` found: how many changes of the vendor the tests noticed, and which ones they got wrong. */
export interface MutateScore extends MutateCounts {
  /** The harmful changes that no test noticed. */
  readonly survived: readonly VendorChange[]
  /** The harmless changes that failed a test. */
  readonly refused: readonly VendorChange[]
  /** The number of changes for which there was no time. */
  readonly notRun: number
}

export interface MutateCounts {
  readonly harmful: number
  readonly noticed: number
  readonly harmless: number
  /** The harmless changes that failed no test. */
  readonly tolerated: number
  /** The share of the harmful changes that were noticed, from 0 to 1. */
  readonly share: number
}

/** A change of the vendor. */
export interface VendorChange {
  readonly interface: string
  /** The field, the operation or the event: "Link.amount". */
  readonly subject: string
  /** "is larger by one cent; getLink had 44901 instead of 44900" */
  readonly sentence: string
}
