/** Operations on webhook subscriptions, also for interfaces without such calls. OPERATING.md, "Control plane". */
import { NO_CONTENT } from '../../http/definition/operation.ts'
import type { InterfaceName } from '@suite-sim/kit/interfaceNames'
import { refuse, Refusal } from '../../state/model/refusal.ts'
import { countUndelivered } from '../../webhooks/deliveries/deliveryLog.ts'
import {
  findSubscription,
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
} from '../../webhooks/subscriptions/subscriptions.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, ListOf, type ControlResource } from '../shared/dialect.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import {
  CreatedSubscription,
  Subscription,
  SubscriptionCreate,
  SubscriptionParameters,
} from './webhookSchemas.ts'
import { subscriptionView } from '../shared/views.ts'

export const subscriptions: ControlResource = async (app, context) => {
  const at = controlRoutesOf(app, 'Webhooks')
  const list = at('/workspaces/:id/subscriptions', { params: WorkspaceId })

  list.post({
    id: 'createSubscription',
    summary: 'Subscribe to the events of an interface',
    description: `A workspace has at most ${String(MAX_SUBSCRIPTIONS)} subscriptions for each interface.`,
    body: SubscriptionCreate,
    answers: { 201: CreatedSubscription },
    async run(request) {
      const { body } = request
      const known = await eventsOf(context, body.interface)
      const workspace = request.target
      const { events = ['*'] } = body
      mustBeKnown(events, known)
      const created = context.webhooks.subscriptions.create(workspace, { ...body, events })
      return { ...subscriptionView(created), secret: created.secret }
    },
  })

  list.get({
    id: 'listSubscriptions',
    summary: 'List the subscriptions of a workspace',
    description:
      'Returns the subscriptions of all interfaces with the numbers of their pending and dead deliveries, without their secrets. Those of `suite-sim listen`, whose URLs start with `listen:`, come first.',
    answers: { 200: ListOf(Subscription) },
    run({ target: workspace }) {
      const { pending, dead } = countUndelivered(workspace)
      return {
        data: [...context.webhooks.listeners.list(workspace), ...listSubscriptions(workspace)].map((row) => ({
          ...subscriptionView(row),
          pending: pending.get(row.id) ?? 0,
          dead: dead.get(row.id) ?? 0,
        })),
      }
    },
  })

  at('/workspaces/:id/subscriptions/:subscriptionId', { params: SubscriptionParameters }).delete({
    id: 'deleteSubscription',
    summary: 'Delete a subscription',
    description:
      'Cancels its pending deliveries. Refuses a subscription of `suite-sim listen`, which ends when the listener stops.',
    answers: NO_CONTENT,
    refuses: ['conflict'],
    run({ target: workspace, params }) {
      const found = findSubscription(workspace, params.subscriptionId)
      if (context.webhooks.listeners.urlOf(workspace, params.subscriptionId) !== null)
        refuse('conflict', 'This subscription ends when its listener (`suite-sim listen`) stops.')
      context.webhooks.subscriptions.remove(
        workspace,
        found ?? refuse('not_found', `There is no subscription ${params.subscriptionId}.`),
      )
    },
  })
}

/** Returns the events of an interface. */
async function eventsOf({ interfaces }: ControlContext, name: InterfaceName): Promise<string[]> {
  const wire = await interfaces.find((candidate) => candidate.name === name)?.load()
  return (wire?.events ?? []).map((event) => event.name)
}

/** Refuses names other than "*" and the events of the interface. */
function mustBeKnown(events: readonly string[], known: readonly string[]): void {
  const details = events.flatMap((name, index) => {
    const field = `events.${String(index)}`
    const message = `${field} must be "*" or one of ${known.join(', ')}`
    return name === '*' || known.includes(name) ? [] : [{ field, code: 'not_allowed', message }]
  })
  if (details.length > 0) {
    throw new Refusal('invalid', details.map(({ message }) => message).join('; '), { details })
  }
}
