/** Making, changing and removing subscriptions, of which whoever sends to them is told. */
import type { Workspace } from '../state/workspace.ts'
import { cancelPending, redirectPending } from './deliveries.ts'
import type { PendingListener } from './pendingListener.ts'
import { mustBeAllowedTarget } from './allowedTargets.ts'
import type { Subscribers } from './subscribers.ts'
import { subscriptions, type Subscription } from './subscriptions.ts'
import { originOf } from './urls.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** For interfaces whose callers subscribe by themselves. */
    readonly subscriptions: Subscriptions
  }
}

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

const distinct = (events: readonly string[]): readonly string[] => [...new Set(events)]

export class Subscriptions {
  readonly #subscribers: Subscribers
  readonly #listener: PendingListener

  constructor(subscribers: Subscribers, listener: PendingListener) {
    this.#subscribers = subscribers
    this.#listener = listener
  }

  /** Refuses a `url` that webhooks can't be sent to, or may not from here. */
  create(workspace: Workspace, wanted: NewSubscription): Subscription {
    mustBeAllowedTarget(workspace, wanted.url)
    return workspace.write(() => {
      const now = workspace.now()
      const subscription = subscriptions.insert(workspace, {
        id: workspace.ids.cuid2('subscription'),
        interface: wanted.interface,
        url: wanted.url,
        events: distinct(wanted.events),
        secret: wanted.secret ?? workspace.ids.prefixed('whsec_', 32),
        active: wanted.active ?? true,
        createdAt: now,
        updatedAt: now,
      })
      this.changed(workspace)
      return subscription
    })
  }

  /**
   * Changes what is named. One that is no longer active is sent nothing more, not even what is still owed. What is
   * owed when the url changes goes to the new one, for the old receiver is likely gone (assumed; peers differ).
   * Refuses what `create` refuses.
   */
  update(workspace: Workspace, subscription: Subscription, changes: SubscriptionChanges): Subscription {
    if (changes.url !== undefined) mustBeAllowedTarget(workspace, changes.url)
    return workspace.write(() => {
      const now = workspace.now()
      const updated = subscriptions.update(workspace, subscription, {
        ...changes,
        events: distinct(changes.events ?? subscription.events),
        updatedAt: now,
      })
      if (!updated.active) cancelPending(workspace, updated.id)
      else if (updated.url !== subscription.url) {
        redirectPending(workspace, updated.id, updated.url)
        // The earliest may be due later; the queue looks and goes back to sleep.
        this.#listener.pending(workspace, originOf(updated.url), now, null)
      }
      this.changed(workspace)
      return updated
    })
  }

  /** Ends a subscription whose receiver has answered that it is gone, where it is still there. */
  deactivate(workspace: Workspace, id: string): void {
    const found = subscriptions.find(workspace, id)
    if (found?.active === true) this.update(workspace, found, { active: false })
  }

  /** Removes the subscription; what is still owed to it is not sent. */
  remove(workspace: Workspace, subscription: Subscription): void {
    workspace.write(() => {
      subscriptions.remove(workspace, subscription.id)
      cancelPending(workspace, subscription.id)
      this.changed(workspace)
    })
  }

  /** To be called when the subscriptions of a workspace have changed or may have in other ways. */
  changed(workspace: Workspace): void {
    this.#subscribers.forget(workspace)
    this.#listener.stale(workspace)
  }
}
