/** The options and the report of an exam, as the library has them. */
import type { EventName } from '@suite-sim/client/messages'
import type { Workspace } from '@suite-sim/client/workspace'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'

export const DEFAULTS = { interface: 'payments', secret: 'whsec_exam', timeout: 10 } as const

/** Options of `exam`: those of `suite-sim exam`. */
export interface ExamOptions {
  /** URL of the receiver. */
  readonly receiver: string
  /** The interface whose events it receives; "payments" by default. */
  readonly interface?: InterfaceName
  /** Only these events, such as "payment.completed"; all of the interface by default. */
  readonly events?: readonly EventName[]
  /**
   * Where the work of the receiver is visible: its own URL with JSON, a workspace to which it writes, or a function that
   * returns what the URL would answer, such as the ids of the events that it has worked on.
   */
  readonly observe?: string | Pick<Workspace, 'changes'> | (() => unknown)
  /** The secret that signs the webhooks; "whsec_exam" by default. */
  readonly secret?: string
  /** The seconds that the receiver has for an answer, 1 to 60; 10 by default. */
  readonly timeout?: number
}

export interface ExamProgress {
  /** The property that is examined: "duplicates". */
  readonly property: string
  /** Number of properties that have a grade. */
  readonly done: number
  readonly total: number
}

export interface ExamHooks {
  readonly onProgress?: (progress: ExamProgress) => void
  /** Ends the exam early: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export type ExamGrade = 'pass' | 'fail' | 'not judged'

/** The grade of a client: "not met" if none of its calls met the weather. */
export type CallerGrade = ExamGrade | 'not met'

/** One attempt, as evidence. Signatures are shortened, and credentials are left out. */
export interface ExamDelivery {
  readonly event: EventName
  readonly attempt: number
  /** null if the receiver did not answer. */
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** `body` is the start of the body. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  /** The start of the response body. */
  readonly response: string
}

export interface ExamProperty {
  /** "wrong_signature" */
  readonly name: string
  readonly title: string
  readonly grade: ExamGrade
  readonly reason: string
  /** Number of deliveries. */
  readonly count: number
  /** At most 20 of them, those with a wrong answer first. */
  readonly deliveries: readonly ExamDelivery[]
}

/** The report that `suite-sim exam --report json` prints. */
export interface ExamReport {
  readonly receiver: string
  readonly interface: string
  readonly events: readonly string[]
  /** A URL, "workspace" or "function"; null without `observe`. */
  readonly observe: string | null
  /** "failed" if one property failed. */
  readonly result: 'passed' | 'failed'
  readonly summary: { readonly passed: number; readonly failed: number; readonly notJudged: number }
  readonly properties: readonly ExamProperty[]
}
