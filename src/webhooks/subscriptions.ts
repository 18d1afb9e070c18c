/** Who wants to be told of what. A subscription belongs to one interface of one workspace. */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { statement } from '../state/database.ts'
import { rows } from '../state/rows.ts'
import type { Workspace } from '../state/workspace.ts'
import { dropOwed, moveOwed } from './deliveries.ts'
import { sayStale } from './owed.ts'
import { subscriptions } from './tables.ts'
import { originOf } from './urls.ts'

export type Subscription = typeof subscriptions.$inferSelect

export interface NewSubscription {
  readonly interface: string
  readonly url: string
  /** Event names, or "*" for all of the interface; one that is named twice counts once. */
  readonly events: readonly string[]
  /** Made up unless given. */
  readonly secret?: string
  readonly active?: boolean
}

/** What can be changed later; the secret can't ("secret not reissued", specification part 2). */
export interface SubscriptionChanges {
  readonly url?: string
  readonly events?: readonly string[]
  readonly active?: boolean
}

const subscriptionRows = rows(subscriptions)

/**
 * The names that a subscription asks for, in its own order, out of all that its interface has. One to all of them, made
 * in the control plane, shows every name, for no interface knows "*".
 */
export const eventNames = <Name extends string>({ events }: Subscription, all: readonly Name[]): Name[] =>
  events.includes('*') ? [...all] : events.flatMap((asked) => all.find((name) => name === asked) ?? [])

const distinct = (events: readonly string[]): readonly string[] => [...new Set(events)]

export function createSubscription(workspace: Workspace, wanted: NewSubscription): Subscription {
  return workspace.write(() => {
    const now = workspace.now()
    const subscription: Subscription = {
      workspace: workspace.number,
      id: workspace.ids.cuid2('subscription'),
      interface: wanted.interface,
      url: wanted.url,
      events: distinct(wanted.events),
      secret: wanted.secret ?? workspace.ids.prefixed('whsec_', 32),
      active: wanted.active ?? true,
      createdAt: now,
      updatedAt: now,
    }
    subscriptionRows.insert(workspace.database, subscription)
    forgetSubscribers(workspace)
    return subscription
  })
}

const listAll = statement((orm) =>
  orm
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.workspace, sql.placeholder('workspace')))
    .orderBy(desc(subscriptions.createdAt), desc(sql`rowid`))
    .prepare(),
)

const listOfInterface = statement((orm) =>
  orm
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.workspace, sql.placeholder('workspace')),
        eq(subscriptions.interface, sql.placeholder('interface')),
      ),
    )
    .orderBy(desc(subscriptions.createdAt), desc(sql`rowid`))
    .prepare(),
)

/** Newest first; of one interface, or of all. */
export const listSubscriptions = (workspace: Workspace, of?: string): Subscription[] =>
  of === undefined
    ? listAll(workspace.database).all({ workspace: workspace.number })
    : listOfInterface(workspace.database).all({ workspace: workspace.number, interface: of })

/** With `of`, a subscription of another interface is not found. */
export function findSubscription(workspace: Workspace, id: string, of?: string): Subscription | undefined {
  const found = subscriptionRows.find(workspace, id)
  return of === undefined || found?.interface === of ? found : undefined
}

/**
 * Changes what is named. One that is no longer active is sent nothing more, not even what is still owed. What is owed
 * when the url changes goes to the new one, for the old receiver is likely gone (assumed; peers differ).
 */
export function updateSubscription(
  workspace: Workspace,
  subscription: Subscription,
  changes: SubscriptionChanges,
): Subscription {
  return workspace.write(() => {
    const updated: Subscription = {
      ...subscription,
      ...changes,
      events: distinct(changes.events ?? subscription.events),
      updatedAt: workspace.now(),
    }
    subscriptionRows.update(workspace.database, updated)
    if (!updated.active) dropOwed(workspace, updated.id)
    else if (updated.url !== subscription.url) moveOwed(workspace, updated.id, updated.url)
    forgetSubscribers(workspace)
    return updated
  })
}

/** Removes the subscription; what is still owed to it is not sent. */
export function removeSubscription(workspace: Workspace, subscription: Subscription): void {
  workspace.write(() => {
    subscriptionRows.remove(workspace, subscription.id)
    dropOwed(workspace, subscription.id)
    forgetSubscribers(workspace)
  })
}

/** As much of an active subscription as it takes to owe it an event. */
export interface Subscriber {
  readonly id: string
  readonly url: string
  readonly origin: string
  /** null is all. */
  readonly events: ReadonlySet<string> | null
}

const activeOfInterface = statement((orm) =>
  orm
    .select({ id: subscriptions.id, url: subscriptions.url, events: subscriptions.events })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.workspace, sql.placeholder('workspace')),
        eq(subscriptions.interface, sql.placeholder('interface')),
        eq(subscriptions.active, true),
      ),
    )
    .orderBy(asc(sql`rowid`))
    .prepare(),
)

/** What is asked of a workspace's subscriptions again and again, remembered between events. */
interface Remembered {
  readonly lists: Map<string, readonly Subscriber[]>
  /** The secret of each subscription that was asked for; null where it is gone or not active. */
  readonly secrets: Map<string, string | null>
  /** Changes that are not on the file yet. Until they are they may be undone, and nothing is remembered. */
  unsettled: number
}

const remembered = new WeakMap<Workspace, Remembered>()

function memoryOf(workspace: Workspace): Remembered {
  let memory = remembered.get(workspace)
  if (!memory) remembered.set(workspace, (memory = { lists: new Map(), secrets: new Map(), unsettled: 0 }))
  return memory
}

/** The active subscriptions of an interface, in the order in which they were made. */
export function subscribersOf(workspace: Workspace, name: string): readonly Subscriber[] {
  const { lists, unsettled } = memoryOf(workspace)
  const known = lists.get(name)
  if (known) return known
  const list = activeOfInterface(workspace.database)
    .all({ workspace: workspace.number, interface: name })
    .map(({ id, url, events }) => ({
      id,
      url,
      origin: originOf(url),
      events: events.includes('*') ? null : new Set(events),
    }))
  if (unsettled === 0) lists.set(name, list)
  return list
}

/** What deliveries to a subscription are signed with; null when it is gone or not active. */
export function secretOf(workspace: Workspace, id: string): string | null {
  const { secrets, unsettled } = memoryOf(workspace)
  const known = secrets.get(id)
  if (known !== undefined) return known
  const found = subscriptionRows.find(workspace, id)
  const secret = found?.active === true ? found.secret : null
  if (unsettled === 0) secrets.set(id, secret)
  return secret
}

/** To be called when the subscriptions of a workspace have changed or may have. */
export function forgetSubscribers(workspace: Workspace): void {
  const memory = memoryOf(workspace)
  memory.lists.clear()
  memory.secrets.clear()
  memory.unsettled++
  sayStale(workspace)
  workspace.database.whenCommitted(() => {
    memory.unsettled--
  })
}
