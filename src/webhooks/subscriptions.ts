/** Who wants to be told of what. A subscription belongs to one interface of one workspace. */
import { and, desc, eq, sql } from 'drizzle-orm'
import { statement } from '../state/database.ts'
import { rows } from '../state/rows.ts'
import type { Workspace } from '../state/workspaces.ts'
import { subscriptions } from './tables.ts'

export type Subscription = typeof subscriptions.$inferSelect

export const subscriptionRows = rows(subscriptions)

/**
 * The names that a subscription asks for, in its own order, out of all that its interface has. One to all of them, made
 * in the control plane, shows every name, for no interface knows "*".
 */
export const eventNames = <Name extends string>({ events }: Subscription, all: readonly Name[]): Name[] =>
  events.includes('*') ? [...all] : events.flatMap((asked) => all.find((name) => name === asked) ?? [])

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
