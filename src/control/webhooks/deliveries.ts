/** Operations on webhook deliveries: pending, delivered and dead. OPERATING.md, "Control plane". */
import { Type } from '@sinclair/typebox'
import { allowMissingBody } from '../../http/definition/operation.ts'
import { exampleOf } from '../../http/openapi/examples.ts'
import { instantOf } from '@suite-sim/kit/time/instants'
import { Refusal, refuseField } from '../../state/model/refusal.ts'
import type { AppendedEvent, EventData, Workspace } from '../../state/workspace/workspace.ts'
import { deliveriesOf } from '../../webhooks/outbox.ts'
import type { ControlContext } from '../shared/context.ts'
import { controlRoutesOf, WaitedListOf, workspaceMustExist, type ControlResource } from '../shared/dialect.ts'
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
import { waitedList } from '../shared/waiting.ts'
import { explainDeliveries } from './explaining.ts'

export const deliveries: ControlResource = async (app, context, { waiting }) => {
  const at = controlRoutesOf(app, 'Webhooks')
  const list = at('/workspaces/:id/deliveries', { params: WorkspaceId })

  list.get({
    id: 'listDeliveries',
    summary: 'List the deliveries of a workspace',
    description: 'Newest first. With wait, the response is sent as soon as count deliveries match.',
    query: DeliveryQuery,
    answers: { 200: WaitedListOf(Delivery) },
    async run(request, reply) {
      const { query } = request
      const { event: name, interface: of } = query
      await mustBeEvent(context, { field: 'event', name, interface: of, reason: 'invalid_query' })
      const workspace = request.target
      mustBeSubscription(context, workspace, query.subscription)
      const rows = await waiting.until(reply, workspace, 'deliveries', query, (limit) =>
        context.webhooks.list(workspace, { ...query, limit }),
      )
      return waitedList(rows.map(deliveryView), query, () => explainDeliveries(context, workspace, query))
    },
  })

  list.post({
    id: 'deliverSample',
    summary: 'Deliver a sample of an event',
    description:
      'Sends the event to its subscriptions as if it had occurred, signed and with the usual retries. No record changes, and the timeline has the deliveries without the event.',
    body: SampleEvent,
    answers: { 201: SentSample },
    addsData: true,
    async run(request) {
      const { body } = request
      const { interface: of, event: name, at } = body
      const payload = await payloadOf(context, of, name)
      const workspace = request.target
      const eventId = workspace.write(() => {
        const id = workspace.ids.cuid2('event')
        const data = (body.data ?? exampleOf(payload, 'answered')) as EventData
        const time = at === undefined ? workspace.now() : instantOf(at, workspace)
        const event = { interface: of, name, data, record: null, id, at: time }
        queueSample(context, workspace, event)
        return id
      })
      return { eventId, deliveries: [...deliveriesOf(workspace, eventId)] }
    },
  })

  at('/workspaces/:id/deliveries/redeliver', { params: WorkspaceId }).post({
    id: 'redeliverAll',
    summary: 'Send all matching deliveries again',
    description:
      'Sends the dead deliveries again, or those with another status, in the order of their events and each with a new retry schedule. Leaves out deliveries whose subscription was deleted or is not active. The response is sent when all are pending.',
    body: Type.Optional(Redelivery),
    before: [workspaceMustExist, allowMissingBody],
    answers: { 202: Redelivered },
    async run({ target: workspace, body }) {
      const { status = 'dead', interface: of, event, since } = body
      await mustBeEvent(context, { field: 'event', name: event, interface: of, reason: 'invalid' })
      const count = await context.webhooks.redeliverAll(workspace, {
        status,
        interface: of,
        event,
        since: since === undefined ? undefined : instantOf(since, workspace),
      })
      return { count }
    },
  })

  at('/workspaces/:id/deliveries/:deliveryId/redeliver', { params: DeliveryParameters }).post({
    id: 'redeliver',
    summary: 'Send a delivery again',
    description: 'Starts a new retry schedule. The id and the payload stay the same.',
    answers: { 202: null },
    refuses: ['conflict'],
    run({ target, params }) {
      context.webhooks.redeliver(target, params.deliveryId)
    },
  })
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
