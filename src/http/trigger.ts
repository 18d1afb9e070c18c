/**
 * Triggers do what people, devices and authorities outside the interfaces do: a customer pays, a tax office answers.
 * Each calls the same action that the rest of the program would call; none writes a row by itself.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Fidelity } from '../state/fidelity.ts'
import type { Workspace } from '../state/workspace.ts'
import { closed } from './closedSchemas.ts'

interface TriggerDefinition<Body extends TSchema, Result extends TSchema> {
  /** "pos.event.emit": the interface, the record, what happens. */
  readonly name: string
  readonly summary: string
  /** An object; fields that it does not name are refused, at any depth. */
  readonly body: Body
  readonly result: Result
  readonly fidelity: Fidelity
  /** Gets a body that fits; answers with what came of it. */
  run(workspace: Workspace, body: Static<Body>): Static<Result>
}

/** A trigger in the registry, where the types of its body and result are not told apart any more. */
export type Trigger = TriggerDefinition<TSchema, TSchema>

/** Takes the types of `run` from the schemas, so that what is published is what happens. */
export const trigger = <Body extends TSchema, Result extends TSchema>(
  definition: TriggerDefinition<Body, Result>,
): Trigger => ({ ...definition, body: closed(definition.body) })
