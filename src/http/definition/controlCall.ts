/**
 * Calls of the control plane that belong to one interface: queries of its state that are no operations of the
 * specification. Their code is with the interface; the control plane publishes and serves them.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Workspace } from '../../state/workspace/workspace.ts'

interface CallDefinition<Params extends TObject, Answer extends TSchema> {
  /** "getScreenNow" */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** Below the workspace, the interface first: "/signage/screens/:screen_id/now". */
  readonly path: string
  readonly params: Params
  readonly answer: Answer
  /** Returns the response of a GET; changes nothing. */
  run(workspace: Workspace, params: Static<Params>): Static<Answer>
}

/** A call in the registry, without the types of its parameters and its response. */
export type ControlCall = CallDefinition<TObject, TSchema>

/** Creates a call. The types of `run` come from the schemas. */
export const controlCall = <Params extends TObject, Answer extends TSchema>(
  definition: CallDefinition<Params, Answer>,
): ControlCall => definition
