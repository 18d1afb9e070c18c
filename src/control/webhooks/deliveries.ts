/** Operations on webhook deliveries: pending, delivered and dead. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { allowMissingBody, checkFirst } from '../../http/definition/operation.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation, WaitedListOf } from '../shared/dialect.ts'
import { mustBeEvent } from '../shared/publishedNames.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { mustBeSubscription } from './subscriptionFilter.ts'
import { Delivery, DeliveryParameters, DeliveryQuery, Redelivered, Redelivery } from './webhookSchemas.ts'
import { deliveryView } from '../shared/views.ts'
import { waitedList, type Waiting } from '../shared/waiting.ts'
import { explainDeliveries } from './explaining.ts'

const TAG = 'Webhooks'

export const deliveries =
  (context: ControlContext, waiting: Waiting): Resource =>
  async (app) => {
    app.get(
      '/workspaces/:id/deliveries',
      {
        schema: { params: WorkspaceId, querystring: DeliveryQuery },
        config: controlOperation(TAG, {
          id: 'listDeliveries',
          summary: 'List the deliveries of a workspace',
          description: 'Newest first. With wait, the response is sent as soon as count deliveries match.',
          answers: { 200: WaitedListOf(Delivery) },
        }),
      },
      async ({ params, query }, reply) => {
        const { event: name, interface: of } = query
        if (name !== undefined) {
          await mustBeEvent(context, { field: 'event', name, interface: of, reason: 'invalid_query' })
        }
        const workspace = workspaceOf(context, params)
        if (query.subscription !== undefined) mustBeSubscription(context, workspace, query.subscription)
        const rows = await waiting.until(reply, workspace, 'deliveries', query, (limit) =>
          context.webhooks.list(workspace, { ...query, limit }),
        )
        return waitedList(rows.map(deliveryView), query, () => explainDeliveries(context, workspace, query))
      },
    )

    app.post(
      '/workspaces/:id/deliveries/redeliver',
      {
        preValidation: [
          checkFirst<{ id: string }>((_request, params) => workspaceOf(context, params)),
          allowMissingBody,
        ],
        schema: { params: WorkspaceId, body: Type.Optional(Redelivery) },
        config: controlOperation(TAG, {
          id: 'redeliverAll',
          summary: 'Send all matching deliveries again',
          description:
            'Sends the dead deliveries again, or those with another status, in the order of their events and each with a new retry schedule. Leaves out deliveries whose subscription was deleted or is not active. The response is sent when all are pending.',
          answers: { 202: Redelivered },
        }),
      },
      async ({ params, body }, reply) => {
        const workspace = workspaceOf(context, params)
        const { status = 'dead', interface: of, event, since } = body
        if (event !== undefined)
          await mustBeEvent(context, { field: 'event', name: event, interface: of, reason: 'invalid' })
        const count = await context.webhooks.redeliverAll(workspace, {
          status,
          interface: of,
          event,
          since: since === undefined ? undefined : instantOf(since, workspace),
        })
        return reply.code(202).send({ count })
      },
    )

    app.post(
      '/workspaces/:id/deliveries/:deliveryId/redeliver',
      {
        schema: { params: DeliveryParameters },
        config: controlOperation(TAG, {
          id: 'redeliver',
          summary: 'Send a delivery again',
          description: 'Starts a new retry schedule. The id and the payload stay the same.',
          answers: { 202: null },
          refuses: ['conflict'],
        }),
      },
      ({ params }, reply) => {
        context.webhooks.redeliver(workspaceOf(context, params), params.deliveryId)
        return reply.code(202).send()
      },
    )
  }
