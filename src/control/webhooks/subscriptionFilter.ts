/** Refuses subscriptions that no delivery of a workspace has, because such a filter matches nothing. */
import { refuseField } from '../../state/model/refusal.ts'
import type { Workspace } from '../../state/workspace/workspace.ts'
import { findSubscription } from '../../webhooks/subscriptions/subscriptions.ts'
import type { ControlContext } from '../shared/context.ts'

/** Accepts deleted subscriptions that still have deliveries. */
export function mustBeSubscription(
  { webhooks }: Pick<ControlContext, 'webhooks'>,
  workspace: Workspace,
  subscription: string | undefined,
): void {
  if (subscription === undefined) return
  if (findSubscription(workspace, subscription)) return
  if (webhooks.listeners.urlOf(workspace, subscription) !== null) return
  if (webhooks.list(workspace, { subscription, limit: 1 }).length > 0) return
  const message =
    'subscription must be the id of a subscription; GET /_sim/workspaces/{id}/subscriptions lists them'
  refuseField('subscription', 'unknown', message, 'invalid_query')
}
