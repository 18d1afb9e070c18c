/** Operations on webhook deliveries: pending, delivered and dead. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import type { Resource } from '../../http/definition/definition.ts'
import { allowMissingBody, checkFirst } from '../../http/definition/operation.ts'
import { exampleOf } from '../../http/openapi/examples.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { Refusal, refuseField } from '../../state/model/refusal.ts'
import type { AppendedEvent, EventData, Workspace } from '../../state/workspace/workspace.ts'
import { deliveriesOf } from '../../webhooks/outbox.ts'
import { workspaceOf, type ControlContext } from '../shared/context.ts'
import { controlOperation, WaitedListOf } from '../shared/dialect.ts'
import { mustBeEvent } from '../shared/publishedNames.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { mustBeSubscription } from './subscriptionFilter.ts'
import {
  Delivery,
  DeliveryParameters,
  DeliveryQuery,
  Redelivered,
  Redelivery,
  SampleEvent,
  SentSample,
} from './webhookSchemas.ts'
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
      '/workspaces/:id/deliveries',
      {
        schema: { params: WorkspaceId, body: SampleEvent },
        config: controlOperation(TAG, {
          id: 'deliverSample',
          summary: 'Deliver a sample of an event',
          description:
            'Sends the event to its subscriptions as if it had occurred, signed and with the usual retries. No record changes, and the timeline has the deliveries without the event.',
          answers: { 201: SentSample },
          addsData: true,
        }),
      },
      async ({ params, body }, reply) => {
        const { interface: of, event: name, at } = body
        const payload = await payloadOf(context, of, name)
        const workspace = workspaceOf(context, params)
        const eventId = workspace.write(() => {
          const id = workspace.ids.cuid2('event')
          const data = (body.data ?? exampleOf(payload, 'answered')) as EventData
          const time = at === undefined ? workspace.now() : instantOf(at, workspace)
          const event = { interface: of, name, data, record: null, id, at: time }
          queueSample(context, workspace, event)
          return id
        })
        return reply.code(201).send({ eventId, deliveries: [...deliveriesOf(workspace, eventId)] })
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

/** Under some readings, the body has records that the data only name. */
function queueSample({ webhooks }: ControlContext, workspace: Workspace, event: AppendedEvent): void {
  try {
    webhooks.outbox(workspace, event, event.data)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const message = `data must name records of this workspace, because the body shows them under its readings. ${error.message}`
    refuseField('data', 'unknown', message)
  }
}

/** Returns the schema of an event's data; refuses names of other interfaces. */
async function payloadOf(context: ControlContext, of: string, name: string): Promise<object> {
  const { definition } = await context.published(of)
  const found = definition.events?.find((event) => event.name === name)
  if (!found) await mustBeEvent(context, { field: 'event', name, interface: of, reason: 'invalid' })
  return found?.payload ?? {}
}
