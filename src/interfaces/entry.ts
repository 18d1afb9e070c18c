/**
 * What an interface is made of. Its `index.ts` exports one such value, and nothing about it is said anywhere else:
 * what the server, the control plane, the documents and the laws of the tests know of it they take from here.
 */
import type { Channels } from '../http/cable/channel.ts'
import type { ControlCall } from '../http/controlCall.ts'
import type { InterfaceDefinition, PageSet } from '../http/definition.ts'
import type { Reading } from '../http/parts.ts'
import type { Trigger } from '../http/trigger.ts'
import type { EventRenderer, Follower } from '../state/events.ts'
import type { InterfaceName } from '../state/interfaceNames.ts'
import type { Machine } from '../state/machine.ts'
import type { WorkspaceTable } from '../state/baseline.ts'
import type { RecordSet } from '../state/records.ts'
import type { DeliveryProfile } from '../webhooks/profile.ts'

/** What it says and takes: evaluated when the interface is first asked for, and so no part of a start. */
export interface Wire extends Pick<InterfaceDefinition, 'dialect' | 'resources' | 'events' | 'addresses'> {
  /** What people, devices and authorities do outside of it. */
  readonly triggers?: readonly Trigger[]
  /** What answers below `pagesPath`. */
  readonly pages?: PageSet
  /** What can be subscribed to at `cablePath`. */
  readonly channels?: Channels
}

export interface Entry extends Pick<InterfaceDefinition, 'title' | 'description' | 'basePath'> {
  /** Its name in the list of all interfaces. */
  readonly name: InterfaceName
  /** Where it is specified: `part 1, "CRM"`. */
  readonly specification: string
  /** "/pay/links": where its pages for people are, where it has any. */
  readonly pagesPath?: string
  /** "/forms/embed": where the same pages are once more, for pages of others to frame them. */
  readonly framedPagesPath?: string
  /** "/chat/cable": where it tells those who listen what happens, where it does. */
  readonly cablePath?: string
  /** How requests are meant that clients of such products write in another way (assumed). */
  readonly reads?: Reading
  readonly machines: readonly Machine[]
  /** Its tables as they stand in snapshots, parents before children; fixtures/demo/<name>.json fills them. */
  readonly records: readonly RecordSet[]
  /** Its tables that tell what happened: a reset empties them, and no snapshot holds them. */
  readonly traces?: readonly WorkspaceTable[]
  /**
   * How its events show what they tell of, by the views of gets and lists. Called whenever something happens, also before
   * anybody has asked for the interface.
   */
  readonly shows: EventRenderer
  /** What in it follows from events, in the transaction that appends them. */
  readonly followers?: readonly Follower[]
  /** How its webhooks differ from the usual ones. */
  readonly delivery?: Partial<Omit<DeliveryProfile, 'interface'>>
  /** What the control plane answers about it beside what holds for all interfaces. */
  calls?(): Promise<readonly ControlCall[]>
  wire(): Promise<Wire>
}
