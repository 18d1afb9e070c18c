/**
 * Calls of the control plane that only one interface can answer: what is asked of its state and is no operation of the
 * specification. They are kept with the interface, and published and answered with the rest of the control plane.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Workspace } from '../state/workspace.ts'

interface CallDefinition<Params extends TObject, Answer extends TSchema> {
  /** "getScreenNow" */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** Below the workspace, the interface first: "/signage/screens/:screen_id/now". */
  readonly path: string
  readonly params: Params
  readonly answer: Answer
  /** Answers a GET; changes nothing. */
  run(workspace: Workspace, params: Static<Params>): Static<Answer>
}

/** A call among others, where the types of its parameters and its answer are not told apart any more. */
export type ControlCall = CallDefinition<TObject, TSchema>

/** Takes the types of `run` from the schemas, so that what is published is what happens. */
export const controlCall = <Params extends TObject, Answer extends TSchema>(
  definition: CallDefinition<Params, Answer>,
): ControlCall => definition
