/** Messages. Specification part 3, "Message"; routes in the order of operations.tsv. */
import type { preValidationHookHandler } from 'fastify'
import type { Resource } from '../../http/definition/definition.ts'
import { routesOf } from '../../http/definition/routes.ts'
import { storedTypeOfUpload } from '../../http/uploads/contentTypes.ts'
import type { FormValues } from '../../http/uploads/formReading.ts'
import { mustHoldFew, parseJson } from '../../http/server/json.ts'
import { acceptForms } from '../../http/uploads/multipart.ts'
import { unpaged } from '../../http/definition/paging.ts'
import { Upload } from '../../http/uploads/uploads.ts'
import { contacts } from '../../state/conversations/contacts.ts'
import { conversations } from '../../state/conversations/conversations.ts'
import { inboxes, mustBeConnected } from '../../state/conversations/inboxes.ts'
import { addMessage, messagesOf, MAX_ATTACHMENTS } from '../../state/conversations/messages.ts'
import { MESSAGE_TYPES } from '../../state/conversations/tables.ts'
import { documentedBut } from '../../state/model/fidelity.ts'
import { refuseField, unlessRefused } from '../../state/model/refusal.ts'
import { storeFiles, type StoredFile } from '../../state/shared/storedFiles.ts'
import { ACCOUNT, inAccount } from './account.ts'
import { MESSAGES } from './operations.ts'
import { ConversationParams, nameOf } from './shapes/common.ts'
import { Message, MessageCreate, MessageList, MessageQuery } from './shapes/conversations.ts'
import { messageView } from './views.ts'

/** The limit of one file, and of all files of a message, in bytes: 40 MiB. */
const LARGEST_FILE = 40 * 1024 * 1024

const mustExist = inAccount<{ account_id: string; conversation_id: string }>(
  ({ workspace }, { conversation_id: id }) => conversations.getHead(workspace, id),
)

/** Fields that are not strings in JSON. A form sends them as JSON text. */
const NO_TEXTS = ['message_type', 'content_attributes', 'additional_attributes', 'template_params']

/** Parses the JSON fields of a form. The schema refuses those that are not JSON. */
const asInJson: preValidationHookHandler = (request, _reply, done) => {
  if (request.form) {
    request.body = Object.fromEntries(
      Object.entries(request.body as FormValues).map(([name, value]) => [
        name,
        typeof value === 'string' && NO_TEXTS.includes(name) ? (jsonIn(value) ?? value) : value,
      ]),
    )
  }
  done()
}

const jsonIn = (text: string): unknown =>
  unlessRefused('malformed', () => {
    mustHoldFew(text)
    return parseJson(text)
  })

/** Returns the type of an agent's message, which is a template if it has parameters of one. */
export const typeWith = (params: Readonly<Record<string, unknown>> | undefined) =>
  params
    ? ({ messageType: 'template', contentAttributes: { template_params: params } } as const)
    : ({ messageType: 'outgoing' } as const)

/** Refuses a template without template_params, and an incoming message with them. */
function mustFitType(type: (typeof MESSAGE_TYPES)[number], params: object | undefined): void {
  if (type === 'template' && !params) {
    const words = 'template_params must name the template when message_type is template'
    refuseField('template_params', 'required', `${words}; send a free text with message_type outgoing`)
  }
  if (type === 'incoming' && params) {
    refuseField(
      'template_params',
      'not_allowed',
      'template_params must come with message_type template or outgoing',
    )
  }
}

export const messages: Resource = async (app) => {
  const at = routesOf(app, MESSAGES)

  at(`${ACCOUNT}/conversations/:conversation_id/messages`, {
    params: ConversationParams,
    record: conversations,
  }).get({
    id: 'listMessages',
    summary: 'List the messages of a conversation',
    fidelity: documentedBut(
      'Assumed: returns the latest 20 messages, the oldest of them first. before and after select other messages; together they return up to 1000 messages between the two.',
    ),
    query: MessageQuery,
    before: mustExist,
    answers: { 200: MessageList },
    paging: unpaged('Returns the latest messages. Use before and after with message ids for others.'),
    run({ record: conversation, query, workspace }) {
      const { id, name } = contacts.get(workspace, conversation.contactId)
      return {
        meta: { contact: { id: Number(id), name } },
        payload: messagesOf(workspace, conversation.id, query).map((message) =>
          messageView(message, workspace),
        ),
      }
    },
  })

  await app.register(sending)
}

const sending: Resource = async (app) => {
  const at = routesOf(app, MESSAGES)

  // Accepts one file more than allowed, so that the operation can refuse it with its own error.
  acceptForms(app, { file: LARGEST_FILE, files: MAX_ATTACHMENTS + 1 }, undefined, { orJson: true })
  at(`${ACCOUNT}/conversations/:conversation_id/messages`, { params: ConversationParams }).post({
    id: 'createMessage',
    summary: 'Send a message',
    description:
      'Send JSON, or multipart/form-data with files as attachments[]. A private message is a note that the contact never sees.',
    fidelity: documentedBut(
      'Assumed: message_type defaults to outgoing. incoming is allowed only in inboxes of the channel api. template_params names the template and makes the message a template; a template without it is refused. A template is delivered immediately. On a messaging-app channel, other messages fail if the contact has not written within a day. On whatsapp, a message to a contact without a phone number fails; on email, a message to a contact without an e-mail address fails. Both are sent if the contact has written in the conversation. A private message is a note of an agent, so it cannot be incoming or a template, and it can be written in a conversation whose inbox is disconnected.',
    ),
    body: MessageCreate,
    before: [mustExist, asInJson],
    answers: { 200: Message },
    refuses: ['conflict'],
    async run({ params, body, workspace, caller, form }) {
      const conversation = conversations.get(workspace, params.conversation_id)
      const isPrivate = body.private === true || body.private === 'true'
      if (!isPrivate) mustBeConnected(workspace, conversation.inboxId)
      const attachments = [form?.['attachments'] ?? []].flat()
      const files = attachments.map((each: unknown) =>
        each instanceof Upload
          ? each
          : refuseField('attachments[]', 'invalid_type', 'attachments[] must be files of a form'),
      )
      if (files.length > MAX_ATTACHMENTS) {
        const message = `attachments[] must be at most ${String(MAX_ATTACHMENTS)} files`
        refuseField('attachments[]', 'too_many', message)
      }
      const content = body.content ?? null
      if ((content === null || content.trim() === '') && files.length === 0 && !body.template_params) {
        refuseField('content', 'required', "Content can't be blank")
      }
      const sentType = nameOf(MESSAGE_TYPES, body.message_type ?? 'outgoing')
      const messageType = body.template_params && sentType === 'outgoing' ? 'template' : sentType
      if (messageType === 'activity')
        refuseField('message_type', 'not_allowed', 'message_type must not be activity')
      const { channelType } = inboxes.get(workspace, conversation.inboxId)
      if (messageType === 'incoming' && channelType !== 'Channel::Api') {
        refuseField('message_type', 'not_allowed', 'Incoming messages are only allowed in Api inboxes')
      }
      if (isPrivate && messageType !== 'outgoing') {
        refuseField('private', 'not_allowed', 'private must be false unless message_type is outgoing')
      }
      mustFitType(messageType, body.template_params)
      const incoming = await Promise.all(
        files.map(async (file) => ({
          name: file.filename || 'file',
          contentType: await storedTypeOfUpload(file, app.heavyWork),
          source: file.source,
        })),
      )
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
        incoming.length === 0 ? workspace.write(() => add([])) : await storeFiles(workspace, incoming, add)
      const view = messageView(message, workspace)
      return body.echo_id === undefined ? view : { ...view, echo_id: body.echo_id }
    },
  })
}
