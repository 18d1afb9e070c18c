/**
 * The definition of an interface. Its `index.ts` exports one, and the server, the control plane, the documents and
 * the tests read everything about the interface from it.
 */
import type { Channels } from '../http/cable/channel.ts'
import type { ControlCall } from '../http/definition/controlCall.ts'
import type { InterfaceDefinition, PageSet } from '../http/definition/definition.ts'
import type { RequestRewriter } from '../http/server/parts.ts'
import type { Trigger } from '../http/definition/trigger.ts'
import type { EventRenderer, Follower } from '../state/workspace/events.ts'
import type { InterfaceName } from '../state/model/interfaceNames.ts'
import type { Machine } from '../state/model/machine.ts'
import type { WorkspaceTable } from '../state/storage/records/baseline.ts'
import type { RecordSet } from '../state/storage/records/records.ts'
import type { DeliveryProfile } from '../webhooks/profile.ts'

/** The wire definition. It loads at the first request to the interface, so that it does not slow down the start. */
export interface Wire extends Pick<InterfaceDefinition, 'dialect' | 'resources' | 'events' | 'addresses'> {
  /** Actions of users, devices and the tax authority outside the interface. */
  readonly triggers?: readonly Trigger[]
  /** The pages below `pagesPath`. */
  readonly pages?: PageSet
  /** The channels that clients can subscribe to at `cablePath`. */
  readonly channels?: Channels
}

export interface Entry extends Pick<InterfaceDefinition, 'title' | 'description' | 'basePath'> {
  /** The name in the list of all interfaces. */
  readonly name: InterfaceName
  /** The section of the specification: `part 1, "CRM"`. */
  readonly specification: string
  /** The path of its pages for people, if it has any: "/pay/links". */
  readonly pagesPath?: string
  /** The path of the same pages for other sites to embed: "/forms/embed". */
  readonly framedPagesPath?: string
  /** The path of its real-time events, if it has any: "/chat/cable". */
  readonly cablePath?: string
  /** How to parse requests that clients of similar products send in another form (assumed). */
  readonly parsing?: RequestRewriter
  readonly machines: readonly Machine[]
  /** Its tables in snapshots, parents before children. fixtures/demo/<name>.json fills them. */
  readonly records: readonly RecordSet[]
  /** Its history tables. A reset empties them, and no snapshot contains them. */
  readonly traces?: readonly WorkspaceTable[]
  /**
   * Renders its events with the views of its responses. Runs whenever an event happens, also before the first
   * request to the interface.
   */
  readonly renderEvent: EventRenderer
  /** Functions that react to events, in the transaction that appends them. */
  readonly followers?: readonly Follower[]
  /** How its webhooks differ from the defaults. */
  readonly delivery?: Partial<Omit<DeliveryProfile, 'interface'>>
  /** Its own calls on the control plane, in addition to those of all interfaces. */
  calls?(): Promise<readonly ControlCall[]>
  wire(): Promise<Wire>
}
