/**
 * Schemas of conversations and messages. Specification part 3, "Conversation", "Message". Written by hand,
 * like `views.ts`, because ids and message types are numbers, and most of a record comes from other records.
 */
import { Type } from '@sinclair/typebox'
import { File, JsonOrForm } from '../../../http/uploads/multipart.ts'
import {
  Assumed,
  assumedDefault,
  assumedValues,
  documentedLimits,
  named,
  Nullable,
  OneOf,
  SearchText,
} from '../../../http/schemas/schemas.ts'
import { Text } from '../../../http/schemas/wireShapes.ts'
import { valueOf } from '../../../http/shapes/shape.ts'
import { LONGEST_LABEL, MAX_LABELS } from '../../../state/conversations/limits.ts'
import { conversationMachine, messageMachine } from '../../../state/conversations/machines.ts'
import { LONGEST_MESSAGE, MAX_ATTACHMENTS } from '../../../state/conversations/messages.ts'
import { messageType } from '../../../state/conversations/readings.ts'
import { MESSAGE_TYPES, messages, PRIORITIES, SENDERS } from '../../../state/conversations/tables.ts'
import {
  Attributes,
  Found,
  Id,
  NameOrNumber,
  NotShown,
  Page,
  PageFound,
  Person,
  Returned,
  Seconds,
  SentPriority,
} from './common.ts'
import { Conditions } from './filters.ts'

export const STATUSES = conversationMachine.states

// ---------------------------------------------------------------- messages

const Attachment = Type.Object({
  id: Type.String(),
  message_id: Id(),
  file_type: OneOf(['image', 'audio', 'video', 'file']),
  account_id: Id(),
  extension: Nullable(Type.String()),
  data_url: Type.String({ description: 'A link that expires.' }),
  thumb_url: Type.String(),
  file_size: Type.Integer(),
})

const MessageNumber = Type.Integer({ minimum: 0, maximum: 3, ...documentedLimits('minimum', 'maximum') })

export const Message = named(
  'Message',
  Type.Object({
    id: Id(),
    content: Nullable(Type.String({ examples: ['Your desk leaves tomorrow.'] })),
    inbox_id: Id(),
    conversation_id: Id(),
    message_type: Type.Union([MessageNumber, OneOf(MESSAGE_TYPES)], {
      'x-reading': [messageType.name],
      description:
        'A number: incoming 0, outgoing 1, activity 2, template 3. A word under the reading string.',
      examples: [1],
    }),
    content_type: Type.String({ examples: ['text'] }),
    content_attributes: NotShown(Attributes()),
    status: OneOf(messageMachine.states),
    private: Type.Boolean(),
    created_at: Seconds(),
    additional_attributes: Attributes(),
    source_id: NotShown(Nullable(Type.String())),
    echo_id: Type.Optional(NotShown(Type.String())),
    sender: Nullable(
      Type.Object({
        id: Id(),
        name: Type.String(),
        type: OneOf(SENDERS),
        email: NotShown(Nullable(Type.String())),
        thumbnail: NotShown(Type.String()),
      }),
    ),
    attachments: Type.Array(NotShown(Attachment)),
  }),
)

export const MessageList = Type.Object({
  meta: Type.Object({ contact: Person('Ana Ríos') }),
  payload: Type.Array(Message),
})

const place = (words: string) =>
  Type.Optional(NotShown(Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: words })))

export const MessageQuery = Type.Object({
  before: place('The 20 messages before this one.'),
  after: place('Up to 100 messages after this one.'),
})

const booleanText = (description: string) =>
  Type.Unsafe<boolean | 'true' | 'false'>({
    type: ['boolean', 'string'],
    pattern: '^(true|false)$',
    examples: [false],
    description,
  })

const messageTexts = {
  content: Type.Optional(
    Nullable(
      Type.String({
        maxLength: LONGEST_MESSAGE,
        description: 'Optional if the message has files.',
        examples: ['Your desk leaves tomorrow.'],
      }),
    ),
  ),
  private: Type.Optional(
    booleanText('Whether the message is an internal note that the contact never sees. Default is false.'),
  ),
  content_type: Type.Optional(NotShown(valueOf(messages.contentType, { examples: ['text'] }))),
  echo_id: Type.Optional(NotShown(Type.String({ maxLength: 100, examples: ['a1'] }))),
  source_id: Type.Optional(NotShown(Nullable(valueOf(messages.sourceId, { examples: ['external-1'] })))),
}

const OUTGOING = MESSAGE_TYPES.indexOf('outgoing')

/** The message types that may be sent, with their numbers. */
const sentType = (...numbers: readonly (number | string)[]) =>
  Type.Optional(
    Type.Unsafe<(typeof MESSAGE_TYPES)[number] | number>({
      enum: ['incoming', 'outgoing', 'template', ...numbers],
      description:
        'incoming is allowed only in inboxes of the channel api; template requires template_params.',
      ...assumedDefault('outgoing'),
      ...assumedValues(
        'The specification shows outgoing in requests; the others are types of messages.',
        ...['incoming', 'template', ...numbers.filter((number) => Number(number) !== OUTGOING)],
      ),
    }),
  )

/** An object as JSON text, for forms. */
const jsonText = (example: object, description = '') =>
  Type.Optional(
    NotShown(
      Type.String({
        description: `${description} An object as JSON text.`.trim(),
        examples: [JSON.stringify(example)],
      }),
    ),
  )

const SENDER_WORDS = 'May contain senderName and senderAvatarUrl.'
const SENDER = { senderName: 'Almendro' }
const TEMPLATE_WORDS =
  'The approved template and its parameters. Makes the message a template, which the 24-hour window of messaging-app channels does not limit.'
const TEMPLATE = { name: 'order_shipped', language: 'es' }

/** The name of a template. Its other parameters depend on the channel. */
const TemplateParams = () => ({
  ...Attributes(),
  required: ['name'],
  properties: {
    name: Text(LONGEST_TEMPLATE_NAME, 'order_shipped'),
  },
  description: TEMPLATE_WORDS,
  examples: [TEMPLATE],
})

/** The longest template name in characters, as in messaging apps. */
const LONGEST_TEMPLATE_NAME = 512

/** A new message, as JSON or as a form with files. */
export const MessageCreate = named(
  'MessageCreate',
  JsonOrForm(
    {
      ...messageTexts,
      message_type: sentType(0, 1, 3),
      content_attributes: Type.Optional(NotShown(Attributes())),
      additional_attributes: Type.Optional(
        NotShown({ ...Attributes(), description: SENDER_WORDS, examples: [SENDER] }),
      ),
      template_params: Type.Optional(NotShown(TemplateParams())),
    },
    {
      ...messageTexts,
      message_type: sentType('0', '1', '3'),
      content_attributes: jsonText({ plan: 'office' }),
      additional_attributes: jsonText(SENDER, SENDER_WORDS),
      template_params: jsonText(TEMPLATE, TEMPLATE_WORDS),
      'attachments[]': Type.Optional(
        Type.Array(File('Each at most 40 MB.', 'Invoice A-1042'), { maxItems: MAX_ATTACHMENTS }),
      ),
    },
  ),
)

// ---------------------------------------------------------------- conversations

const Assignee = Type.Object({
  id: Id(),
  name: Type.String(),
  email: NotShown(Type.String()),
  availability_status: NotShown(Type.String()),
})

export const Conversation = named(
  'Conversation',
  Type.Object({
    id: Id(),
    account_id: Id(),
    inbox_id: Id(),
    status: OneOf(STATUSES),
    priority: Nullable(OneOf(PRIORITIES)),
    vip: Type.Boolean(),
    labels: Type.Array(Type.String()),
    custom_attributes: Attributes(),
    meta: Type.Object({
      sender: Type.Object({
        id: Id(),
        name: Type.String(),
        email: Nullable(Type.String()),
        phone_number: Nullable(Type.String()),
      }),
      assignee: Nullable(Assignee),
      team: Nullable(Person('sales')),
      channel: NotShown(Type.String({ examples: ['Channel::WebWidget'] })),
    }),
    created_at: Seconds(),
    updated_at: Seconds(),
    additional_attributes: NotShown(Attributes()),
    can_reply: NotShown(Type.Boolean()),
    unread_count: NotShown(Type.Integer({ minimum: 0 })),
    snoozed_until: NotShown(Nullable(Seconds())),
    last_activity_at: NotShown(Seconds()),
    first_reply_created_at: NotShown(Nullable(Seconds())),
    waiting_since: NotShown(Nullable(Seconds())),
    messages: NotShown(Type.Array(Message, { description: 'The last message, which may be an activity.' })),
    last_non_activity_message: NotShown({
      ...Nullable(Message),
      description: 'The last message that is not an activity, for previews.',
    }),
  }),
)

export const OneConversation = Returned('the conversation as in lists, without an envelope', Conversation)

const Counts = Type.Object({
  mine_count: Type.Integer({ minimum: 0 }),
  assigned_count: Type.Integer({ minimum: 0 }),
  unassigned_count: Type.Integer({ minimum: 0 }),
  all_count: Type.Integer({ minimum: 0 }),
})

export const ConversationPage = Type.Object({
  data: Type.Object({ meta: Counts, payload: Type.Array(Conversation) }),
})

export const FoundConversations = Found(ConversationPage)

const SoughtLabels = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['delivery'] }), {
    maxItems: 100,
    description: 'May be repeated. Returns conversations with any of the labels.',
  })

export const ConversationQuery = Type.Object({
  assignee_type: Type.Optional(
    OneOf(
      ['assigned', 'unassigned', 'mine', 'me', 'all'],
      assumedValues(
        'me is another name of mine, and all is the default, as in similar products.',
        'me',
        'all',
      ),
    ),
  ),
  status: Type.Optional(
    OneOf([...STATUSES, 'all'], {
      ...assumedDefault('open'),
      ...assumedValues(
        'The default is open, so all is needed for every status, as in similar products.',
        'all',
      ),
    }),
  ),
  inbox_id: Type.Optional(Id()),
  team_id: Type.Optional(Id()),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['delivery'] })),
  labels: Type.Optional(NotShown(SoughtLabels())),
  'labels[]': Type.Optional(NotShown(SoughtLabels())),
  sort_by: Type.Optional(
    NotShown(
      OneOf([
        'latest',
        'last_activity_at_desc',
        'last_activity_at_asc',
        'created_at_desc',
        'created_at_asc',
        'priority_desc',
        'priority_asc',
        'waiting_since_desc',
        'waiting_since_asc',
      ]),
    ),
  ),
  page: Page(),
})

export const SearchQuery = Type.Object({
  q: SearchText({
    maxLength: 200,
    pattern: '\\S',
    'x-wording': 'must not be blank',
    examples: ['desk'],
    description: 'Text to search for in messages.',
  }),
  page: PageFound(),
})

const Label = () =>
  Type.String({ minLength: 1, maxLength: LONGEST_LABEL, pattern: '\\S', examples: ['delivery'] })

export const Labels = () =>
  Type.Array(Label(), { maxItems: MAX_LABELS, uniqueItems: true, examples: [['delivery']] })

const snoozedUntil = Type.Optional(
  NotShown(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 253_402_300_799,
        description: 'Seconds since the epoch; must be in the future.',
        examples: [1_900_000_000],
      }),
    ),
  ),
)

export const ConversationCreate = named(
  'ConversationCreate',
  Type.Object({
    inbox_id: Id(),
    contact_id: Id(),
    status: Type.Optional(NameOrNumber(STATUSES, 'open')),
    assignee_id: Type.Optional(Nullable(Id())),
    team_id: Type.Optional(Nullable(Id())),
    message: Type.Optional(
      Type.Object({
        content: Type.String({
          minLength: 1,
          maxLength: LONGEST_MESSAGE,
          pattern: '\\S',
          'x-wording': "can't be blank",
          examples: ['Hello, Ana.'],
        }),
        template_params: Type.Optional(NotShown(TemplateParams())),
      }),
    ),
    additional_attributes: Type.Optional(NotShown(Attributes())),
    custom_attributes: Type.Optional(NotShown(Attributes())),
    snoozed_until: snoozedUntil,
  }),
)

export const ConversationUpdate = named(
  'ConversationUpdate',
  Type.Object({
    priority: Type.Optional(SentPriority()),
    vip: Type.Optional(Type.Boolean()),
    labels: Type.Optional(Labels()),
  }),
)

export const StatusBody = named(
  'ToggleStatus',
  Type.Object({
    status: Type.Optional(NameOrNumber(STATUSES, 'resolved')),
    snoozed_until: snoozedUntil,
  }),
)

export const ToggledStatus = Returned(
  'the new status, as similar products do',
  Type.Object({
    meta: Type.Object({}),
    payload: Type.Object({
      success: Type.Boolean(),
      conversation_id: Id(),
      current_status: OneOf(STATUSES),
      snoozed_until: Nullable(Seconds()),
    }),
  }),
)

export const PriorityBody = named(
  'TogglePriority',
  Assumed(
    'The specification assumes that the body has the priority, but does not show its shape.',
    Type.Object({ priority: SentPriority() }),
  ),
)

export const VipBody = named('ToggleVip', Type.Object({ vip: Type.Boolean({ examples: [true] }) }))

export const AssignmentBody = named(
  'Assignment',
  Type.Object({
    assignee_id: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 999_999_999_999_999,
          examples: [1],
          description: 'null or 0 removes the assignee.',
        }),
      ),
    ),
    team_id: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 999_999_999_999_999,
          description: 'null or 0 removes the team.',
        }),
      ),
    ),
  }),
)

export const ConversationFilter = named(
  'ConversationFilter',
  Type.Object({
    payload: Conditions({ attribute_key: 'status', filter_operator: 'equal_to', values: ['open'] }),
  }),
)

export const FilterQuery = Type.Object({ page: PageFound() })
