/** Schemas of inboxes, agents and teams. Specification part 3, "Inbox", "Agent and team". */
import { Type } from '@sinclair/typebox'
import { named, Nullable, OneOf } from '../../../http/schemas/schemas.ts'
import {
  LONGEST_GREETING,
  LONGEST_TEAM_DESCRIPTION,
  LONGEST_WEBSITE_URL,
} from '../../../state/conversations/limits.ts'
import { AVAILABILITIES, ROLES } from '../../../state/conversations/tables.ts'
import { Id, NotShown } from './common.ts'

const text = (maxLength: number, example: string) => Type.String({ maxLength, examples: [example] })

const Name = (maxLength: number, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', 'x-wording': "can't be blank", examples: [example] })

// ---------------------------------------------------------------- inboxes

const greeting = {
  greeting_enabled: Type.Boolean({
    description:
      'Whether the inbox answers the first message of a contact in a conversation with greeting_message.',
  }),
  greeting_message: Nullable(text(LONGEST_GREETING, 'Hello! How can we help?')),
  enable_auto_assignment: Type.Boolean({
    description:
      'Whether an unassigned conversation is assigned when a contact starts or reopens it. Agents who were set online take turns.',
  }),
  out_of_office_message: Nullable(text(LONGEST_GREETING, 'We are back tomorrow.')),
  working_hours_enabled: Type.Boolean({
    description:
      'Whether the inbox answers messages outside business hours with out_of_office_message. Business hours are 09:00 to 17:00 from Monday to Friday in the time zone of the workspace.',
  }),
}

export const Inbox = named(
  'Inbox',
  Type.Object({
    id: Id(),
    name: Type.String({ examples: ['Website'] }),
    channel_type: Type.String({ examples: ['Channel::WebWidget'] }),
    ...greeting,
    website_url: NotShown(Nullable(Type.String({ examples: ['https://almendro.example'] }))),
    widget_url: NotShown(
      Nullable(
        Type.String({ description: 'The page of a web widget, on which a visitor writes as a contact.' }),
      ),
    ),
  }),
)

export const InboxList = Type.Object({ payload: Type.Array(Inbox) })

/** Channel types by their names in POST /inboxes. */
export const CHANNELS = {
  web_widget: 'Channel::WebWidget',
  api: 'Channel::Api',
  email: 'Channel::Email',
  whatsapp: 'Channel::Whatsapp',
} as const

/** Accepts a domain without a scheme too, as similar products do. */
const websiteUrl = Type.String({
  pattern: '^(?:https?://[^\\s/]\\S*|[^\\s/:.]+(?:\\.[^\\s/:.]+)+(?:[/:]\\S*)?)$',
  'x-wording': 'must be the address of a website, such as https://almendro.example',
  maxLength: LONGEST_WEBSITE_URL,
  examples: ['https://almendro.example'],
})

export const InboxCreate = named(
  'InboxCreate',
  Type.Object({
    name: Name(200, 'Website'),
    channel: Type.Object({
      type: OneOf(Object.keys(CHANNELS) as (keyof typeof CHANNELS)[], {
        description: 'The specification shows web_widget; the others are assumed.',
        examples: ['web_widget'],
      }),
      website_url: Type.Optional(websiteUrl),
    }),
    ...Type.Partial(Type.Object(greeting)).properties,
  }),
)

export const InboxUpdate = named(
  'InboxUpdate',
  Type.Object({
    name: Type.Optional(Name(200, 'Website')),
    channel: Type.Optional(NotShown(Type.Object({ website_url: Type.Optional(websiteUrl) }))),
    ...Type.Partial(Type.Object(greeting)).properties,
  }),
)

export const MessageResponse = Type.Object({ message: Type.String() })

// ---------------------------------------------------------------- agents

const ROLE_WORDS = 'Stored and returned. The scopes of a key decide what it may do.'

const availability = OneOf(AVAILABILITIES, { examples: ['online'] })

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

export const AgentList = Type.Array(Agent)

export const AgentCreate = named(
  'AgentCreate',
  Type.Object({
    name: Name(200, 'Luis Mora'),
    email: Type.String({ format: 'email', maxLength: 254, examples: ['luis.mora@example.com'] }),
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

const teamFields = {
  description: Nullable(text(LONGEST_TEAM_DESCRIPTION, 'Answers before the sale')),
  allow_auto_assign: Type.Boolean({
    examples: [true],
    description: 'Stored and returned. Has no effect, because teams have no members in the simulator.',
  }),
}

export const Team = named(
  'Team',
  Type.Object({
    id: Id(),
    name: Type.String({ examples: ['sales'] }),
    ...teamFields,
    account_id: NotShown(Id()),
  }),
)

export const TeamList = Type.Array(Team)

export const TeamCreate = named(
  'TeamCreate',
  Type.Object({ name: Name(100, 'logistics'), ...Type.Partial(Type.Object(teamFields)).properties }),
)

export const TeamUpdate = named(
  'TeamUpdate',
  Type.Object({
    name: Type.Optional(Name(100, 'sales')),
    ...Type.Partial(Type.Object(teamFields)).properties,
  }),
)
