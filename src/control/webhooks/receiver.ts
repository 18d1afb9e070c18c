/** The built-in webhook receiver, and the inbox of a workspace with what it received. */
import { NO_CONTENT } from '../../http/definition/operation.ts'
import { inboxesOf, MAX_CHARACTERS, MAX_ENTRIES } from '../../webhooks/deliveries/inbox.ts'
import { controlRoutesOf, WaitedListOf, type ControlResource } from '../shared/dialect.ts'
import { mustBeEvent } from '../shared/publishedNames.ts'
import { WorkspaceId } from '../shared/schemas.ts'
import { inboxView } from '../shared/views.ts'
import { waitedList } from '../shared/waiting.ts'
import { explainInbox } from './explaining.ts'
import { mustBeSubscription } from './subscriptionFilter.ts'
import { InboxEntry, InboxQuery, ReceivedWebhook } from './webhookSchemas.ts'

export const receiver: ControlResource = async (app, context, tools) => {
  const inboxes = inboxesOf(context.workspaces.database)

  const at = controlRoutesOf(app, 'Webhooks')
  const inbox = at('/workspaces/:id/inbox', { params: WorkspaceId })

  inbox.get({
    id: 'listInbox',
    summary: 'List the webhooks that the built-in receiver got',
    description:
      `Newest first. The inbox has the last ${String(MAX_ENTRIES)} requests of deliveries of this workspace to /_sim/receiver, up to ${String(MAX_CHARACTERS / 1_048_576)} MiB in total. ` +
      'It is in memory: a restart, a reset or a restored snapshot empties it. With wait, the response is sent as soon as count entries match.',
    query: InboxQuery,
    answers: { 200: WaitedListOf(InboxEntry) },
    async run(request, reply) {
      const { query } = request
      const { event: name, subscription } = query
      await mustBeEvent(context, { field: 'event', name, interface: undefined, reason: 'invalid_query' })
      const workspace = request.target
      mustBeSubscription(context, workspace, subscription)
      const entries = await tools.waiting.until(reply, workspace, 'inbox', query, (limit) =>
        inboxes.list(workspace, { ...query, limit }),
      )
      return waitedList(entries.map(inboxView), query, () =>
        explainInbox(context, workspace, { event: name, subscription, status: 'delivered' }),
      )
    },
  })

  inbox.delete({
    id: 'clearInbox',
    summary: 'Empty the inbox of a workspace',
    answers: NO_CONTENT,
    run({ target }) {
      inboxes.clear(target)
    },
  })

  await app.register((scope) => reception(scope, context, tools))
}

/** Registered in its own scope, because it accepts any body: a fault can truncate the JSON of a delivery. */
const reception: ControlResource = async (app, { workspaces }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  const at = controlRoutesOf(app, 'Webhooks')

  at('/receiver').post({
    id: 'receiveWebhook',
    summary: 'Receive a webhook',
    description:
      'Subscribe this URL if you have no receiver yet. It answers 200 to every request, and keeps deliveries of this server in the inbox of their workspace. It needs no token. To make its deliveries fail, create a fault.',
    open: true,
    answers: { 200: ReceivedWebhook },
    run({ headers, body }) {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const reason = inboxesOf(workspaces.database).receive(workspaces, headers, bytes)
      return { received: true, kept: reason === null, ...(reason !== null && { reason }) }
    },
  })
}
