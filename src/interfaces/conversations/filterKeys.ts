/** The keys that conditions may name in addition to custom attributes (assumed, after similar products). */
import { agentsOf } from '../../state/conversations/agents.ts'
import type { Contact } from '../../state/conversations/contacts.ts'
import type { Conversation } from '../../state/conversations/conversations.ts'
import { conversationMachine } from '../../state/conversations/machines.ts'
import { PRIORITIES } from '../../state/conversations/tables.ts'
import { digits, fold, isPhonePart } from '@suite-sim/kit/text/collation'
import type { Workspace } from '../../state/workspace/workspace.ts'
import type { Keys } from './filters.ts'

const oneOf =
  (names: readonly string[], ...more: readonly string[]) =>
  (sent: string | number | boolean): string | undefined =>
    typeof sent === 'number' ? names[sent] : [...names, ...more].find((name) => name === sent)

export function conversationKeys(workspace: Workspace): Keys<Conversation> {
  const numbers = new Map(agentsOf(workspace).map(({ id, number }) => [id, number]))
  return {
    status: {
      kind: 'choice',
      of: ({ status }) => status,
      reads: oneOf(conversationMachine.states, 'all'),
      everything: 'all',
    },
    priority: { kind: 'choice', of: ({ priority }) => priority, reads: oneOf(PRIORITIES) },
    assignee_id: {
      kind: 'choice',
      of: ({ assigneeId }) => (assigneeId === null ? null : (numbers.get(assigneeId) ?? null)),
    },
    inbox_id: { kind: 'choice', of: ({ inboxId }) => inboxId },
    team_id: { kind: 'choice', of: ({ teamId }) => teamId },
    contact_id: { kind: 'choice', of: ({ contactId }) => contactId },
    display_id: { kind: 'text', of: ({ id }) => id },
    labels: { kind: 'choice', of: ({ labels }) => labels },
    vip: { kind: 'choice', of: ({ vip }) => String(vip) },
    mail_subject: { kind: 'text', of: ({ additionalAttributes }) => additionalAttributes['mail_subject'] },
    browser_language: {
      kind: 'choice',
      of: ({ additionalAttributes }) => additionalAttributes['browser_language'],
    },
    conversation_language: {
      kind: 'choice',
      of: ({ additionalAttributes }) => additionalAttributes['conversation_language'],
    },
    country_code: { kind: 'choice', of: ({ additionalAttributes }) => additionalAttributes['country_code'] },
    referer: { kind: 'text', of: ({ additionalAttributes }) => additionalAttributes['referer'] },
    created_at: { kind: 'moment', of: ({ createdAt }) => createdAt },
    last_activity_at: { kind: 'moment', of: ({ lastActivityAt }) => lastActivityAt },
  }
}

/** Compares phone numbers by their digits, as the search does. Other texts match no number. */
const comparablePhone = (text: string): string => (isPhonePart(text) ? digits(text) : fold(text))

export const contactKeys: Keys<Contact> = {
  name: { kind: 'text', of: ({ name }) => name },
  email: { kind: 'text', of: ({ email }) => email },
  phone_number: { kind: 'text', of: ({ phoneNumber }) => phoneNumber, comparable: comparablePhone },
  identifier: { kind: 'text', of: ({ identifier }) => identifier },
  city: { kind: 'text', of: ({ additionalAttributes }) => additionalAttributes['city'] },
  country_code: { kind: 'choice', of: ({ additionalAttributes }) => additionalAttributes['country_code'] },
  company: { kind: 'text', of: ({ additionalAttributes }) => additionalAttributes['company'] },
  created_at: { kind: 'moment', of: ({ createdAt }) => createdAt },
  last_activity_at: { kind: 'moment', of: ({ lastActivityAt }) => lastActivityAt },
}
