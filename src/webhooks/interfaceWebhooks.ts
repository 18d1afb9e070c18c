/**
 * Webhooks in the interfaces: the subscriptions of one interface as {id, url, events, active, created_at}. The secret
 * is returned only once, and only if the server has generated it.
 */
import { iso } from '../state/model/clock.ts'
import { refuse } from '../state/model/refusal.ts'
import type { Workspace } from '../state/workspace/workspace.ts'
import type { NewSubscription, Subscriptions } from './subscribing.ts'
import { eventNames, findSubscription, listSubscriptions, type Subscription } from './subscriptions.ts'

/** A webhook without its secret. */
export interface OfferedWebhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly active: boolean
  readonly created_at: string
}

export class OfferedWebhooks {
  readonly #interface: string
  readonly #events: readonly string[]

  /** `published` are the events that webhooks of the interface can subscribe to. */
  constructor(name: string, published: readonly { readonly name: string }[]) {
    this.#interface = name
    this.#events = published.map((event) => event.name)
  }

  readonly view = (subscription: Subscription): OfferedWebhook => ({
    id: subscription.id,
    url: subscription.url,
    events: eventNames(subscription, this.#events),
    active: subscription.active,
    created_at: iso(subscription.createdAt),
  })

  /** Returns the webhooks, newest first. */
  list(workspace: Workspace): Subscription[] {
    return listSubscriptions(workspace, this.#interface)
  }

  /** Returns a webhook, or throws a refusal; webhooks of other interfaces are not found. */
  find(workspace: Workspace, id: string): Subscription {
    return (
      findSubscription(workspace, id, this.#interface) ?? refuse('not_found', `There is no webhook ${id}.`)
    )
  }

  /** Creates a webhook and returns its view, with the secret if it was generated. */
  create(
    subscriptions: Subscriptions,
    workspace: Workspace,
    newSubscription: Omit<NewSubscription, 'interface'>,
  ): OfferedWebhook & { readonly secret?: string } {
    const subscription = subscriptions.create(workspace, { ...newSubscription, interface: this.#interface })
    return {
      ...this.view(subscription),
      ...(newSubscription.secret === undefined && { secret: subscription.secret }),
    }
  }
}
