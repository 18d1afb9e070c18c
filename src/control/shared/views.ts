/** Converts rows to the wire format of the control plane. */
import type { Static } from '@sinclair/typebox'
import { iso, isoOrNull } from '@suite-sim/kit/time/instants'
import { SENDER, type Email } from '../../state/shared/emails.ts'
import type { Machine } from '../../state/model/machine.ts'
import type { Key } from '../workspaces/keySchemas.ts'
import type { KeyRow } from '../../state/workspace/keys.ts'
import type { User as UserRow } from '../../state/workspace/users.ts'
import type { Workspace as WorkspaceState } from '../../state/workspace/workspace.ts'
import type { SubscriptionFacts } from '../../webhooks/listeners/listeners.ts'
import type { deliveries } from '../../webhooks/deliveries/tables.ts'
import { readingsIn } from './readings.ts'
import type { CreatedWorkspace, StateMachine, TriggerDescription, User, Workspace } from './schemas.ts'
import type { OpenedWorkspace } from '../snapshots/snapshot.ts'
import type { SentEmail } from '../records/emailSchemas.ts'
import type { InboxEntry as InboxEntryRow } from '../../webhooks/deliveries/inbox.ts'
import type { Delivery, InboxEntry, Subscription } from '../webhooks/webhookSchemas.ts'
import type { Trigger } from '../../http/definition/trigger.ts'

export const workspaceView = (workspace: WorkspaceState): Static<typeof Workspace> => ({
  id: workspace.id,
  name: workspace.name,
  accountId: workspace.tenantId,
  currency: workspace.currency,
  timezone: workspace.timezone,
  modules: workspace.modules,
  plan: workspace.plan,
  testCards: workspace.testCards,
  cases: workspace.cases,
  progression: workspace.progression,
  readings: readingsIn(workspace),
  ttl: workspace.lifetime.ttl,
  labels: workspace.labels,
  createdAt: iso(workspace.createdAt),
})

/** Only for the responses that create a workspace: no other shows the control token. */
export const createdView = ({ workspace, user, key }: OpenedWorkspace): Static<typeof CreatedWorkspace> => ({
  workspace: workspaceView(workspace),
  user: userView(user),
  key,
  controlToken: workspace.controlToken ?? '',
})

export const userView = ({ id, name, email }: UserRow): Static<typeof User> => ({ id, name, email })

export const keyView = (row: KeyRow, workspace: WorkspaceState): Static<typeof Key> => ({
  key: row.key,
  workspaceId: workspace.id,
  userId: row.user,
  scopes: [...row.scopes],
  interfaces: [...row.interfaces] as Static<typeof Key>['interfaces'],
  expiresAt: isoOrNull(row.expiresAt),
  createdAt: iso(row.createdAt),
})

export const clockView = (workspace: WorkspaceState): { readonly now: string; readonly frozen: boolean } => ({
  now: iso(workspace.now()),
  frozen: workspace.clock.isFrozen,
})

export const machineView = (machine: Machine): Static<typeof StateMachine> => ({
  name: machine.name,
  title: machine.title,
  states: [...machine.states],
  initial: [...machine.initial],
  moves: Object.entries(machine.moves).map(([name, { from, under, to, by, emits, settledIn, fidelity }]) => ({
    name,
    from: [...from],
    ...(under && { under: { reading: under.reading.name, is: under.is, from: [...under.from] } }),
    to,
    by,
    ...(emits !== undefined && { emits }),
    ...(settledIn && { settledIn: [...settledIn] }),
    fidelity,
  })),
  diagram: machine.diagram(),
})

export const triggerView = (trigger: Trigger): Static<typeof TriggerDescription> => ({
  name: trigger.name,
  summary: trigger.summary,
  body: { ...trigger.body },
  result: { ...trigger.result },
  fidelity: trigger.fidelity,
})

export const subscriptionView = (
  row: SubscriptionFacts,
): Omit<Static<typeof Subscription>, 'pending' | 'dead'> => ({
  id: row.id,
  interface: row.interface as Static<typeof Subscription>['interface'],
  url: row.url,
  events: [...row.events],
  active: row.active,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
})

export const deliveryView = (row: typeof deliveries.$inferSelect): Static<typeof Delivery> => ({
  id: row.id,
  subscriptionId: row.subscription,
  interface: row.interface,
  event: row.event,
  url: row.url,
  createdAt: iso(row.createdAt),
  status: row.status,
  attempts: [...row.attempts],
  nextAttemptAt: isoOrNull(row.nextAttemptAt),
  payload: JSON.parse(row.body) as Record<string, unknown>,
})

export const inboxView = (entry: InboxEntryRow): Static<typeof InboxEntry> => ({
  id: entry.id,
  at: iso(entry.at),
  interface: entry.interface as Static<typeof InboxEntry>['interface'],
  event: entry.event,
  deliveryId: entry.delivery,
  attempt: entry.attempt,
  subscriptionId: entry.subscription,
  verified: entry.problem === null,
  problem: entry.problem,
  secret: entry.secret,
  headers: { ...entry.headers },
  body: entry.body,
})

export const emailView = (row: Email): Static<typeof SentEmail> => ({
  id: row.id,
  interface: row.interface,
  from: SENDER,
  to: row.to,
  subject: row.subject,
  text: row.text,
  attachments: row.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
  at: iso(row.at),
})
