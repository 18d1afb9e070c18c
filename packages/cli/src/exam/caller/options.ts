/** The options and the report of an exam of a client, as the library has them. */
import type { CallerGrade } from '../options.ts'

export const CALLER_DEFAULTS = { fixtures: 'small', seed: 'exam', timeout: 30 } as const

/** What a run of the client gets: a workspace of its own. */
export interface CallerRun {
  /** The simulator: the interfaces are below it, as on the server. */
  readonly url: string
  /** Opens all interfaces of the workspace. */
  readonly key: string
  /** The id of the workspace. */
  readonly workspace: string
  /** Where the webhooks of the workspace go; null without `receiver`. */
  readonly receiver: string | null
  /** The variables that a command gets: SUITE_SIM_URL and the others. */
  readonly env: Readonly<Record<string, string>>
  /** Aborted if the run takes too long or calls without an end. */
  readonly signal: AbortSignal
}

/** Options of `examCaller`: those of `suite-sim exam --caller`. */
export interface CallerExamOptions {
  /**
   * Runs the client once: a command with its arguments, or a function. A run that fails ends with an exit code other than
   * 0, or throws.
   */
  readonly run: readonly string[] | ((run: CallerRun) => unknown)
  /** Only these properties, such as "lost_answer"; all by default. */
  readonly only?: readonly string[]
  /** The records at the start of each run: "small" by default, "none", "demo", or a snapshot. */
  readonly fixtures?: string | Readonly<Record<string, unknown>>
  /** URL at which the client takes webhooks. With port 0, each run gets a free port. */
  readonly receiver?: string
  /** The secret that signs the webhooks; "whsec_exam" by default. */
  readonly secret?: string
  /** What the ids of the workspaces follow from; "exam" by default. */
  readonly seed?: string
  /** The seconds that a run may take, 1 to 60; 30 by default. */
  readonly timeout?: number
}

/** One call of the client, as evidence. Credentials are left out. */
export interface CallerCall {
  /** Its id in the journal. */
  readonly id: string
  readonly at: string
  readonly method: string
  /** With the query. */
  readonly path: string
  /** What the work ended with; 0 if the connection was cut before it. */
  readonly status: number
  readonly durationMs: number
  /** What the exam did to it: "answer lost"; null if nothing. */
  readonly weather: string | null
  /** The start of the body; null without one. */
  readonly body: string | null
  /** The call in the dashboard; null without a server that goes on. */
  readonly link: string | null
}

export interface CallerExamProperty {
  /** "lost_answer" */
  readonly name: string
  readonly title: string
  readonly grade: CallerGrade
  readonly reason: string
  /** Number of calls of the client in all runs of the property. */
  readonly count: number
  /** Those that prove a failure, at most 20. */
  readonly calls: readonly CallerCall[]
}

/** The report that `suite-sim exam --caller --report json` prints. */
export interface CallerExamReport {
  /** The command; "function" in the library. */
  readonly caller: string
  readonly seed: string
  /** "failed" if one property failed. */
  readonly result: 'passed' | 'failed'
  readonly summary: {
    readonly passed: number
    readonly failed: number
    readonly notMet: number
    readonly notJudged: number
  }
  readonly properties: readonly CallerExamProperty[]
}
