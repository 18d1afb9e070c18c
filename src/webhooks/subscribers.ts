/** Who is sent what: the active subscriptions, as what is sent again and again asks for them. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { ofWorkspace, query } from '../state/query.ts'
import type { Workspace } from '../state/workspace.ts'
import { findSubscription } from './subscriptions.ts'
import { subscriptions } from './tables.ts'
import { originOf } from './urls.ts'

/** As much of an active subscription as it takes to owe it an event. */
export interface Subscriber {
  readonly id: string
  readonly url: string
  readonly origin: string
  /** null is all. */
  readonly events: ReadonlySet<string> | null
}

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

/** What is asked of a workspace's subscriptions again and again, remembered between events. */
interface Remembered {
  readonly lists: Map<string, readonly Subscriber[]>
  /** The secret of each subscription that was asked for; null where it is gone or not active. */
  readonly secrets: Map<string, string | null>
  /** Changes that are not on the file yet. Until they are they may be undone, and nothing is remembered. */
  unsettled: number
}

export class Subscribers {
  readonly #remembered = new WeakMap<Workspace, Remembered>()

  /** The active subscriptions of an interface, in the order in which they were made. */
  of(workspace: Workspace, name: string): readonly Subscriber[] {
    const { lists, unsettled } = this.#memoryOf(workspace)
    const known = lists.get(name)
    if (known) return known
    const list = activeOfInterface.all(workspace, { interface: name }).map(({ id, url, events }) => ({
      id,
      url,
      origin: originOf(url),
      events: events.includes('*') ? null : new Set(events),
    }))
    if (unsettled === 0) lists.set(name, list)
    return list
  }

  /** What deliveries to a subscription are signed with; null when it is gone or not active. */
  secretOf(workspace: Workspace, id: string): string | null {
    const { secrets, unsettled } = this.#memoryOf(workspace)
    const known = secrets.get(id)
    if (known !== undefined) return known
    const found = findSubscription(workspace, id)
    const secret = found?.active === true ? found.secret : null
    if (unsettled === 0) secrets.set(id, secret)
    return secret
  }

  /** To be called when the subscriptions of a workspace have changed or may have. */
  forget(workspace: Workspace): void {
    const memory = this.#memoryOf(workspace)
    memory.lists.clear()
    memory.secrets.clear()
    memory.unsettled++
    workspace.database.whenCommitted(() => {
      memory.unsettled--
    })
  }

  #memoryOf(workspace: Workspace): Remembered {
    let memory = this.#remembered.get(workspace)
    if (!memory) {
      this.#remembered.set(workspace, (memory = { lists: new Map(), secrets: new Map(), unsettled: 0 }))
    }
    return memory
  }
}
