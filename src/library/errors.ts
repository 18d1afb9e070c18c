/** What is wrong, as the control plane says it. */
export interface FieldProblem {
  /** "duration" */
  readonly field: string
  readonly code: string
  readonly message: string
}

export interface SimulatorErrorFields {
  readonly code: string
  readonly message: string
  /** The status that was answered with; null where no answer came. */
  readonly status?: number | null
  readonly details?: readonly FieldProblem[]
  readonly cause?: unknown
}

/**
 * A call of the control plane that was refused, or a wait that was in vain. `code` is the control plane's own, such as
 * "not_found" and "validation_error", or one of these: "unreachable" (no answer came), "unexpected_answer" (something
 * else than a simulator answered), "timeout" (what was waited for did not come in time).
 */
export class SimulatorError extends Error {
  override readonly name: string = 'SimulatorError'
  readonly code: string
  readonly status: number | null
  readonly details: readonly FieldProblem[]

  constructor({ code, message, status = null, details = [], cause }: SimulatorErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
  }
}
