/** Webhook subscriptions. Each belongs to one interface of one workspace. */
import { and, desc, eq, getTableName, sql } from 'drizzle-orm'
import { hiddenIn } from '../../state/faults/lag.ts'
import { ofWorkspace, query } from '../../state/storage/queries/query.ts'
import { record } from '../../state/storage/records/record.ts'
import { refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { LEADS_TO_ITSELF, targetPolicyOf, type TargetPolicy } from '../targets/allowedTargets.ts'
import { subscriptions as table } from '../deliveries/tables.ts'
import { urlProblem } from '@suite-sim/kit/webhooks/urlProblem'

export type Subscription = typeof table.$inferSelect

/** The limit for one interface of a workspace, because each event creates deliveries to all in one transaction. */
export const MAX_SUBSCRIPTIONS = 200

export const subscriptions = record(table, {
  noun: 'subscription',
  limit: { count: MAX_SUBSCRIPTIONS, called: 'subscriptions', ofEach: table.interface },
  snapshot: {
    section: 'webhooks',
    name: 'subscriptions',
    generated: ['secret'],
    check({ url, events, interface: of }, workspace) {
      mustBeUrl(url, targetPolicyOf(workspace.database))
      mustBeNames(events, of, workspace.eventNamesOf(of))
    },
  },
})

/** Checks the URL, but not the allowed targets: these are set at each start, and checked at each attempt. */
function mustBeUrl(url: string, reach: TargetPolicy): void {
  const problem = urlProblem(url) ?? (reach.leadsToItself(new URL(url)) ? LEADS_TO_ITSELF : null)
  if (problem !== null) refuseField('webhooks.subscriptions.url', 'not_allowed', problem)
}

/** Refuses names other than "*" and the events of the interface. */
function mustBeNames(events: unknown, of: string, known: readonly string[] | undefined): void {
  const field = 'webhooks.subscriptions.events'
  if (!Array.isArray(events) || !events.every((name) => typeof name === 'string')) {
    refuseField(field, 'invalid_type', 'events must be a list of event names')
  }
  const unknown = events.find((name) => name !== '*' && known?.includes(name) === false)
  if (unknown !== undefined) {
    refuseField(field, 'not_allowed', `${field} must be "*" or events of ${of}; ${unknown} is none`)
  }
}

/**
 * Returns the event names of a subscription in its own order. "*", which only the control plane can set, becomes all
 * names, because no interface documents "*".
 */
export const eventNames = <Name extends string>({ events }: Subscription, all: readonly Name[]): Name[] =>
  events.includes('*')
    ? [...all]
    : events.flatMap((subscribed) => all.find((name) => name === subscribed) ?? [])

const listAll = query((orm) =>
  orm
    .select()
    .from(table)
    .where(ofWorkspace(table))
    .orderBy(desc(table.createdAt), desc(sql`rowid`)),
)

const listOfInterface = query((orm) =>
  orm
    .select()
    .from(table)
    .where(and(ofWorkspace(table), eq(table.interface, sql.placeholder('interface'))))
    .orderBy(desc(table.createdAt), desc(sql`rowid`)),
)

/** Returns the subscriptions of one interface or of all, newest first. */
export function listSubscriptions(workspace: Workspace, of?: string): Subscription[] {
  if (of === undefined) return listAll.all(workspace)
  const all = listOfInterface.all(workspace, { interface: of })
  const hidden = hiddenIn(getTableName(table))
  return hidden === undefined ? all : all.filter(({ id }) => !hidden.includes(JSON.stringify(id)))
}

/** With `of`, subscriptions of other interfaces are not found. */
export function findSubscription(workspace: Workspace, id: string, of?: string): Subscription | undefined {
  const found = subscriptions.find(workspace, id)
  return of === undefined || found?.interface === of ? found : undefined
}
