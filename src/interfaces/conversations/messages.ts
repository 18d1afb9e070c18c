/** Messages. Specification part 3, "Message"; routes in the order of operations.tsv. */
import type { Resource } from '../../http/definition.ts'
import { contentTypeOfUpload } from '../../http/contentTypes.ts'
import { takeForms } from '../../http/multipart.ts'
import { operationsOf } from '../../http/operation.ts'
import { unpaged } from '../../http/paging.ts'
import { Upload } from '../../http/uploads.ts'
import { contacts } from '../../state/conversations/contacts.ts'
import { conversations } from '../../state/conversations/conversations.ts'
import { inboxes, mustBeConnected } from '../../state/conversations/inboxes.ts'
import { addMessage, messagesOf } from '../../state/conversations/messages.ts'
import { MESSAGE_TYPES } from '../../state/conversations/tables.ts'
import { documentedBut } from '../../state/fidelity.ts'
import { refuseField } from '../../state/refusal.ts'
import { storing, type StoredFile } from '../../state/storedFiles.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { ConversationParams, nameOf } from './schemas/common.ts'
import { Message, MessageCreate, MessageList, MessageQuery } from './schemas/conversations.ts'
import { messageView } from './views.ts'

/** Bytes of one file: 40 MB, and of all files of a message. */
const LARGEST_FILE = 40 * 1024 * 1024

const messageOperation = operationsOf({ tag: 'Messages' })

const mustExist = inAccount<{ account_id: string; conversation_id: string }>(
  ({ workspace }, { conversation_id: id }) => conversations.getHead(workspace, id),
)

export const messages: Resource = async (app) => {
  app.get(
    `${ACCOUNT}/conversations/:conversation_id/messages`,
    {
      preValidation: mustExist,
      schema: { params: ConversationParams, querystring: MessageQuery },
      config: messageOperation({
        id: 'listMessages',
        summary: 'List the messages of a conversation',
        fidelity: documentedBut(
          'Assumed: the latest 20, the oldest of them first; before and after ask for others, both for up to 1000 between them.',
        ),
        answers: { 200: MessageList },
        paging: unpaged('The latest; others are asked for by the ids of messages.'),
      }),
    },
    ({ params, query, workspace }) => {
      const conversation = conversations.get(workspace, params.conversation_id)
      const { id, name } = contacts.get(workspace, conversation.contactId)
      return {
        meta: { contact: { id: Number(id), name } },
        payload: messagesOf(workspace, conversation.id, query).map((message) =>
          messageView(message, workspace),
        ),
      }
    },
  )

  await app.register(sending)
}

const sending: Resource = async (app) => {
  takeForms(app, { file: LARGEST_FILE }, undefined, { orJson: true })
  app.post(
    `${ACCOUNT}/conversations/:conversation_id/messages`,
    {
      preValidation: mustExist,
      schema: { params: ConversationParams, body: MessageCreate },
      config: messageOperation({
        id: 'createMessage',
        summary: 'Send a message',
        description:
          'As JSON, or as multipart/form-data with files as attachments[]. A private message is a note that the contact never sees.',
        fidelity: documentedBut(
          'Assumed: outgoing unless told otherwise; incoming is for inboxes of the channel api alone; template_params make a template, which is delivered at once; a free text on a messaging-app channel fails a day after the contact wrote last.',
        ),
        answers: { 200: Message },
        refuses: ['conflict'],
      }),
    },
    async ({ params, body, workspace, caller }) => {
      const conversation = conversations.get(workspace, params.conversation_id)
      mustBeConnected(workspace, conversation.inboxId)
      const { attachments: sent = [] } = body as { attachments?: readonly unknown[] }
      const files = sent.map((each: unknown) =>
        each instanceof Upload
          ? each
          : refuseField('attachments[]', 'invalid_type', 'attachments[] must be files of a form'),
      )
      const content = body.content ?? null
      if ((content === null || content.trim() === '') && files.length === 0 && !body.template_params) {
        refuseField('content', 'required', "Content can't be blank")
      }
      const messageType = body.template_params
        ? 'template'
        : nameOf(MESSAGE_TYPES, body.message_type ?? 'outgoing')
      if (messageType === 'activity') refuseField('message_type', 'not_allowed', 'message_type is not sent')
      const { channelType } = inboxes.get(workspace, conversation.inboxId)
      if (messageType === 'incoming' && channelType !== 'Channel::Api') {
        refuseField('message_type', 'not_allowed', 'Incoming messages are only allowed in Api inboxes')
      }
      const incoming = await Promise.all(
        files.map(async (file) => ({
          name: file.filename || 'file',
          contentType: await contentTypeOfUpload(file),
          source: file.source,
        })),
      )
      const isPrivate = body.private === true || body.private === 'true'
      const add = (stored: readonly StoredFile[]) => {
        const contact = contacts.get(workspace, conversation.contactId)
        return addMessage(workspace, conversations.get(workspace, conversation.id), {
          content,
          messageType,
          private: isPrivate,
          ...(body.content_type !== undefined && { contentType: body.content_type }),
          contentAttributes: {
            ...body.content_attributes,
            ...(body.template_params && { template_params: body.template_params }),
          },
          ...(body.additional_attributes && { additionalAttributes: body.additional_attributes }),
          sourceId: body.source_id ?? null,
          attachments: stored.map(({ id, name, contentType, size }) => ({
            fileId: id,
            name,
            contentType,
            size,
          })),
          sender: messageType === 'incoming' ? { contact } : { user: caller.user },
        })
      }
      const message =
        incoming.length === 0 ? workspace.write(() => add([])) : await storing(workspace, incoming, add)
      const view = messageView(message, workspace)
      return body.echo_id === undefined ? view : { ...view, echo_id: body.echo_id }
    },
  )
}
