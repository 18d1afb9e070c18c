/**
 * Webhooks as interfaces offer them to their callers: the subscriptions of that interface, shown as
 * {id, url, events, active, created_at}. A secret is told once, and only where it had to be made up.
 */
import { iso } from '../state/clock.ts'
import { refuse } from '../state/refusal.ts'
import type { Workspace } from '../state/workspace.ts'
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

  /** `published` are the events that webhooks of the interface may ask for. */
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

  /** Newest first. */
  list(workspace: Workspace): Subscription[] {
    return listSubscriptions(workspace, this.#interface)
  }

  /** A refusal where there is none; one of another interface is none here. */
  find(workspace: Workspace, id: string): Subscription {
    return (
      findSubscription(workspace, id, this.#interface) ?? refuse('not_found', `There is no webhook ${id}.`)
    )
  }

  /** Makes a webhook, and shows it as it is shown this once. */
  create(
    subscriptions: Subscriptions,
    workspace: Workspace,
    wanted: Omit<NewSubscription, 'interface'>,
  ): OfferedWebhook & { readonly secret?: string } {
    const made = subscriptions.create(workspace, { ...wanted, interface: this.#interface })
    return { ...this.view(made), ...(wanted.secret === undefined && { secret: made.secret }) }
  }
}
