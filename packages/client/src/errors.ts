import { brand } from './brand.ts'

/** An error of one field, from the control plane. */
export interface FieldProblem {
  /** "duration" */
  readonly field: string
  readonly code: string
  readonly message: string
}

export interface SimulatorErrorFields {
  readonly code: string
  readonly message: string
  /** The response status; null without a response. */
  readonly status?: number | null
  readonly details?: readonly FieldProblem[]
  readonly cause?: unknown
}

/**
 * A refused call or a timeout. `code` is the control plane's, such as "not_found" and "validation_error", or
 * "unreachable" (no response), "unexpected_answer" (the server is not a simulator) or "timeout".
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

brand(SimulatorError)
