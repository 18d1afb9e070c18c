/**
 * Triggers simulate actions by a person, a device or an authority outside the interfaces: a customer pays, a
 * tax office responds. Each calls the same action as the rest of the program; none writes rows itself.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { closed } from '../schemas/closedSchemas.ts'

interface TriggerDefinition<Body extends TSchema, Result extends TSchema> {
  /** "pos.event.emit": the interface, the record, what happens. */
  readonly name: string
  readonly summary: string
  /** An object; unknown fields are refused at any depth. */
  readonly body: Body
  /**
   * The sections of the records that fields of the body refer to, published as `x-record`. A key other than the id follows
   * the section: "meetings.meetings.publicMeetingId".
   */
  readonly records?: { readonly [Field in keyof Static<Body>]?: string }
  readonly result: Result
  readonly fidelity: Fidelity
  /** Runs the action with a valid body; returns the result. */
  run(workspace: Workspace, body: Static<Body>): Static<Result>
}

/** A trigger in the registry, without the types of its body and result. */
export type Trigger = TriggerDefinition<TSchema, TSchema>

/** Creates a trigger. The types of `run` come from the schemas. */
export const trigger = <Body extends TSchema, Result extends TSchema>(
  definition: TriggerDefinition<Body, Result>,
): Trigger => ({ ...definition, body: withRecords(closed(definition.body), definition.records ?? {}) })

function withRecords(body: TSchema, records: Readonly<Record<string, string | undefined>>): TSchema {
  const properties = Object.entries((body as { properties?: Record<string, TSchema> }).properties ?? {})
  const marked = properties.map(([name, schema]) => [
    name,
    records[name] === undefined ? schema : { ...schema, 'x-record': records[name] },
  ])
  return { ...body, properties: Object.fromEntries(marked) as Record<string, TSchema> }
}
