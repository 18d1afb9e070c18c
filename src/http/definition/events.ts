/**
 * The events of an interface, each declared once in its `events.ts`: the renderer and the published list derive from
 * the declarations. A start evaluates them, but not the schemas, so an event names its schema in `payloads.ts`.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import type { Fidelity } from '../../state/model/fidelity.ts'
import type { Reading } from '../../state/model/reading.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { PublishedEvent } from './definition.ts'

interface DeclaredEvent<Payload extends string, Other extends string = Payload> {
  readonly title: string
  readonly fidelity: Fidelity
  /** The name of the schema of the event data. */
  readonly payload: Payload
  /** The name of the schema of the whole body under the `otherBody` of the interface. */
  readonly otherBody?: Other
  /** The readings that decide about its data. */
  readonly readings?: readonly Reading[]
}

/**
 * A declaration for each event of the state. `Events` has the data that the state provides for each, which `view`
 * turns into event data that match the schema.
 */
export type EventsOf<Events, Payloads> = {
  readonly [Name in keyof Events]: {
    [Payload in keyof Payloads & string]: DeclaredEvent<Payload, keyof Payloads & string> & {
      readonly view: (
        data: Events[Name],
        workspace: Workspace,
      ) => Payloads[Payload] extends TSchema ? Static<Payloads[Payload]> : never
    }
  }[keyof Payloads & string]
}

/** Returns the published events, in the order of their declarations. */
export const publish = <Payload extends string>(
  events: Readonly<Record<string, DeclaredEvent<Payload>>>,
  payloads: Readonly<Record<Payload, TSchema>>,
): readonly PublishedEvent[] =>
  Object.entries(events).map(([name, { payload, otherBody, ...event }]) => ({
    name,
    title: event.title,
    payload: payloads[payload],
    ...(otherBody !== undefined && { otherBody: payloads[otherBody] }),
    ...(event.readings && { readings: event.readings }),
    fidelity: event.fidelity,
  }))
