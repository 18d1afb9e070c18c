/**
 * The inbox of each workspace: the requests that the built-in receiver got. It is in memory and bounded. Only
 * deliveries of this server are kept, because the receiver needs no token.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Database } from '../../state/storage/database/database.ts'
import { notify } from '../../state/timeline/longPoll.ts'
import { Recent } from '../../state/timeline/recent.ts'
import type { Registry } from '../../state/workspace/registry.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { DueDelivery } from './dueDeliveries.ts'
import { DELIVERY, SIGNATURE } from '@suite-sim/kit/webhooks/headers'
import { signatureOf } from '@suite-sim/kit/webhooks/signature'
import { RECEIVER } from '../targets/allowedTargets.ts'

/** The limits of one workspace: entries, and characters of their headers and bodies. */
export const MAX_ENTRIES = 200
export const MAX_CHARACTERS = 4_194_304

/** The limit of all workspaces together. Beyond it, the largest inbox loses its oldest entry. */
export const MAX_CHARACTERS_OVERALL = 67_108_864

/** Sent deliveries whose requests are kept. Far more than can be in flight. */
const MAX_SENT = 10_000

export interface InboxEntry {
  readonly id: string
  /** On the workspace's clock. */
  readonly at: number
  readonly interface: string
  readonly event: string
  readonly delivery: string
  readonly attempt: number
  readonly subscription: string
  /** The secret that signed the delivery. */
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Why the signature is wrong; null if it is right. */
  readonly problem: string | null
}

export interface InboxQuery {
  readonly event?: string | undefined
  readonly subscription?: string | undefined
  readonly limit: number
}

/** A delivery that was sent to the receiver, and the workspace and its records at that time: deleted ones are not kept. */
interface Sent {
  readonly tenantId: number
  readonly generation: number
  readonly delivery: Pick<DueDelivery, 'id' | 'interface' | 'event' | 'subscription' | 'attempts'>
  readonly secret: string
}

interface Inbox {
  readonly workspace: Workspace
  readonly generation: number
  readonly entries: Recent<InboxEntry>
  characters: number
  /** The number of entries so far, which numbers the next one. */
  count: number
}

export class Inboxes {
  /** By the id of the delivery, oldest first. */
  readonly #sent = new Map<string, Sent>()
  /** By tenant id. */
  readonly #inboxes = new Map<number, Inbox>()
  #characters = 0

  /** Must be called before a delivery is sent. Notes those to the receiver. */
  sends(workspace: Workspace, delivery: DueDelivery, secret: string): void {
    if (!delivery.url.includes(RECEIVER)) return
    const { id, interface: of, event, subscription, attempts } = delivery
    const { tenantId, generation } = workspace
    // Adds it at the end again.
    this.#sent.delete(id)
    this.#sent.set(id, {
      tenantId,
      generation,
      delivery: { id, interface: of, event, subscription, attempts },
      secret,
    })
    if (this.#sent.size <= MAX_SENT) return
    const [oldest] = this.#sent.keys()
    if (oldest !== undefined) this.#sent.delete(oldest)
  }

  /** Keeps a request to the receiver. Returns why it was not kept, or null. */
  receive(workspaces: Registry, headers: IncomingHttpHeaders, body: Buffer): string | null {
    const id = headers[DELIVERY]
    if (typeof id !== 'string') return `the header ${DELIVERY} is missing, so this server did not send it`
    const sent = this.#sent.get(id)
    if (!sent) return `${DELIVERY} is not the id of a delivery that this server sent to its receiver recently`
    const { tenantId, generation, delivery, secret } = sent
    const workspace = workspaces.byTenantId(tenantId)
    if (workspace?.generation !== generation) {
      return 'the workspace was reset or deleted after the delivery was sent'
    }
    const inbox = this.#inboxOf(workspace) ?? this.#create(workspace)
    inbox.count++
    this.#add(inbox, {
      id: `inb_${String(inbox.count)}`,
      at: workspace.now(),
      interface: delivery.interface,
      event: delivery.event,
      delivery: id,
      attempt: delivery.attempts + 1,
      subscription: delivery.subscription,
      secret,
      headers: textsOf(headers),
      body: body.toString(),
      problem: signatureProblem(headers[SIGNATURE], signatureOf(secret, body)),
    })
    notify(workspace, 'inbox')
    return null
  }

  /** Returns the entries of a workspace, newest first. */
  list(workspace: Workspace, { event, subscription, limit }: InboxQuery): InboxEntry[] {
    const entries = this.#inboxOf(workspace)?.entries.list() ?? []
    return entries
      .filter((entry) => (event ?? entry.event) === entry.event)
      .filter((entry) => (subscription ?? entry.subscription) === entry.subscription)
      .reverse()
      .slice(0, limit)
  }

  clear(workspace: Workspace): void {
    const inbox = this.#inboxOf(workspace)
    while (inbox && inbox.entries.length > 0) this.#dropOldest(inbox)
  }

  /** Must be called when the records of a workspace may have been replaced or deleted. */
  changed({ tenantId }: Workspace): void {
    const inbox = this.#inboxes.get(tenantId)
    if (inbox && !isCurrent(inbox)) this.#remove(inbox)
  }

  #inboxOf(workspace: Workspace): Inbox | undefined {
    const inbox = this.#inboxes.get(workspace.tenantId)
    if (!inbox || (inbox.workspace === workspace && isCurrent(inbox))) return inbox
    this.#remove(inbox)
    return undefined
  }

  #create(workspace: Workspace): Inbox {
    const { generation } = workspace
    const inbox: Inbox = { workspace, generation, entries: new Recent(MAX_ENTRIES), characters: 0, count: 0 }
    this.#inboxes.set(workspace.tenantId, inbox)
    return inbox
  }

  #remove(inbox: Inbox): void {
    this.#characters -= inbox.characters
    this.#inboxes.delete(inbox.workspace.tenantId)
  }

  #add(inbox: Inbox, entry: InboxEntry): void {
    const size = sizeOf(entry)
    inbox.entries.push(entry)
    inbox.characters += size
    this.#characters += size
    while (inbox.entries.length > MAX_ENTRIES || inbox.characters > MAX_CHARACTERS) this.#dropOldest(inbox)
    while (this.#characters > MAX_CHARACTERS_OVERALL) this.#dropOldest(this.#largest(inbox))
  }

  #largest(among: Inbox): Inbox {
    let largest = among
    for (const inbox of this.#inboxes.values()) if (inbox.characters > largest.characters) largest = inbox
    return largest
  }

  #dropOldest(inbox: Inbox): void {
    const dropped = inbox.entries.shift()
    if (!dropped) return
    const size = sizeOf(dropped)
    inbox.characters -= size
    this.#characters -= size
  }
}

const isCurrent = ({ workspace, generation }: Inbox): boolean =>
  workspace.isRegistered && workspace.generation === generation

const createInboxes = (): Inboxes => new Inboxes()

export const inboxesOf = (database: Database): Inboxes => database.own(createInboxes)

/** Joins repeated headers. */
const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      typeof value === 'string' ? value : value.join(', '),
    ]),
  )

const sizeOf = ({ headers, body }: InboxEntry): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, body.length)

function signatureProblem(received: string | string[] | undefined, expected: string): string | null {
  if (typeof received !== 'string') return `The header ${SIGNATURE} is missing.`
  const [one, other] = [Buffer.from(received), Buffer.from(expected)]
  if (one.length === other.length && timingSafeEqual(one, other)) return null
  return `The header ${SIGNATURE} is not the signature of this body with the secret of the subscription.`
}
