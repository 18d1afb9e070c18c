/** The tables of conversations, parents before children. */
import type { RecordSet } from '../storage/records/records.ts'
import { agentRecords } from './agents.ts'
import { contacts } from './contacts.ts'
import { conversations } from './conversations.ts'
import { counters } from './counters.ts'
import { inboxes } from './inboxes.ts'
import { messages } from './messages.ts'
import { teams } from './teams.ts'

export const conversationRecords: readonly RecordSet[] = [
  counters,
  inboxes,
  teams,
  agentRecords,
  contacts,
  conversations,
  messages,
]
