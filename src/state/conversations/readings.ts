/** The readings of conversations. */
import { reading } from '../model/reading.ts'

export const webhookPayload = reading({
  name: 'conversations.webhook_payload',
  title: 'The body of webhooks',
  section: 'part 3, "Events"',
  default: 'nested',
  alternatives: {
    nested: 'The envelope of all interfaces: {id, event, createdAt, data}.',
    flat: 'The fields of the record at the top level, beside event, as clients of similar products expect.',
  },
})

export const messageType = reading({
  name: 'conversations.message_type',
  title: 'The form of message_type in responses and events',
  section: 'part 3, "Message"',
  default: 'integer',
  alternatives: {
    integer: 'A number: 0 incoming, 1 outgoing, 2 activity, 3 template.',
    string: 'A word: incoming, outgoing, activity, template.',
  },
})
