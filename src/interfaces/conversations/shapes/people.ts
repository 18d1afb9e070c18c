/** Schemas of inboxes, agents and teams. Specification part 3, "Inbox", "Agent and team". */
import { Type, type SchemaOptions } from '@sinclair/typebox'
import { Assumed, assumedValues, named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import { bodyOnly, made, shape, valueOf } from '../../../http/shapes/shape.ts'
import { AVAILABILITIES, inboxes, ROLES, teams } from '../../../state/conversations/tables.ts'
import { widgetAddress } from '../widgetAddress.ts'
import { accountId, Email, Id, NotShown, numericId, Returned } from './common.ts'

const name = (example: string) =>
  ({
    sent: 'both',
    required: true,
    words: { examples: [example] },
    takes: { 'x-wording': "can't be blank" },
  }) as const

/** Labels a column of responses in bodies alone. */
const assumedInBody = <const Field extends { readonly sent: 'both'; readonly takes?: SchemaOptions }>(
  field: Field,
) => ({
  ...field,
  takes: Assumed('The specification shows this field in responses, but not in this body.', {
    ...field.takes,
  }),
})

// ---------------------------------------------------------------- inboxes

/** Channel types by their names in POST /inboxes. */
export const CHANNELS = {
  web_widget: 'Channel::WebWidget',
  api: 'Channel::Api',
  email: 'Channel::Email',
  whatsapp: 'Channel::Whatsapp',
} as const

/** Accepts a domain without a scheme too, as similar products do. */
const websiteUrl = valueOf(inboxes.websiteUrl, {
  'x-wording': 'must be the address of a website, such as https://almendro.example',
  examples: ['https://almendro.example'],
})

const WIDGET = CHANNELS.web_widget

export const Inbox = shape({ item: 'Inbox', update: 'InboxUpdate' }, inboxes, {
  fields: () => ({
    id: numericId(inboxes.id),
    name: assumedInBody(name('Website')),
    channel_type: { schema: Type.String({ examples: [WIDGET] }) },
    channel: bodyOnly('update', NotShown(Type.Object({ website_url: Type.Optional(websiteUrl) }))),
    greeting_enabled: {
      sent: 'both',
      words: {
        description:
          'Whether the inbox answers the first message of a contact in a conversation with greeting_message.',
      },
    },
    greeting_message: { sent: 'both', bounded: true, words: { examples: ['Hello! How can we help?'] } },
    enable_auto_assignment: {
      sent: 'both',
      words: {
        description:
          'Whether an unassigned conversation is assigned when a contact starts or reopens it. Agents who were set online take turns.',
      },
    },
    out_of_office_message: assumedInBody({
      sent: 'both',
      bounded: true,
      words: { examples: ['We are back tomorrow.'] },
    }),
    working_hours_enabled: assumedInBody({
      sent: 'both',
      words: {
        description:
          'Whether the inbox answers messages outside business hours with out_of_office_message. Business hours are 09:00 to 17:00 from Monday to Friday in the time zone of the workspace.',
      },
    }),
    website_url: { schema: NotShown(Type.String({ examples: ['https://almendro.example'] })) },
    widget_url: made(
      NotShown(
        Nullable(
          Type.String({ description: 'The page of a web widget, on which a visitor writes as a contact.' }),
        ),
      ),
      [inboxes.id, inboxes.channelType],
      ([id, type], workspace) => (type === WIDGET ? widgetAddress(workspace, id) : null),
    ),
  }),
})

export const NewInbox = shape({ create: 'InboxCreate' }, inboxes, {
  fields: () => ({
    ...Inbox.fields(),
    name: name('Website'),
    greeting_enabled: assumedInBody(Inbox.fields().greeting_enabled),
    greeting_message: assumedInBody(Inbox.fields().greeting_message),
    enable_auto_assignment: assumedInBody(Inbox.fields().enable_auto_assignment),
    channel: {
      ...bodyOnly(
        'create',
        Type.Object({
          type: OneOf(Object.keys(CHANNELS) as (keyof typeof CHANNELS)[], {
            examples: ['web_widget'],
            ...assumedValues(
              'The specification shows web_widget; the others follow similar products.',
              ...Object.keys(CHANNELS).filter((channel) => channel !== 'web_widget'),
            ),
          }),
          website_url: Type.Optional(websiteUrl),
        }),
      ),
      required: true,
    },
  }),
})

export const InboxList = Type.Object({ payload: Type.Array(Inbox.item) })

export const OneInbox = Returned('the inbox without an envelope', Inbox.item)

export const DeletedInbox = Returned('a message', Type.Object({ message: Type.String() }))

// ---------------------------------------------------------------- agents

const ROLE_WORDS = 'Stored and returned. The scopes of a key decide what it may do.'

const availability = OneOf(AVAILABILITIES, {
  examples: ['online'],
  ...assumedValues(
    'The specification shows online and busy; offline is for those who are neither.',
    'offline',
  ),
})

/** Written by hand, because an agent is a user or an invitation: no table has its fields. */
export const Agent = named(
  'Agent',
  Type.Object({
    id: Id(),
    name: Type.String({ examples: ['Ana Ríos'] }),
    email: Type.String({ examples: ['ana.rios@example.com'] }),
    role: OneOf(ROLES, { description: ROLE_WORDS }),
    availability_status: availability,
    confirmed: Type.Boolean(),
    account_id: NotShown(Id()),
    available_name: NotShown(Type.String()),
    thumbnail: NotShown(Type.String()),
  }),
)

export const OneAgent = Returned('the agent without an envelope', Agent)

export const AgentList = Type.Array(Agent)

export const AgentCreate = named(
  'AgentCreate',
  Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '\\S',
      'x-wording': "can't be blank",
      examples: ['Luis Mora'],
    }),
    email: Email('luis.mora@example.com'),
    role: OneOf(ROLES, { examples: ['agent'], description: ROLE_WORDS }),
  }),
)

export const AgentUpdate = named(
  'AgentUpdate',
  Type.Object({
    role: Type.Optional(OneOf(ROLES, { description: ROLE_WORDS })),
    availability: Type.Optional(availability),
  }),
)

// ---------------------------------------------------------------- teams

export const Team = shape({ item: 'Team', update: 'TeamUpdate' }, teams, {
  fields: () => ({
    id: numericId(teams.id),
    name: name('sales'),
    description: { sent: 'both', bounded: true, words: { examples: ['Answers before the sale'] } },
    allow_auto_assign: {
      sent: 'both',
      words: {
        examples: [true],
        description: 'Stored and returned. Has no effect, because teams have no members in the simulator.',
      },
    },
    account_id: accountId(),
  }),
})

export const NewTeam = shape({ create: 'TeamCreate' }, teams, {
  fields: () => ({ ...Team.fields(), name: name('logistics') }),
})

export const OneTeam = Returned('the team without an envelope', Team.item)

export const TeamList = Type.Array(Team.item)
