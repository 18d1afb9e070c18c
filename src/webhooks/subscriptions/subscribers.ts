/** A cache of active subscriptions, for the outbox and the dispatcher. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../../state/storage/queries/query.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { isListenerSubscription } from '../targets/listenerUrls.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Subscriber } from './subscriber.ts'
import { findSubscription } from './subscriptions.ts'
import { subscriptions } from '../deliveries/tables.ts'
import { originOf } from '../targets/urls.ts'

const activeOfInterface = query((orm) =>
  orm
    .select({ id: subscriptions.id, url: subscriptions.url, events: subscriptions.events })
    .from(subscriptions)
    .where(
      and(
        ofWorkspace(subscriptions),
        eq(subscriptions.interface, sql.placeholder('interface')),
        eq(subscriptions.active, true),
      ),
    )
    .orderBy(asc(sql`rowid`)),
)

/** The cached subscriptions of a workspace. */
interface Cache {
  readonly lists: Map<string, readonly Subscriber[]>
  /** The secrets by subscription; null if it was deleted or is inactive. */
  readonly secrets: Map<string, string | null>
  /** The number of uncommitted changes. Nothing is cached until they are committed, because they may be undone. */
  uncommitted: number
}

export class Subscribers {
  readonly #caches = new WeakMap<Workspace, Cache>()
  readonly listeners: Listeners

  constructor(listeners: Listeners) {
    this.listeners = listeners
  }

  /** Returns the active subscriptions of an interface in the order of creation, those of listeners last. */
  of(workspace: Workspace, name: string): readonly Subscriber[] {
    const stored = this.#stored(workspace, name)
    const ofListeners = this.listeners.subscribers(workspace, name)
    return ofListeners.length === 0 ? stored : [...stored, ...ofListeners]
  }

  #stored(workspace: Workspace, name: string): readonly Subscriber[] {
    const { lists, uncommitted } = this.#cacheOf(workspace)
    const cached = lists.get(name)
    if (cached) return cached
    const list = activeOfInterface.all(workspace, { interface: name }).map(({ id, url, events }) => ({
      id,
      url,
      origin: originOf(url),
      events: events.includes('*') ? null : new Set(events),
    }))
    if (uncommitted === 0) lists.set(name, list)
    return list
  }

  /** Returns the signing secret of a subscription; null if it was deleted or is inactive. */
  secretOf(workspace: Workspace, id: string): string | null {
    if (isListenerSubscription(id)) return this.listeners.secretOf(workspace, id)
    const { secrets, uncommitted } = this.#cacheOf(workspace)
    const cached = secrets.get(id)
    if (cached !== undefined) return cached
    const found = findSubscription(workspace, id)
    const secret = found?.active === true ? found.secret : null
    if (uncommitted === 0) secrets.set(id, secret)
    return secret
  }

  /** Must be called when the subscriptions of a workspace may have changed. */
  forget(workspace: Workspace): void {
    const cache = this.#cacheOf(workspace)
    cache.lists.clear()
    cache.secrets.clear()
    cache.uncommitted++
    workspace.database.whenCommitted(() => {
      cache.uncommitted--
    })
  }

  #cacheOf(workspace: Workspace): Cache {
    let cache = this.#caches.get(workspace)
    if (!cache) {
      this.#caches.set(workspace, (cache = { lists: new Map(), secrets: new Map(), uncommitted: 0 }))
    }
    return cache
  }
}
